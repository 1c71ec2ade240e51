//! Which engine answers which request, and in which order they get their turn.
//!
//! Theorems come first, then the search; every tour passes the checker before it leaves. The answer
//! is one of three ([`Outcome`]): a tour, a proof that there is none, or that a limit was reached.

mod choices;
mod classes;
mod count;
mod distinct;
mod ends;
mod find;
mod growth;
mod list;
mod listing_workers;
mod longest;
pub mod number;
mod paths;
mod portfolio;
pub mod puzzle;
mod residues;
mod restricted;
mod symmetric;
mod unique;
mod unrestricted;
mod unrestricted_count;

use std::sync::Arc;
use std::time::Duration;

use crate::board::tour::Tour;
use crate::engines::backtracking::Stats;
use crate::engines::frontier::SweepStats;
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Named, Pause};
use crate::theorems::{Examination, Reason};
pub use classes::{Classes, FindClasses, KeptTours, Pick};
pub use count::Count;
pub use ends::EndSquares;
pub use find::Find;
pub use list::{Filled, List, Listed, PositionError};
pub use longest::{Longest, LongestPath};
pub use paths::{CountPaths, FindPath, PathOutcome};
pub(crate) use symmetric::FixedTours;
pub use unique::Unique;
pub use unrestricted::{ATTEMPTS, FindOptions, Outcome};
pub use unrestricted_count::{CountOptions, Counted};

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whatever is best.
    #[default]
    Auto,
    /// Backtracking along the path.
    Backtracking,
    /// Tours of plain rectangles put together from blocks, in linear time.
    Construction,
    /// The sweep over the frontier, which counts without listing.
    Frontier,
    /// Closed tours of plain rectangles with few turns and crossings, in linear time.
    Tidy,
    /// Warnsdorff's rule, begun anew until it succeeds; for open tours without a given end.
    Warnsdorff,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 6] =
        [Method::Auto, Method::Backtracking, Method::Construction, Method::Frontier, Method::Tidy, Method::Warnsdorff];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Backtracking => "backtracking",
            Method::Construction => "construction",
            Method::Frontier => "frontier",
            Method::Tidy => "tidy",
            Method::Warnsdorff => "warnsdorff",
        }
    }

    /// The engine as a sentence names it.
    const fn named(self) -> Named {
        Named::With("method", self.name())
    }
}

/// What was done for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The engine that gave the answer.
    pub method: &'static str,
    /// What the search did.
    pub search: Stats,
    /// States of the largest layer of a sweep.
    pub peak_states: u64,
    /// Ways from a state to the next that a sweep followed.
    pub transitions: u64,
    /// Bytes that the engine set aside.
    pub memory: u64,
}

impl Report {
    /// That of a sweep.
    pub(crate) fn of_sweep(stats: SweepStats, bytes_needed: u64) -> Report {
        Report {
            method: "frontier",
            peak_states: stats.peak_states,
            transitions: stats.transitions,
            memory: stats.peak_bytes.max(bytes_needed),
            ..Report::default()
        }
    }

    /// Adds what another part of the work did: sums, and of peaks the higher. The method of the first part that is no
    /// theorem stays.
    fn add(&mut self, other: &Report) {
        if self.method.is_empty() || self.method == "theorem" {
            self.method = other.method;
        }
        self.search.add(&other.search);
        self.peak_states = self.peak_states.max(other.peak_states);
        self.transitions += other.transitions;
        self.memory = self.memory.max(other.memory);
    }
}

/// A graph that the theorems look at before an engine sees it.
#[derive(Debug)]
struct Presolve {
    graph: Arc<Graph>,
    examination: Examination,
}

impl Presolve {
    fn new(request: &Request, graph: Arc<Graph>) -> Presolve {
        Presolve { examination: Examination::new(request, &graph), graph }
    }

    /// Goes on looking; a reason why there is no tour, if one is found.
    fn run(&mut self, request: &Request, budget: &Budget) -> Result<Option<Reason>, Pause> {
        Ok(self.examination.run(request, &self.graph, budget)?.err())
    }
}

/// Bytes a square that the edge-forcing search takes, from above: squares have at most eight moves.
const FRAGMENT_BYTES: u64 = 600;

/// The last word on every tour that leaves: a wrong one would be a fault of the engine, and must not
/// be taken for an answer.
fn checked(request: &Request, mut squares: Vec<u32>) -> Tour {
    relist(request, &mut squares);
    let tour = Tour::new(request.board().clone(), squares, Some(request.is_closed()));
    let tour = tour.unwrap_or_else(|fault| panic!("an engine returned what is no tour: {fault}"));
    assert!(request.admits_squares(tour.squares()), "an engine returned a tour that was not asked for");
    tour
}

/// Engines list closed tours from the start of the [`crate::request::Terms`]; here they get the numbers asked for.
fn relist(request: &Request, squares: &mut [u32]) {
    if !request.steps().is_empty() {
        request.list(squares);
    }
}

/// How long a slice is: short enough that Ctrl-C and progress feel immediate.
pub const SLICE: Duration = Duration::from_millis(30);
