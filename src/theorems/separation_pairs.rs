//! Pairs of squares without which the board is split.
//!
//! Where the board falls into pieces without two of its squares, a tour gets from piece to piece through these two only,
//! and a tour without two squares falls into a few pieces at most. So
//!
//! * a closed tour allows two pieces, and crosses each from one of the squares to the other;
//! * an open tour allows three: one crossed from square to square, and two with an end each. Of pieces in which no end can
//!   lie there is one at most, and that is crossed.
//!
//! A piece that is crossed balances its colours: as many of both if the two squares differ in colour, else one more of the
//! other colour; and a piece with an end as a path from a square into it does.
//!
//! The second squares of all such pairs with a given first one are the cut squares of the rest (`cut_vertices.rs`), which takes a
//! pass over the board. Most squares need none: if the neighbours of a square are connected without it, and without any
//! one square more, in its vicinity already, no pair with it cuts the board. (Linear ways to find all pairs are known: J. E.
//! Hopcroft and R. E. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on Computing 2, 1973.)

use super::net::{Known, Net};
use super::toughness::Pockets;
use super::{Code, Reason};
use crate::request::Request;
use crate::request::graph::{Graph, VertexSet};
use crate::run::{Budget, Pause, Watch};

const NONE: u32 = u32::MAX;

/// How many squares make up the vicinity of one; and a wider one, where that is not connected.
const NEAR: [usize; 2] = [40, 120];

/// A node of the budget is about this many moves looked at.
const MOVES_A_NODE: u64 = 16;

/// The look for pairs of squares that rule out a tour. Resumable between two squares.
#[derive(Clone, Debug)]
pub struct Pairs {
    known: Known,
    /// The first of two colours, if there are two.
    first: Option<VertexSet>,
    /// What is looked for before, on large boards.
    pockets: Option<Box<Pockets>>,
    /// The next square to look at.
    at: u32,
    nodes: u64,
    debt: u64,
    /// Of each vertex: when it was reached, from where, and the earliest that is reached from below it.
    time: Vec<u32>,
    parent: Vec<u32>,
    low: Vec<u32>,
    next: Vec<u8>,
    order: Vec<u32>,
    below: Vec<Piece>,
}

/// What a piece holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Piece {
    squares: u32,
    /// Squares of the first colour less those of the other.
    surplus: i32,
    /// Squares on which a tour may start, and end.
    starts: u32,
    ends: u32,
}

impl Piece {
    fn add(&mut self, other: Piece) {
        self.squares += other.squares;
        self.surplus += other.surplus;
        self.starts += other.starts;
        self.ends += other.ends;
    }

    fn less(self, other: Piece) -> Piece {
        Piece {
            squares: self.squares - other.squares,
            surplus: self.surplus - other.surplus,
            starts: self.starts - other.starts,
            ends: self.ends - other.ends,
        }
    }

    fn holds_no_end(&self) -> bool {
        self.starts == 0 && self.ends == 0
    }
}

impl Pairs {
    /// Bytes for a board, from above.
    #[must_use]
    pub fn bytes(graph: &Graph) -> u64 {
        graph.len() as u64 * (5 * 4 + 1 + 16 + 4) + Pockets::bytes(graph.len())
    }

    pub(super) fn new(known: Known, pockets: Option<Box<Pockets>>) -> Pairs {
        Pairs {
            known,
            first: None,
            pockets,
            at: 0,
            nodes: 0,
            debt: 0,
            time: Vec::new(),
            parent: Vec::new(),
            low: Vec::new(),
            next: Vec::new(),
            order: Vec::new(),
            below: Vec::new(),
        }
    }

    /// Goes on until there is a reason or no pair is left to look at. The request and the graph are those of the
    /// [`Examination`](super::Examination) that it goes on from.
    pub fn advance(&mut self, request: &Request, graph: &Graph, budget: &Budget) -> Result<Option<Reason>, Pause> {
        const BATCH: u64 = 256;
        if self.time.is_empty() {
            budget.check_memory(Pairs::bytes(graph))?;
        }
        if let Some(mut pockets) = self.pockets.take() {
            let net = Net::new(request, graph, std::mem::take(&mut self.known));
            let before = budget.spent();
            let answer = pockets.advance(&net, &mut Watch::counting(budget));
            self.nodes += budget.spent() - before;
            self.known = net.into_known();
            match answer {
                Ok(None) => {}
                unfinished => {
                    self.pockets = Some(pockets);
                    return unfinished;
                }
            }
        }
        loop {
            let granted = budget.take(BATCH)?;
            let paid = granted.min(self.debt);
            self.debt -= paid;
            self.nodes += paid;
            budget.give_back(granted - paid);
            if self.debt > 0 {
                continue;
            }
            if self.at as usize == graph.len() {
                return Ok(None);
            }
            let net = Net::new(request, graph, std::mem::take(&mut self.known));
            let found = self.look_at(&net, self.at);
            self.known = net.into_known();
            match found {
                None => self.at += 1,
                // Asked again it says the same.
                found => return Ok(found),
            }
        }
    }

    /// Nodes spent.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All pairs with a square.
    fn look_at(&mut self, net: &Net, v: u32) -> Option<Reason> {
        let count = net.len();
        if self.time.is_empty() {
            self.first = net.colouring();
            self.time = vec![NONE; count];
            self.parent = vec![NONE; count];
            self.low = vec![NONE; count];
            self.next = vec![0; count];
            self.below = vec![Piece::default(); count];
        }
        for most in NEAR {
            let is_whole = self.is_whole_without(net, v, most);
            self.debt += 1 + self.order.len() as u64 * 8 / MOVES_A_NODE;
            if is_whole {
                return None;
            }
        }
        let root = net.neighbours(v).next()?;
        self.time.fill(NONE);
        self.next.fill(0);
        self.parent[root as usize] = NONE;
        self.order.clear();
        self.walk(net, v, root, NONE);
        self.debt += 1 + count as u64 * 8 / MOVES_A_NODE;
        if self.order.len() + 1 < count {
            // That is a cut square, which is another theorem's.
            return None;
        }
        self.sum_up(net, root);
        let all = self.below[root as usize];
        // In the order of the walk, for it takes a piece's parent before the next.
        let mut pieces: Vec<(u32, Piece)> = Vec::new();
        for &u in &self.order {
            let parent = self.parent[u as usize];
            if parent != NONE && self.low[u as usize] >= self.time[parent as usize] {
                pieces.push((parent, self.below[u as usize]));
            }
        }
        pieces.sort_by_key(|&(u, _)| u);
        for group in pieces.chunk_by(|a, b| a.0 == b.0) {
            let u = group[0].0;
            let mut parts: Vec<Piece> = group.iter().map(|&(_, piece)| piece).collect();
            if u != root {
                let mut inner = self.piece(net, u);
                parts.iter().for_each(|&part| inner.add(part));
                parts.push(all.less(inner));
            }
            if let Some(why) = (parts.len() > 1).then(|| self.judge(net, v, u, &parts)).flatten() {
                let names = format!(
                    "removing {} and {} splits the board into {} pieces",
                    net.name(v),
                    net.name(u),
                    parts.len()
                );
                return Some(net.reason(Code::Cut, format!("{names}; {why}"), &[v, u]));
            }
        }
        None
    }

    /// Whether the neighbours of a square are connected in its vicinity without it, and without any one square more.
    /// Neighbours with no other way on than one to the next square stand for that.
    fn is_whole_without(&mut self, net: &Net, v: u32, most: usize) -> bool {
        for &u in &self.order {
            self.time[u as usize] = NONE;
        }
        self.order.clear();
        let mut near: Vec<u32> = Vec::with_capacity(most + 8);
        for u in net.neighbours(v) {
            let onward = if net.degree(u) == 2 { net.neighbours(u).find(|&w| w != v) } else { Some(u) };
            if let Some(u) = onward.filter(|&u| u != v && !near.contains(&u)) {
                near.push(u);
            }
        }
        let neighbours = near.len();
        if neighbours < 2 {
            self.order = near;
            return true;
        }
        // Marked as near: time 0, told apart from those reached by what is in `low`.
        near.iter().for_each(|&u| self.time[u as usize] = 0);
        let mut at = 0;
        while at < near.len() && near.len() < most {
            for u in net.neighbours(near[at]) {
                if u != v && self.time[u as usize] == NONE {
                    self.time[u as usize] = 0;
                    near.push(u);
                }
            }
            at += 1;
        }
        // A walk in depth over the vicinity, from the first neighbour; times begin with 1.
        let root = near[0];
        for &u in &near {
            (self.next[u as usize], self.parent[u as usize]) = (0, NONE);
        }
        self.order.clear();
        self.walk(net, v, root, 0);
        // The neighbours are in one block with the root if from each the way up to it never passes a cut square: that is
        // so if all that lies below the root, on the way to them, reaches above its parent.
        let mut top = NONE;
        let is_whole = near[1..neighbours].iter().all(|&u| {
            let mut x = u;
            loop {
                let parent = self.parent[x as usize];
                if parent == NONE {
                    // Not reached.
                    return false;
                }
                if parent == root {
                    return std::mem::replace(&mut top, x) == NONE || top == x;
                }
                if self.low[x as usize] >= self.time[parent as usize] {
                    return false;
                }
                x = parent;
            }
        });
        self.order = near;
        is_whole
    }

    /// Of each vertex walked over: the earliest one joined to what lies below it.
    fn lowest(&mut self, net: &Net, without: u32, walked: &[u32]) {
        for &x in walked {
            self.low[x as usize] = self.time[x as usize];
        }
        for &x in walked.iter().rev() {
            let parent = self.parent[x as usize];
            for u in net.neighbours(x) {
                let time = self.time[u as usize];
                if u != parent && u != without && time != NONE && time != 0 {
                    self.low[x as usize] = self.low[x as usize].min(time);
                }
            }
            if parent != NONE {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[x as usize]);
            }
        }
    }

    /// A walk in depth, without a square, over those vertices whose time is `fresh`.
    fn walk(&mut self, net: &Net, without: u32, root: u32, fresh: u32) {
        let mut stack = vec![root];
        self.time[root as usize] = 1;
        self.order.push(root);
        while let Some(&x) = stack.last() {
            let list = net.graph.neighbours(x);
            let from = self.next[x as usize];
            let is_onward = |&i: &u8| {
                let u = list[i as usize];
                net.is_left(x, i) && u != without && self.time[u as usize] == fresh
            };
            let Some(i) = (from..list.len() as u8).find(is_onward) else {
                stack.pop();
                continue;
            };
            let u = list[i as usize];
            self.next[x as usize] = i + 1;
            self.order.push(u);
            self.time[u as usize] = self.order.len() as u32;
            self.parent[u as usize] = x;
            stack.push(u);
        }
        let order = std::mem::take(&mut self.order);
        self.lowest(net, without, &order);
        self.order = order;
    }

    /// What lies below each vertex, and itself.
    fn sum_up(&mut self, net: &Net, root: u32) {
        for &x in &self.order {
            self.below[x as usize] = self.piece(net, x);
        }
        for &x in self.order.iter().rev().filter(|&&x| x != root) {
            let piece = self.below[x as usize];
            self.below[self.parent[x as usize] as usize].add(piece);
        }
    }

    /// A square alone.
    fn piece(&self, net: &Net, x: u32) -> Piece {
        let surplus = self.first.as_ref().map_or(0, |first| if first.contains(x) { 1 } else { -1 });
        let (starts, ends) = (net.starts.contains(x), net.ends.contains(x));
        Piece { squares: 1, surplus, starts: starts.into(), ends: ends.into() }
    }

    /// Why a tour cannot have these pieces without two squares.
    fn judge(&self, net: &Net, v: u32, u: u32, pieces: &[Piece]) -> Option<String> {
        if net.graph.is_closed() {
            if pieces.len() > 2 {
                return Some(
                    "a closed tour passes through the two squares once each, so it visits at most 2 pieces".to_owned(),
                );
            }
            return pieces.iter().find(|piece| !self.is_crossed(v, u, piece)).map(|piece| self.unbalanced(piece));
        }
        if pieces.len() > 3 {
            return Some(
                "an open tour passes through the two squares once each, so it visits at most 3 pieces".to_owned(),
            );
        }
        let mut inner = pieces.iter().filter(|piece| piece.holds_no_end());
        if let Some(piece) = inner.next() {
            if inner.next().is_some() {
                return Some(
                    "two of them can hold no end, and a tour crosses only one from one of the two squares to the other"
                        .to_owned(),
                );
            }
            if !self.is_crossed(v, u, piece) {
                return Some(self.unbalanced(piece));
            }
        }
        let &[a, b, c] = pieces else { return None };
        let outer = |x: Piece, y: Piece| {
            let ends = x.starts > 0 && y.ends > 0 || x.ends > 0 && y.starts > 0;
            let colours = |x: &Piece, y: &Piece| self.is_entered(v, x) && self.is_entered(u, y);
            ends && (colours(&x, &y) || colours(&y, &x))
        };
        let fits = [(a, b, c), (b, a, c), (c, a, b)].iter().any(|&(m, x, y)| self.is_crossed(v, u, &m) && outer(x, y));
        (!fits).then(|| {
            "an open tour must cross one and end in the two others, but their colours and the ends do not allow that"
                .to_owned()
        })
    }

    fn unbalanced(&self, piece: &Piece) -> String {
        let (squares, surplus) = (i64::from(piece.squares), i64::from(piece.surplus));
        let (one, other) = (((squares + surplus) / 2) as u64, (squares - surplus) / 2);
        let one = super::counted(one, "square");
        format!(
            "a tour must cross one of them from one square to the other. It has {one} of one colour and {other} of the \
             other, so a tour cannot change colour with every move there."
        )
    }

    /// Of which colour a piece has more: squares of a vertex's colour less those of the other.
    fn surplus(&self, v: u32, piece: &Piece) -> Option<i32> {
        self.first.as_ref().map(|first| if first.contains(v) { piece.surplus } else { -piece.surplus })
    }

    /// Whether a path from v through the piece to u can alternate.
    fn is_crossed(&self, v: u32, u: u32, piece: &Piece) -> bool {
        let Some(surplus) = self.surplus(v, piece) else { return true };
        let same = self.first.as_ref().is_some_and(|first| first.contains(v) == first.contains(u));
        surplus == if same { -1 } else { 0 }
    }

    /// Whether a path from v into the piece, to its end there, can alternate.
    fn is_entered(&self, v: u32, piece: &Piece) -> bool {
        self.surplus(v, piece).is_none_or(|surplus| surplus == -((piece.squares % 2) as i32))
    }
}
