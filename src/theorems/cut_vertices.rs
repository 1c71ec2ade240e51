//! Single squares without which the board is split.
//!
//! A *cut square* is one whose removal leaves more pieces than before; between cut squares lie
//! *blocks*, which stay connected without any one square (Hopcroft and Tarjan, "Algorithm 447", 1973).
//! A tour that leaves a block for another through a cut square cannot come back, so
//!
//! * a closed tour allows no cut square at all;
//! * an open tour runs through the blocks as through a chain: no cut square leaves more than two
//!   pieces, no block has more than two cut squares, the tour starts in the first block and ends in
//!   the last, on no cut square.
//!
//! Within a block the tour is an open tour of the block from cut square to cut square, so each block
//! balances its colours.

use super::net::Net;
use super::{Code, Halt, Reason, counted};
use crate::request::graph::VertexSet;
use crate::run::Watch;

/// The depth-first forest of Hopcroft and Tarjan, from vertex 0.
struct Blocks {
    /// Vertices in the order they were reached.
    order: Vec<u32>,
    parent: Vec<u32>,
    /// The block of the edge to the parent; of vertex 0: block 0.
    block: Vec<u32>,
    /// How many blocks there are.
    count: usize,
    /// Pieces that removing the vertex would leave, less one.
    extra: Vec<u8>,
}

const NONE: u32 = u32::MAX;

/// The walk that finds them.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    time: Vec<u32>,
    low: Vec<u32>,
    parent: Vec<u32>,
    order: Vec<u32>,
    /// How far each vertex on the stack has got in its list of neighbours.
    next: Vec<u8>,
    stack: Vec<u32>,
    /// Of the vertices in order the next to be put in its block, once the walk is over.
    at: usize,
    block: Vec<u32>,
    extra: Vec<u8>,
    found: u32,
}

impl Walk {
    pub(super) fn new(count: usize) -> Walk {
        let mut time = vec![NONE; count];
        time[0] = 0;
        Walk {
            time,
            low: vec![0; count],
            parent: vec![NONE; count],
            order: vec![0],
            next: vec![0; count],
            stack: vec![0],
            at: 1,
            block: vec![0; count],
            extra: vec![0; count],
            found: 0,
        }
    }

    fn advance(&mut self, net: &Net, watch: &mut Watch) -> Result<(), Halt> {
        let Walk { time, low, parent, order, next, stack, block, extra, found, .. } = self;
        while let Some(&v) = stack.last() {
            watch.tick()?;
            let list = net.graph.neighbours(v);
            let from = next[v as usize];
            if let Some(i) = (from..list.len() as u8).find(|&i| net.is_left(v, i)) {
                let u = list[i as usize];
                next[v as usize] = i + 1;
                if time[u as usize] == NONE {
                    time[u as usize] = order.len() as u32;
                    low[u as usize] = order.len() as u32;
                    parent[u as usize] = v;
                    order.push(u);
                    stack.push(u);
                } else if u != parent[v as usize] {
                    low[v as usize] = low[v as usize].min(time[u as usize]);
                }
            } else {
                stack.pop();
                let p = parent[v as usize];
                if p != NONE {
                    low[p as usize] = low[p as usize].min(low[v as usize]);
                }
            }
        }
        while let Some(&v) = order.get(self.at) {
            watch.tick()?;
            self.at += 1;
            let p = parent[v as usize];
            if low[v as usize] >= time[p as usize] {
                block[v as usize] = *found;
                *found += 1;
                // Removing vertex 0 leaves the blocks of its children only.
                if p != 0 || *found > 1 {
                    extra[p as usize] = extra[p as usize].saturating_add(1);
                }
            } else {
                block[v as usize] = block[p as usize];
            }
        }
        Ok(())
    }
}

impl Net<'_> {
    /// See the module. The squares are connected.
    pub(super) fn cuts(&mut self, walk: &mut Walk, watch: &mut Watch) -> Result<(), Halt> {
        walk.advance(self, watch)?;
        if walk.found <= 1 {
            return Ok(());
        }
        let Walk { order, parent, block, extra, found, .. } = walk;
        let take = std::mem::take::<Vec<u32>>;
        let blocks = Blocks {
            order: take(order),
            parent: take(parent),
            block: take(block),
            count: *found as usize,
            extra: std::mem::take(extra),
        };
        Ok(self.judge_blocks(blocks)?)
    }

    fn judge_blocks(&mut self, blocks: Blocks) -> Result<(), Reason> {
        let Blocks { order, parent, block, count, extra } = blocks;
        let is_cut = |v: u32| extra[v as usize] > 0;
        let cut_squares: Vec<u32> = (0..self.len() as u32).filter(|&v| is_cut(v)).collect();
        let first = cut_squares[0];
        if self.graph.is_closed() {
            let text = format!(
                "removing {0} splits the board into {1}, but a closed tour passes through {0} only once and cannot come \
                 back",
                self.name(first),
                counted(u64::from(extra[first as usize]) + 1, "piece")
            );
            return Err(self.reason(Code::Cut, text, &cut_squares));
        }
        if let Some(&v) = cut_squares.iter().find(|&&v| extra[v as usize] > 1) {
            let text = format!(
                "removing {0} splits the board into {1} pieces, but an open tour passes through {0} only once: it visits \
                 at most 2 of them",
                self.name(v),
                u64::from(extra[v as usize]) + 1
            );
            return Err(self.reason(Code::Cut, text, &[v]));
        }

        // The cut squares of each block, at most two.
        let mut cuts_of: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &v in &order {
            // Where v is the parent's child that opens a block, the parent belongs to it too.
            if v != 0 && is_cut(v) {
                cuts_of[block[v as usize] as usize].push(v);
            }
        }
        let mut opened = VertexSet::empty(count);
        for &v in order.iter().skip(1) {
            let b = block[v as usize];
            if !opened.contains(b) {
                opened.add(b);
                let p = parent[v as usize];
                if is_cut(p) {
                    cuts_of[b as usize].push(p);
                }
            }
        }
        let leaves: Vec<u32> = (0..count as u32).filter(|&b| cuts_of[b as usize].len() == 1).collect();
        if leaves.len() != 2 {
            let hung: Vec<u32> = leaves.iter().map(|&b| cuts_of[b as usize][0]).collect();
            let text = format!(
                "{} parts of the board are each joined to the rest by a single square, the first by {}. An open tour must \
                 have an end in each, and it has only 2 ends.",
                leaves.len(),
                self.name(hung.first().copied().unwrap_or(first))
            );
            return Err(self.reason(Code::Cut, text, &hung));
        }

        // Ends lie in the two outer blocks, one in each.
        let side = |v: u32| (!is_cut(v)).then(|| leaves.iter().position(|&b| b == block[v as usize])).flatten();
        let mut allowed = [[false; 2]; 2];
        for (which, set) in [&self.starts, &self.ends].into_iter().enumerate() {
            for v in set.iter() {
                if let Some(at) = side(v) {
                    allowed[which][at] = true;
                }
            }
        }
        let forwards = allowed[0][0] && allowed[1][1];
        let backwards = allowed[0][1] && allowed[1][0];
        for v in 0..self.len() as u32 {
            let (start, end) = match side(v) {
                Some(0) => (forwards, backwards),
                Some(_) => (backwards, forwards),
                None => (false, false),
            };
            if !start {
                self.starts.discard(v);
            }
            if !end {
                self.ends.discard(v);
            }
        }
        self.must_be_ends(&[]).map_err(|_| {
            let text = format!(
                "removing {} splits the board, so an open tour must have one end on each side; the ends asked for do not",
                self.name(first)
            );
            self.reason(Code::Cut, text, &cut_squares)
        })?;
        self.block_colours(&order, &parent, &block, &cuts_of)
    }

    /// Each block balances its colours; see the module.
    fn block_colours(
        &mut self,
        order: &[u32],
        parent: &[u32],
        block: &[u32],
        cuts_of: &[Vec<u32>],
    ) -> Result<(), Reason> {
        let Some(first) = self.colouring() else { return Ok(()) };
        let colour = |v: u32| usize::from(!first.contains(v));
        let mut counts = vec![[0u64; 2]; cuts_of.len()];
        let mut opened = VertexSet::empty(cuts_of.len());
        for &v in order.iter().skip(1) {
            let b = block[v as usize];
            counts[b as usize][colour(v)] += 1;
            if !opened.contains(b) {
                opened.add(b);
                counts[b as usize][colour(parent[v as usize])] += 1;
            }
        }
        for (b, cuts) in cuts_of.iter().enumerate() {
            let [one, other] = counts[b];
            let total = one + other;
            // A path from a square of colour c has colours c, 1 - c, c, ...
            let from = colour(cuts[0]);
            let fits = counts[b][from] == total.div_ceil(2)
                && cuts.get(1).is_none_or(|&to| colour(to) == from ^ usize::from(total % 2 == 0));
            if !fits {
                let way = match cuts.get(1) {
                    Some(&to) => format!("from {} to {}", self.name(cuts[0]), self.name(to)),
                    None => format!("from {}", self.name(cuts[0])),
                };
                let (one, other) = (counted(one, "square"), other);
                let text = format!(
                    "a tour must cross a part of the board {way}, which has {one} of one colour and {other} of the other: \
                     it cannot change colour with every move"
                );
                return Err(self.reason(Code::Cut, text, cuts));
            }
        }
        for v in 0..self.len() as u32 {
            let b = block[v as usize] as usize;
            // Ends lie in outer blocks and are no cut squares.
            if self.may_be_end(v) {
                let total = counts[b][0] + counts[b][1];
                if colour(v) != colour(cuts_of[b][0]) ^ usize::from(total % 2 == 0) {
                    self.starts.discard(v);
                    self.ends.discard(v);
                }
            }
        }
        self.must_be_ends(&[]).map_err(|_| {
            let text =
                "removing single squares splits the board, and a tour cannot end in the outer parts: no square of \
                        the right colour is left there"
                    .to_owned();
            let all: Vec<u32> = cuts_of.iter().flatten().copied().collect();
            self.reason(Code::Cut, text, &all)
        })
    }
}
