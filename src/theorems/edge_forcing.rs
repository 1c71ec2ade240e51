//! Moves that follow one from another.
//!
//! See an open tour as a cycle through one more vertex, the *apex*, which is joined to every square
//! that may be an end. Then every vertex of a tour has exactly two of its moves used, and
//!
//! * where two are left, both are used; where fewer are left, there is no tour;
//! * where two are used, the others are not; where three would be, there is no tour;
//! * the moves used make paths; the move from one end of a path to the other closes a cycle and is
//!   not used, unless the path has every vertex.
//!
//! The three rules are applied until they tell no more. Each move is used or ruled out once, so
//! that the cost is linear in the moves. The rules are the propagation of every search for
//! Hamiltonian cycles; see B. Vandegriend and J. Culberson, "The Gn,m phase transition is not hard
//! for the Hamiltonian cycle problem", Journal of Artificial Intelligence Research 9 (1998).

use super::net::{Net, only_member};
use super::{Code, Halt, Reason, counted};
use crate::request::graph::VertexSet;
use crate::run::Watch;

/// The most moves of a square that the rules are applied to: a leaper has eight.
const MOST: usize = 8;

struct Forcing<'n, 'a> {
    net: &'n mut Net<'a>,
    state: &'n mut Forced,
}

/// How far the moves are followed.
#[derive(Clone, Debug)]
pub(super) struct Forced {
    /// Of each vertex the neighbours whose moves are used, a bit each.
    used: Vec<u8>,
    /// The squares that must be ends.
    must: Vec<u32>,
    /// How many squares may be ends.
    possible: usize,
    /// At the two ends of a path of used moves: the other end. A vertex without one is its own. The
    /// apex, of open tours, is the last vertex.
    mate: Vec<u32>,
    /// At the two ends of a path: how many vertices it has.
    size: Vec<u32>,
    /// Vertices to look at, and which those are.
    queue: Vec<u32>,
    queued: VertexSet,
    /// Moves used and moves ruled out.
    counts: [u64; 2],
    /// How many squares could be starts and ends before.
    before: (usize, usize),
    /// The next vertex of which what is known from an earlier time is noted.
    from: u32,
    is_begun: bool,
}

impl Forced {
    pub(super) fn new(net: &Net) -> Forced {
        let count = net.len() as u32;
        let vertices = count + u32::from(!net.graph.is_closed());
        Forced {
            used: vec![0; count as usize],
            must: Vec::new(),
            possible: (0..count).filter(|&v| net.may_be_end(v)).count(),
            mate: (0..vertices).collect(),
            size: vec![1; vertices as usize],
            queue: (0..count).collect(),
            queued: VertexSet::full(count as usize),
            counts: [0; 2],
            before: (net.starts.count(), net.ends.count()),
            from: 0,
            is_begun: false,
        }
    }
}

impl Net<'_> {
    /// Follows the moves that are forced; see the module. Says whether moves or ends were ruled out.
    pub(super) fn force(&mut self, state: &mut Forced, watch: &mut Watch) -> Result<bool, Halt> {
        let count = self.len() as u32;
        if !state.is_begun {
            if (0..count).any(|v| self.graph.neighbours(v).len() > MOST) {
                return Ok(false);
            }
            if self.left.is_empty() {
                self.left = (0..count).map(|v| ((1u16 << self.graph.neighbours(v).len()) - 1) as u8).collect();
                self.used = vec![0; count as usize];
            }
        }
        Forcing { net: self, state }.run(watch)?;
        (self.used, self.must) = (std::mem::take(&mut state.used), std::mem::take(&mut state.must));
        if !self.graph.is_closed() {
            self.must_be_ends(&self.must.clone()).map_err(|why| {
                let text = format!("after the forced moves: {why}");
                self.reason(Code::Forced, text, &self.must)
            })?;
        }
        Ok(state.counts[1] > 0 || (self.starts.count(), self.ends.count()) != state.before)
    }
}

impl Forcing<'_, '_> {
    fn run(&mut self, watch: &mut Watch) -> Result<(), Halt> {
        if !self.state.is_begun {
            self.state.is_begun = true;
            self.use_required()?;
        }
        // What is known from an earlier time.
        while (self.state.from as usize) < self.net.len() {
            watch.tick()?;
            let v = self.state.from;
            self.state.from += 1;
            let known = self.net.used[v as usize];
            for i in (0..MOST).filter(|i| known >> i & 1 != 0) {
                self.use_move(v, i)?;
            }
            if self.state.from as usize == self.net.len() {
                self.use_ends()?;
            }
        }
        loop {
            watch.tick()?;
            let Some(v) = self.state.queue.pop() else { return Ok(()) };
            self.state.queued.discard(v);
            self.look_at(v)?;
            if self.state.queue.is_empty() && !self.net.graph.is_closed() {
                self.look_at_apex()?;
            }
        }
    }

    fn use_required(&mut self) -> Result<(), Reason> {
        for at in 0..self.net.graph.required().len() {
            let (v, u) = self.net.graph.required()[at];
            if v < u {
                match self.net.graph.neighbours(v).binary_search(&u) {
                    Ok(i) if self.net.left[v as usize] >> i & 1 != 0 => self.use_move(v, i)?,
                    _ => {
                        let text = format!(
                            "the move between {} and {} is asked for, but cannot be used",
                            self.net.name(v),
                            self.net.name(u)
                        );
                        return Err(self.net.reason(Code::Forced, text, &[v, u]));
                    }
                }
            }
        }
        Ok(())
    }

    fn use_ends(&mut self) -> Result<(), Reason> {
        for v in self.net.must.clone() {
            self.use_end(v)?;
        }
        if !self.net.graph.is_closed() {
            for only in [only_member(&self.net.starts), only_member(&self.net.ends)].into_iter().flatten() {
                self.use_end(only)?;
            }
            self.look_at_apex()?;
        }
        Ok(())
    }

    fn put(&mut self, vertex: u32) {
        if (vertex as usize) < self.net.len() && !self.state.queued.contains(vertex) {
            self.state.queued.add(vertex);
            self.state.queue.push(vertex);
        }
    }

    fn is_apex(&self, vertex: u32) -> bool {
        vertex as usize == self.net.len()
    }

    /// How many moves are used at a vertex.
    fn used_at(&self, vertex: u32) -> u32 {
        if self.is_apex(vertex) {
            self.state.must.len() as u32
        } else {
            self.state.used[vertex as usize].count_ones() + u32::from(self.state.must.contains(&vertex))
        }
    }

    fn look_at(&mut self, v: u32) -> Result<(), Reason> {
        let at = v as usize;
        let left = self.net.degree(v) + u32::from(self.net.may_be_end(v));
        if left < 2 {
            let text = format!(
                "{} forced, and {} is left with too few: a tour needs 2 moves at every square, or 1 at an end",
                self.told(),
                self.net.name(v)
            );
            return Err(self.net.reason(Code::Forced, text, &[v]));
        }
        let used = self.used_at(v);
        if used == 2 && left > 2 {
            for i in 0..MOST {
                if (self.net.left[at] & !self.state.used[at]) >> i & 1 != 0 {
                    self.rule_out(v, i);
                }
            }
            if !self.state.must.contains(&v) {
                self.rule_out_end(v);
            }
        } else if used < 2 && left == 2 {
            for i in 0..MOST {
                if (self.net.left[at] & !self.state.used[at]) >> i & 1 != 0 {
                    self.use_move(v, i)?;
                }
            }
            if self.net.may_be_end(v) && !self.state.must.contains(&v) {
                self.use_end(v)?;
            }
        }
        Ok(())
    }

    fn look_at_apex(&mut self) -> Result<(), Reason> {
        if self.state.possible < 2 {
            let text = format!(
                "{} forced, and {} left where an open tour could end: it needs 2",
                self.told(),
                if self.state.possible == 1 { "1 square is" } else { "no square is" }
            );
            return Err(self.net.reason(Code::Forced, text, &[]));
        }
        if self.state.must.len() == 2 && self.state.possible > 2
            || self.state.must.len() < 2 && self.state.possible == 2
        {
            let rule_out = self.state.must.len() == 2;
            let others: Vec<u32> = (0..self.net.len() as u32)
                .filter(|&v| self.net.may_be_end(v) && !self.state.must.contains(&v))
                .collect();
            for v in others {
                if rule_out {
                    self.rule_out_end(v);
                } else {
                    self.use_end(v)?;
                }
            }
        }
        Ok(())
    }

    /// Uses the move from a vertex to its i-th neighbour.
    fn use_move(&mut self, v: u32, i: usize) -> Result<(), Reason> {
        let u = self.net.graph.neighbours(v)[i];
        if self.state.used[v as usize] >> i & 1 != 0 {
            return Ok(());
        }
        self.check_room(v)?;
        self.check_room(u)?;
        self.state.used[v as usize] |= 1 << i;
        if let Ok(j) = self.net.graph.neighbours(u).binary_search(&v) {
            self.state.used[u as usize] |= 1 << j;
        }
        self.state.counts[0] += 1;
        self.join(v, u)
    }

    /// Takes note that the tour ends on a vertex.
    fn use_end(&mut self, v: u32) -> Result<(), Reason> {
        if self.state.must.contains(&v) {
            return Ok(());
        }
        let apex = self.net.len() as u32;
        self.check_room(v)?;
        self.check_room(apex)?;
        self.state.must.push(v);
        self.join(v, apex)
    }

    fn check_room(&self, v: u32) -> Result<(), Reason> {
        if self.used_at(v) < 2 {
            return Ok(());
        }
        if self.is_apex(v) {
            let text = format!("{} forced, and more than 2 squares must be ends of the tour", self.told());
            return Err(self.net.reason(Code::Forced, text, &self.state.must));
        }
        let text = format!(
            "{} forced, and so is a third at {}; a tour makes 2 moves at a square",
            self.told(),
            self.net.name(v)
        );
        Err(self.net.reason(Code::Forced, text, &[v]))
    }

    /// Makes one path of two.
    fn join(&mut self, v: u32, u: u32) -> Result<(), Reason> {
        let total = self.state.mate.len() as u32;
        let (p, q) = (self.state.mate[v as usize], self.state.mate[u as usize]);
        self.put(v);
        self.put(u);
        if p == u {
            let size = self.state.size[v as usize];
            if size == total {
                return Ok(());
            }
            let at: Vec<u32> = [v, u].into_iter().filter(|&w| !self.is_apex(w)).collect();
            let text = if self.net.graph.is_closed() {
                format!("{} forced, and they close a cycle of {size} squares, not of all {total}", self.told())
            } else {
                format!(
                    "{} forced, and they close a cycle or join the two ends before all {} squares are visited",
                    self.told(),
                    total - 1
                )
            };
            return Err(self.net.reason(Code::Forced, text, &at));
        }
        let size = self.state.size[v as usize] + self.state.size[u as usize];
        for (one, other) in [(p, q), (q, p)] {
            self.state.mate[one as usize] = other;
            self.state.size[one as usize] = size;
            self.put(one);
        }
        if size < total {
            if self.is_apex(p) || self.is_apex(q) {
                let end = p.min(q);
                if self.net.may_be_end(end) && !self.state.must.contains(&end) {
                    self.rule_out_end(end);
                }
            } else if let Ok(i) = self.net.graph.neighbours(p).binary_search(&q)
                && (self.net.left[p as usize] & !self.state.used[p as usize]) >> i & 1 != 0
            {
                self.rule_out(p, i);
            }
        }
        Ok(())
    }

    /// Rules out the move from a vertex to its i-th neighbour.
    fn rule_out(&mut self, v: u32, i: usize) {
        let u = self.net.graph.neighbours(v)[i];
        self.net.mark(v, i, false);
        self.state.counts[1] += 1;
        self.put(v);
        self.put(u);
    }

    /// Rules out that the tour ends on a vertex.
    fn rule_out_end(&mut self, v: u32) {
        if self.net.may_be_end(v) {
            self.net.starts.discard(v);
            self.net.ends.discard(v);
            self.state.possible -= 1;
            self.put(v);
        }
    }

    fn told(&self) -> String {
        let verb = if self.state.counts[0] == 1 { "is" } else { "are" };
        format!("{} {verb}", counted(self.state.counts[0], "move"))
    }
}
