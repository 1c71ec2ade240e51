//! [`bound`]: how many squares a path can have at most, by a flow.
//!
//! A path uses two moves at each of its squares and one at an end. Leave out that its moves are connected: what remains
//! is a question of flow, as for tours (`existence/shortage.rs`). Each square stands once on the left and once on the
//! right, and passes on as many moves as it may use; each move carries one unit each way at most. A path of k squares is
//! a flow of 2(k - 1), a cycle one of 2k. So the largest flow of each piece of the board bounds both. On a board of two
//! colours this contains the balance of the colours, and the shortage of moves in corners as well.

use std::sync::Arc;

use crate::request::graph::Graph;
use crate::run::{Budget, Pause, Watch};

/// The bound, and a number for the piece that each vertex lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No path has more vertices; 0 if there is none at all.
    pub squares: usize,
    /// The pieces, and how many vertices a path in each has at most.
    pub pieces: Vec<u32>,
    /// Of each piece.
    pub most: Vec<usize>,
}

/// The paths of a graph, or its cycles, with the given ends, being bounded. Resumable.
///
/// Cost: a few passes over the moves as a rule, at most as many as there are vertices. Takes no nodes.
#[derive(Clone, Debug)]
pub struct Bounding {
    flow: Flow,
    closed: bool,
    ends: [Option<u32>; 2],
    /// The next vertex to send units from.
    at: u32,
}

impl Bounding {
    /// Begins.
    #[must_use]
    pub fn new(graph: Arc<Graph>, closed: bool, ends: [Option<u32>; 2]) -> Bounding {
        let count = graph.len();
        let room: Vec<u8> = (0..count as u32).map(|v| if !closed && ends.contains(&Some(v)) { 1 } else { 2 }).collect();
        let flow = Flow {
            graph,
            gives: vec![0; count],
            left: room.clone(),
            right: room,
            found: vec![0; count],
            clock: 0,
            queue: Vec::new(),
            looked_at: 0,
            reached: Vec::new(),
        };
        Bounding { flow, closed, ends, at: 0 }
    }

    /// Goes on until the bound is known.
    pub fn advance(&mut self, budget: &Budget) -> Result<Bound, Pause> {
        let mut watch = Watch::new(budget);
        while (self.at as usize) < self.flow.graph.len() {
            watch.tick()?;
            if self.flow.left[self.at as usize] == 0 || !self.flow.augment(self.at, &mut watch)? {
                self.at += 1;
            }
        }
        Ok(self.told())
    }

    fn told(&self) -> Bound {
        let (flow, closed, ends) = (&self.flow, self.closed, self.ends);
        let (graph, count) = (&flow.graph, flow.graph.len());
        let (pieces, number) = graph.pieces();
        let mut sizes = vec![0; number as usize];
        for &piece in &pieces {
            sizes[piece as usize] += 1;
        }
        let mut used = vec![0; number as usize];
        for v in 0..count {
            used[pieces[v] as usize] += flow.gives[v].count_ones() as usize;
        }
        let colouring = graph.colouring();
        let mut most: Vec<usize> = (0..number as usize)
            .map(|piece| {
                let moves = used[piece] / 2;
                match closed {
                    true if moves < 3 => 0,
                    true => moves.min(sizes[piece]),
                    false => (moves + 1).min(sizes[piece]),
                }
            })
            .collect();
        for (piece, most) in most.iter_mut().enumerate() {
            if ends.iter().flatten().any(|&end| pieces[end as usize] as usize != piece) {
                *most = 0;
            }
        }
        // Along a path two colours alternate.
        if let Some(colours) = colouring {
            let is_odd = match (closed, ends) {
                (true, _) => Some(false),
                (false, [Some(a), Some(b)]) => Some(colours.first.contains(a) == colours.first.contains(b)),
                _ => None,
            };
            if let Some(is_odd) = is_odd
                && most[0] % 2 != usize::from(is_odd)
            {
                most[0] = most[0].saturating_sub(1);
            }
            if let (false, [Some(end), None] | [None, Some(end)]) = (closed, ends) {
                // From the colour of which there are fewer, as many as of that, twice.
                let first = colours.first.contains(end);
                let (own, other) = if first {
                    (colours.first_count, colours.second_count)
                } else {
                    (colours.second_count, colours.first_count)
                };
                most[0] = most[0].min(if own <= other { 2 * own } else { 2 * other + 1 });
            }
        }
        Bound { squares: most.iter().copied().max().unwrap_or(0), pieces, most }
    }
}

#[derive(Clone, Debug)]
struct Flow {
    graph: Arc<Graph>,
    /// What each vertex on the left gives, a bit a neighbour.
    gives: Vec<u8>,
    /// What each vertex has left to give, and to take.
    left: Vec<u8>,
    right: Vec<u8>,
    /// When the right side of a vertex was last come to.
    found: Vec<u32>,
    clock: u32,
    /// In the search at work, left vertices to look at: (vertex, where in this list it was come from, the right vertex in
    /// between); how many of them were looked at, and the right vertices come to.
    queue: Vec<(u32, usize, u32)>,
    looked_at: usize,
    reached: Vec<u32>,
}

/// A right vertex from which there is no way on: nor will there be, as no way to send a unit leads through it.
const DEAD: u32 = u32::MAX;

impl Flow {
    /// Sends one more unit from a vertex, if there is a way. Goes on where it paused.
    fn augment(&mut self, start: u32, watch: &mut Watch) -> Result<bool, Pause> {
        if self.queue.is_empty() {
            self.clock += 1;
            self.looked_at = 0;
            self.reached.clear();
            self.queue.push((start, usize::MAX, u32::MAX));
        }
        let graph = Arc::clone(&self.graph);
        while let Some(&(v, ..)) = self.queue.get(self.looked_at) {
            watch.tick()?;
            let at = self.looked_at;
            self.looked_at += 1;
            for (i, &u) in graph.neighbours(v).iter().enumerate() {
                let found = self.found[u as usize];
                if self.gives[v as usize] >> i & 1 != 0 || found == self.clock || found == DEAD {
                    continue;
                }
                self.found[u as usize] = self.clock;
                self.reached.push(u);
                if self.right[u as usize] > 0 {
                    self.right[u as usize] -= 1;
                    self.left[start as usize] -= 1;
                    let queue = std::mem::take(&mut self.queue);
                    self.push(&queue, at, u);
                    return Ok(true);
                }
                // Whoever gives to it may give elsewhere.
                for &w in graph.neighbours(u) {
                    if w != v && self.is_given(w, u) {
                        self.queue.push((w, at, u));
                    }
                }
            }
        }
        self.queue.clear();
        for &u in &self.reached {
            self.found[u as usize] = DEAD;
        }
        Ok(false)
    }

    fn index(&self, v: u32, u: u32) -> usize {
        self.graph.neighbours(v).binary_search(&u).unwrap_or_default()
    }

    fn is_given(&self, v: u32, u: u32) -> bool {
        self.gives[v as usize] >> self.index(v, u) & 1 != 0
    }

    fn push(&mut self, queue: &[(u32, usize, u32)], mut at: usize, mut to: u32) {
        loop {
            let (v, from, through) = queue[at];
            let i = self.index(v, to);
            self.gives[v as usize] ^= 1 << i;
            if from == usize::MAX {
                return;
            }
            let j = self.index(v, through);
            self.gives[v as usize] ^= 1 << j;
            (at, to) = (from, through);
        }
    }
}
