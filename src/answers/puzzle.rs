//! [`MakePuzzle`]: some numbers of a tour that can be completed in one way only; leaving out any of them allows a second.
//!
//! As in Hidato and Rosetta Code's "holy knight's tour": the solver gets a board with a few of the numbers, and writes
//! down the others. A puzzle is made from its solution. As long as the same numbers can be completed otherwise, one more is
//! given away on which the two differ; then each number is taken out again if one solution is left without it. A number
//! that could not be taken out then cannot be taken out later, with fewer numbers left, so that what remains is minimal.

use crate::answers::{Find, FindOptions, Outcome, Report, Unique};
use crate::board::tour::Tour;
use crate::request::Request;
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Misuse, Progress, Task};
use crate::theorems::Reason;

/// A puzzle: the solution, and what is given of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The only tour with the given numbers, as it is numbered.
    pub solution: Tour,
    /// The given squares with their steps, counted from 0, by step.
    pub clues: Vec<(u32, u32)>,
}

/// What making a puzzle came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A puzzle.
    Puzzle(Puzzle),
    /// The board has no tour.
    Impossible(Reason),
    /// No tour is the only one with a single number, so that no puzzle has so few.
    NeedsMore,
    /// None of [`MakePuzzle::ATTEMPTS`] puzzles had so few clues; the fewest were these.
    Fewest(usize),
}

/// A puzzle being made. Resumable, and the same for the same seed.
///
/// **Cost.** Each clue of the solution is tried once, by a search for a second tour: some seconds for 8x8, where about 15
/// clues remain; beyond 10x10 a search may take long to say that there is none.
#[derive(Debug)]
pub struct MakePuzzle {
    request: Request,
    most: usize,
    seed: u64,
    attempt: u64,
    /// The fewest clues of a puzzle so far.
    fewest: usize,
    rng: Rng,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Where one clue is all that may be given: whether one can be enough, at this pair of square and step or a later one.
    Single(u64, Box<Unique>),
    Solve(Box<Find>),
    /// Clues are added until no other tour has them.
    Grow(Tour, Vec<u32>, Box<Unique>),
    /// Clues are taken out: those that stay, and those still to be tried; the last of these is left out at the moment.
    Reduce(Tour, Vec<u32>, Vec<u32>, Box<Unique>),
}

impl MakePuzzle {
    /// Solutions that are tried for a puzzle with few clues.
    pub const ATTEMPTS: u64 = 50;

    /// One clue in this many squares to begin with.
    const SPARSE: usize = 6;

    /// Squares of a board, at most, on which it is tried whether a single clue can be enough.
    const SINGLES: usize = 64;

    /// A puzzle whose solution is one of the tours of a request, with at most this many clues. Refuses requests with steps.
    pub fn new(request: Request, most: Option<usize>, seed: u64) -> Result<MakePuzzle, Misuse> {
        if !request.is_plain() || !request.is_unconstrained() {
            return Err(Misuse::TooMuchGiven { what: "a puzzle" });
        }
        if request.is_closed() && request.start().is_some() {
            return Err(Misuse::PuzzleStart);
        }
        let find = Find::new(request.clone(), FindOptions { seed: Some(seed), ..FindOptions::default() })?;
        Ok(MakePuzzle {
            request,
            most: most.unwrap_or(usize::MAX),
            seed,
            attempt: 0,
            fewest: usize::MAX,
            rng: Rng::stream(seed, 2),
            stage: Stage::Solve(Box::new(find)),
        })
    }

    /// A search for the solution of this attempt.
    fn solve(&self) -> Result<Stage, Misuse> {
        let seed = self.seed.wrapping_add(self.attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let options = FindOptions { seed: Some(seed), ..FindOptions::default() };
        Ok(Stage::Solve(Box::new(Find::new(self.request.clone(), options)?)))
    }

    /// Whether a clue at the pair of square and step with this number is enough; `None` beyond the last.
    fn single(&self, at: u64) -> Option<Stage> {
        let board = self.request.board();
        let steps = board.len() as u64;
        let square = board.open_squares().nth((at / steps) as usize)?;
        let clue = self.all().with_step(square, at % steps).ok()?;
        Some(Stage::Single(at, Box::new(Unique::new(clue))))
    }

    fn without_the_last(&self, tour: Tour, needed: Vec<u32>, to_try: Vec<u32>) -> Stage {
        let rest: Vec<u32> = needed.iter().chain(&to_try[..to_try.len() - 1]).copied().collect();
        let others = self.others(&tour, &rest);
        Stage::Reduce(tour, needed, to_try, others)
    }

    /// The tours that have the numbers of this one at these steps. Whoever solves the puzzle knows no more: not where
    /// the solution was asked to start and end.
    fn others(&self, tour: &Tour, steps: &[u32]) -> Box<Unique> {
        let clues = steps.iter().map(|&step| (tour.squares()[step as usize], u64::from(step)));
        // They are steps of a tour of the request, each once.
        Box::new(Unique::new(self.all().with_all_steps(clues).unwrap_or_else(|_| self.all())))
    }

    /// All tours of the board and kind.
    fn all(&self) -> Request {
        let board = self.request.board().clone();
        if self.request.is_closed() { Request::closed(board) } else { Request::open(board) }
    }

    /// What the search at work has done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.stage {
            Stage::Solve(find) => find.report(),
            Stage::Single(_, others) | Stage::Grow(_, _, others) | Stage::Reduce(_, _, _, others) => others.report(),
        }
    }
}

impl Task for MakePuzzle {
    type Answer = Made;

    fn advance(&mut self, budget: &Budget) -> Result<Made, Halt> {
        loop {
            self.stage = match &mut self.stage {
                Stage::Single(at, unique) => {
                    let (next, is_enough) = (*at + 1, unique.advance(budget)?);
                    match if is_enough { Some(self.solve()?) } else { self.single(next) } {
                        Some(stage) => stage,
                        None => return Ok(Made::NeedsMore),
                    }
                }
                Stage::Solve(find) => match find.advance(budget)? {
                    Outcome::Impossible(reason) => return Ok(Made::Impossible(reason)),
                    Outcome::Found(tour) => {
                        let last = tour.squares().len() as u32 - 1;
                        let mut clues = vec![0, last];
                        for _ in 0..tour.squares().len() / MakePuzzle::SPARSE {
                            clues.push(self.rng.below(u64::from(last) + 1) as u32);
                        }
                        clues.sort_unstable();
                        clues.dedup();
                        let others = self.others(&tour, &clues);
                        Stage::Grow(tour, clues, others)
                    }
                },
                Stage::Grow(tour, clues, others) => match others.other(tour, budget)? {
                    Some(other) => {
                        let differs = |&step: &u32| tour.squares()[step as usize] != other[step as usize];
                        let steps: Vec<u32> = (0..tour.squares().len() as u32).filter(differs).collect();
                        let mut clues = std::mem::take(clues);
                        clues.push(steps[self.rng.below(steps.len() as u64) as usize]);
                        let tour = tour.clone();
                        let others = self.others(&tour, &clues);
                        Stage::Grow(tour, clues, others)
                    }
                    None => {
                        let (tour, mut clues) = (tour.clone(), std::mem::take(clues));
                        for i in (1..clues.len()).rev() {
                            clues.swap(i, self.rng.below(i as u64 + 1) as usize);
                        }
                        // The ends help most: they are tried last.
                        let last = tour.squares().len() as u32 - 1;
                        clues.sort_by_key(|&step| step != 0 && step != last);
                        self.without_the_last(tour, Vec::new(), clues)
                    }
                },
                Stage::Reduce(tour, needed, to_try, others) => {
                    let is_needed = others.other(tour, budget)?.is_some();
                    let (tour, mut needed, mut to_try) = (tour.clone(), std::mem::take(needed), std::mem::take(to_try));
                    if let Some(step) = to_try.pop()
                        && is_needed
                    {
                        needed.push(step);
                    }
                    if !to_try.is_empty() {
                        self.without_the_last(tour, needed, to_try)
                    } else if needed.len() <= self.most {
                        needed.sort_unstable();
                        let clues = needed.iter().map(|&step| (tour.squares()[step as usize], step)).collect();
                        self.stage = Stage::Reduce(tour.clone(), Vec::new(), Vec::new(), self.others(&tour, &needed));
                        return Ok(Made::Puzzle(Puzzle { solution: tour, clues }));
                    } else {
                        self.attempt += 1;
                        self.fewest = self.fewest.min(needed.len());
                        if self.attempt == MakePuzzle::ATTEMPTS {
                            return Ok(Made::Fewest(self.fewest));
                        }
                        let is_single = self.most == 1 && self.attempt == 1 && self.squares() <= MakePuzzle::SINGLES;
                        self.single(0).filter(|_| is_single).map_or_else(|| self.solve(), Ok)?
                    }
                }
            };
        }
    }

    /// How far it is: clues known to be needed, and all that there are.
    fn progress(&self) -> Progress {
        let (done, total) = match &self.stage {
            Stage::Single(..) | Stage::Solve(_) | Stage::Grow(..) => (0, None),
            Stage::Reduce(_, needed, to_try, _) => (needed.len() as u64, Some((needed.len() + to_try.len()) as u64)),
        };
        Progress { done, total, message: "puzzle: clues needed".to_owned() }
    }

    fn squares(&self) -> usize {
        self.request.board().len()
    }
}
