//! [`Starts`]: the number of open tours from each square.

use std::path::PathBuf;

use super::{CheckpointedSweep, Files, Natural, Sweep, SweepOptions, SweepStats};
use crate::request::Request;
use crate::request::classes::stabiliser;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Progress, Unsuited};
use crate::store::{self, Kind, Reader, Seal, StoreError, Writer};

/// The version of what a table of starts holds: of the squares that stand for a class, and of the bytes.
const TABLE: u32 = 3;

/// For each open square the number of open tours of a request that start on it: one sweep for each class of squares
/// under the symmetries that leave the request as it is.
///
/// A resumable computation, as [`CheckpointedSweep`] is. The checkpoint holds the counts that are known; the state of the sweep at
/// work is in a second file beside it, whose name ends in `.sweep`.
#[derive(Debug)]
pub struct Starts {
    request: Request,
    threads: usize,
    /// The open squares, and for each the class it belongs to.
    squares: Vec<u32>,
    class: Vec<usize>,
    /// The first square of each class.
    first: Vec<u32>,
    counts: Vec<Natural>,
    sweep: Option<Box<CheckpointedSweep>>,
    files: Files,
    stats: SweepStats,
}

impl Starts {
    /// The table of a request for open tours. A request that has a start already has one only there.
    ///
    /// Cost: a pass over the board for each of its symmetries. Given up where a limit of the budget is reached.
    pub fn new(request: &Request, threads: usize, budget: &Budget) -> Result<Starts, Halt> {
        if request.is_closed() {
            return Err(Unsuited::Closed.into());
        }
        let board = request.board();
        let squares: Vec<u32> = board.open_squares().collect();
        // What is unsuited is so from every square.
        let is_start = |&&square: &&u32| request.start().is_none_or(|start| start == square);
        let from = squares.iter().filter(is_start).find_map(|&square| request.clone().with_start(square).ok());
        if let Some(request) = from {
            Sweep::begin(&request, &Graph::new(&request), SweepOptions::on(threads), budget)?;
        }
        let symmetries = stabiliser(request, budget)?;
        let mut class = vec![usize::MAX; squares.len()];
        let mut first = Vec::new();
        for i in 0..squares.len() {
            if class[i] != usize::MAX {
                continue;
            }
            for (at, symmetry) in symmetries.iter().enumerate() {
                budget.go_on_at(at)?;
                let image = symmetry.map(squares[i], board.rows(), board.cols());
                if let Ok(at) = squares.binary_search(&image) {
                    class[at] = first.len();
                }
            }
            first.push(squares[i]);
        }
        Ok(Starts {
            request: request.clone(),
            threads,
            squares,
            class,
            first,
            counts: Vec::new(),
            sweep: None,
            files: Files::default(),
            stats: SweepStats::default(),
        })
    }

    /// The same with files. Reads and checks the checkpoint, if there is one.
    pub fn with_files(mut self, files: Files) -> Result<Starts, StoreError> {
        if let Some(path) = &files.checkpoint {
            if let Some(mut reader) = Reader::open(path, self.seal())? {
                let count = reader.count(8)?;
                if count > self.first.len() {
                    return Err(reader.damaged());
                }
                for _ in 0..count {
                    let limbs = reader.count(8)?;
                    let limbs = (0..limbs).map(|_| reader.number()).collect::<Result<_, _>>()?;
                    self.counts.push(Natural::from_limbs(limbs));
                }
                if reader.left() > 0 {
                    return Err(reader.damaged());
                }
            }
            // Not after minutes only.
            drop(Writer::create(path, self.seal(), &files.unfinished)?);
        }
        self.files = files;
        Ok(self)
    }

    fn seal(&self) -> Seal {
        Seal::new(Kind::Starts, TABLE, &self.request.encode())
    }

    /// Saves the counts that are known.
    fn save(&self) -> Result<(), StoreError> {
        let Some(path) = &self.files.checkpoint else { return Ok(()) };
        let mut writer = Writer::create(path, self.seal(), &self.files.unfinished)?;
        writer.number(self.counts.len() as u64)?;
        for count in &self.counts {
            writer.number(count.limbs().len() as u64)?;
            count.limbs().iter().try_for_each(|&limb| writer.number(limb))?;
        }
        writer.finish()
    }

    /// The file of the sweep at work.
    fn sweep_file(&self) -> Option<PathBuf> {
        let path = self.files.checkpoint.as_ref()?;
        let mut name = path.file_name()?.to_owned();
        name.push(".sweep");
        Some(path.with_file_name(name))
    }

    /// The sweep of the next class, or its count where none is needed.
    fn begin(&mut self, square: u32, budget: &Budget) -> Result<(), Halt> {
        let is_start = self.request.start().is_none_or(|start| start == square);
        // Refused: the square is the given end.
        match self.request.clone().with_start(square) {
            Ok(request) if is_start => {
                let sweep = Sweep::begin(&request, &Graph::new(&request), SweepOptions::on(self.threads), budget)?;
                let files = Files { checkpoint: self.sweep_file(), ..self.files.clone() };
                self.sweep = Some(Box::new(CheckpointedSweep::new(sweep, files)?));
            }
            _ => self.counts.push(Natural::default()),
        }
        Ok(())
    }

    /// Goes on until the table is known or the budget refuses. The pairs of open square and count, by square.
    pub fn advance(&mut self, budget: &Budget) -> Result<Vec<(u32, Natural)>, Halt> {
        while let Some(&square) = self.first.get(self.counts.len()) {
            let Some(sweep) = &mut self.sweep else {
                budget.take(0)?;
                self.begin(square, budget)?;
                continue;
            };
            let count = sweep.advance(budget)?;
            let done = sweep.sweep().stats();
            self.stats.steps += done.steps;
            self.stats.groups += done.groups;
            self.stats.states += done.states;
            self.stats.transitions += done.transitions;
            self.stats.peak_states = self.stats.peak_states.max(done.peak_states);
            self.stats.peak_bytes = self.stats.peak_bytes.max(done.peak_bytes);
            self.counts.push(count);
            self.sweep = None;
            self.save()?;
        }
        if let Some(path) = &self.files.checkpoint {
            store::remove(path);
        }
        let table = self.squares.iter().zip(&self.class).map(|(&square, &class)| (square, self.counts[class].clone()));
        Ok(table.collect())
    }

    /// How far it is: which of the classes of squares is at work, and how far that is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let (done, all) = (self.counts.len(), self.first.len());
        match &self.sweep {
            Some(sweep) => {
                let progress = sweep.sweep().progress();
                let message = format!("start {} of {all}: {}", done + 1, progress.message);
                Progress { message, ..progress }
            }
            None => Progress { done: done as u64, total: Some(all as u64), message: "start squares".into() },
        }
    }

    /// What all sweeps have done together; the peaks are those of the largest.
    #[must_use]
    pub fn stats(&self) -> SweepStats {
        self.stats
    }

    /// After a pause for memory: bytes that would be needed.
    #[must_use]
    pub fn bytes_needed(&self) -> u64 {
        self.sweep.as_ref().map_or(0, |kept| kept.sweep().bytes_needed())
    }
}
