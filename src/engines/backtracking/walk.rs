//! [`Walk`]: a path with what is still to be tried, on boards of either size.

use super::lookahead::{Prune, Prunes};
use crate::request::graph::VertexSet;

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Squares placed, those that look-ahead took back at once included.
    pub nodes: u64,
    /// Squares taken back.
    pub backtracks: u64,
    /// The most squares that stood on the path at once.
    pub greatest_depth: u64,
    /// Attempts after the first one.
    pub restarts: u64,
    /// Branches cut, by kind.
    pub prunes: Prunes,
}

impl Stats {
    /// Adds what another part of the search did.
    pub fn add(&mut self, other: &Stats) {
        self.nodes += other.nodes;
        self.backtracks += other.backtracks;
        self.greatest_depth = self.greatest_depth.max(other.greatest_depth);
        self.restarts += other.restarts;
        self.prunes.add(&other.prunes);
    }
}

/// Where a path may begin, and where one from there may end.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) start: u32,
    /// The second vertex, if it is given.
    pub(super) first: Option<u32>,
    /// Whether the path is a cycle cut open at its start, whose moves are both chosen by the root.
    pub(super) cycle: bool,
    pub(super) ends: VertexSet,
}

/// What entering a vertex led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    Moved,
    Complete,
}

/// A path with what is still to be tried from each of its vertices.
pub(super) trait Position: Clone + Send + Sync {
    /// Begins at a root.
    fn begin(&mut self, root: &Root, vertices: usize) -> Result<Entered, Prune>;
    /// The next vertex to try from the head, if any is left.
    fn next(&mut self) -> Option<u32>;
    /// Visits a vertex next to the head. When it is complete or cut, the head stays what it was.
    fn enter(&mut self, vertex: u32) -> Result<Entered, Prune>;
    /// Takes the head off the path. Whether there is still one to go on from.
    fn leave(&mut self) -> bool;
    /// Takes the last vertex of a complete path off again.
    fn resume(&mut self);
    /// Vertices on the path.
    fn depth(&self) -> usize;
    /// The path.
    fn path(&self, into: &mut Vec<u32>);
    /// The last vertex of a complete path.
    fn end(&self) -> u32;
    /// Makes what lies below the head somebody else's: the search ends when it gets back to here.
    fn seal(&mut self);
    /// Other random ties from here on.
    fn reseed(&mut self, seed: u64);
}

/// What a step of a search led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Complete,
    Exhausted,
    OutOfFuel,
}

/// A position and what has been done with it.
#[derive(Clone, Debug)]
pub(super) struct Walk<P> {
    pub(super) position: P,
    pub(super) state: State,
    pub(super) stats: Stats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Running,
    Complete,
    Exhausted,
}

impl<P: Position> Walk<P> {
    pub(super) fn new(position: P) -> Walk<P> {
        Walk { position, state: State::Exhausted, stats: Stats::default() }
    }

    pub(super) fn begin(&mut self, root: &Root, vertices: usize) {
        self.stats.nodes += 1;
        self.stats.greatest_depth = self.stats.greatest_depth.max(1);
        self.state = match self.position.begin(root, vertices) {
            Ok(Entered::Moved) => State::Running,
            Ok(Entered::Complete) => State::Complete,
            Err(prune) => {
                self.stats.prunes.note(prune);
                State::Exhausted
            }
        };
        if self.state == State::Complete {
            // The one-square tour: reported by the next call, with nothing after it.
            self.stats.greatest_depth = 1;
        }
    }

    /// Runs to the next complete path, for at most `fuel` nodes.
    pub(super) fn run(&mut self, fuel: &mut u64) -> Event {
        match self.state {
            State::Exhausted => return Event::Exhausted,
            State::Complete => {
                self.position.resume();
                self.state = if self.position.depth() == 0 { State::Exhausted } else { State::Running };
                if self.state == State::Exhausted {
                    return Event::Exhausted;
                }
            }
            State::Running => {}
        }
        let granted = *fuel;
        let mut backtracks = 0;
        let mut deepest = 0;
        let event = loop {
            if *fuel == 0 {
                break Event::OutOfFuel;
            }
            if let Some(vertex) = self.position.next() {
                *fuel -= 1;
                match self.position.enter(vertex) {
                    Ok(Entered::Moved) => deepest = deepest.max(self.position.depth()),
                    Ok(Entered::Complete) => {
                        deepest = deepest.max(self.position.depth());
                        self.state = State::Complete;
                        break Event::Complete;
                    }
                    Err(prune) => {
                        self.stats.prunes.note(prune);
                        backtracks += 1;
                    }
                }
            } else {
                backtracks += 1;
                if !self.position.leave() {
                    self.state = State::Exhausted;
                    break Event::Exhausted;
                }
            }
        };
        self.stats.nodes += granted - *fuel;
        self.stats.backtracks += backtracks;
        self.stats.greatest_depth = self.stats.greatest_depth.max(deepest as u64);
        event
    }

    /// Cuts the search into the branches from its head, in order. Two moves at least must be left.
    pub(super) fn split(mut self, stats: &mut Stats) -> Vec<Walk<P>> {
        let mut parts = Vec::new();
        while self.state == State::Running {
            let Some(vertex) = self.position.next() else { break };
            stats.nodes += 1;
            let mut part = Walk::new(self.position.clone());
            match part.position.enter(vertex) {
                Ok(Entered::Moved) => {
                    part.position.seal();
                    part.state = State::Running;
                    parts.push(part);
                }
                Ok(Entered::Complete) => debug_assert!(false, "the last move of a tour is no branch"),
                Err(prune) => {
                    stats.prunes.note(prune);
                    stats.backtracks += 1;
                }
            }
        }
        parts
    }
}
