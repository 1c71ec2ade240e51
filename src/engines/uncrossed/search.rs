//! [`Uncrossed`]: the longest path that does not cross itself.

use super::climb::Climb;
use super::loose::{Loose, take};
use super::plan::{Plan, Word};
use super::strict::{Sketch, Strict};
use super::table::Table;
use crate::board::Board;
use crate::board::moves::Wrap;
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress, Task};

/// Nodes of the climb before the sweeps begin.
const FIRST: u64 = 20_000;

/// On boards of fewer squares the sweeps have twice as many as the climb: there it is soon at its end.
const SMALL: usize = 50;

/// It has as many nodes as the sweeps until it has found nothing longer for this many.
const PATIENCE: u64 = 1 << 25;

/// Sets of moves across the middle are kept if they allow for this many moves less than the best of them.
const LESS: u32 = 3;

/// What is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// The squares in order; of a circuit the first is not repeated. At least one square of a path.
    pub squares: Vec<u32>,
    /// No path has more moves.
    pub upper_bound: u32,
    /// Why it was not settled whether this is the longest.
    pub stopped: Option<Limit>,
    /// States that were followed.
    pub nodes: u64,
    /// Bytes that the states took at most.
    pub memory: u64,
}

impl Longest {
    /// Moves of a path or circuit over such squares.
    #[must_use]
    pub fn moves(squares: &[u32], closed: bool) -> u32 {
        let count = squares.len() as u32;
        if closed { count } else { count.saturating_sub(1) }
    }
}

/// A search for a longest path that does not cross itself.
#[derive(Debug)]
pub struct Uncrossed(Search);

/// By the size of the sets of moves across the line.
#[derive(Debug)]
enum Search {
    Narrow(Run<u64>),
    Wide(Run<u128>),
}

impl Uncrossed {
    /// A search that has not begun. Refuses joined edges, on which lines are not defined, and boards that are too large.
    pub fn new(board: &Board, closed: bool) -> Result<Uncrossed, Misuse> {
        let misuse = Misuse::Uncrossed;
        if board.wrap() != Wrap::None {
            return Err(misuse(format!(
                "uncrossed paths need a board without joined edges, not the {}",
                board.describe()
            )));
        }
        if board.len() > usize::from(u16::MAX) {
            let board = board.describe();
            return Err(misuse(format!(
                "the {board} is too large for a search for uncrossed paths: at most 65,535 squares"
            )));
        }
        let Some(plan) = Plan::new(board, closed) else {
            let board = board.describe();
            return Err(misuse(format!("the {board} is too wide for a search for uncrossed paths with this leaper")));
        };
        let is_narrow = plan.width <= u64::SLOTS;
        Ok(Uncrossed(if is_narrow { Search::Narrow(Run::new(plan)) } else { Search::Wide(Run::new(plan)) }))
    }

    /// The best so far, where it is not gone on with.
    #[must_use]
    pub fn stop(&self, limit: Limit) -> Longest {
        match &self.0 {
            Search::Narrow(run) => run.answer(Some(limit)),
            Search::Wide(run) => run.answer(Some(limit)),
        }
    }
}

impl Task for Uncrossed {
    type Answer = Longest;

    /// Goes on to the answer.
    fn advance(&mut self, budget: &Budget) -> Result<Longest, Halt> {
        match &mut self.0 {
            Search::Narrow(run) => Ok(run.advance(budget)?),
            Search::Wide(run) => Ok(run.advance(budget)?),
        }
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        match &self.0 {
            Search::Narrow(run) => run.progress(),
            Search::Wide(run) => run.progress(),
        }
    }

    fn squares(&self) -> usize {
        match &self.0 {
            Search::Narrow(run) => run.plan.squares.len(),
            Search::Wide(run) => run.plan.squares.len(),
        }
    }

    fn best(&mut self, limit: Limit) -> Option<Longest> {
        Some(self.stop(limit))
    }
}

#[derive(Debug)]
struct Run<K> {
    plan: Plan,
    climb: Climb,
    /// The limit that ended the sweeps, after which the climb goes on alone.
    refused: Option<Limit>,
    stage: Stage<K>,
    /// The layers of the loose sweep forwards and backwards, by cut, as far as they are kept: that before each row, and
    /// those at the middle.
    layers: [Vec<Option<Table<K>>>; 2],
    /// Bytes of those.
    kept: u64,
    /// Sets across the middle, as the sweep backwards has them: the most moves behind, and in all.
    middle: Vec<(K, u16, u32)>,
    /// The most moves that any of them allows for, and how many less those have at most that are kept.
    reach: u32,
    less: u32,
    /// No path has more moves.
    upper_bound: u32,
    best: u32,
    moves: Vec<u32>,
    nodes: u64,
    memory: u64,
    /// Squares that sweeps have gone over.
    swept: u64,
}

/// What is being done.
#[derive(Debug)]
enum Stage<K> {
    /// From an end to the middle.
    Half(Loose<K>),
    /// Both halves are put together; this many parts of the table are done.
    Join(usize),
    /// From the middle back, for a path of `upper_bound` moves: the layers so far, from the middle.
    Back(Loose<K>, Vec<Table<K>>),
    /// Such a path is looked for.
    Exact(Strict, Vec<Table<K>>),
    Done,
}

/// A layer of the loose sweep, which may be that of the board turned.
struct View<'a, K> {
    table: &'a Table<K>,
    turn: Vec<[K; 2]>,
}

impl<K: Word> View<'_, K> {
    /// The most moves that lead to these moves with at most this many ends.
    fn most(&self, set: K, ends: u32) -> Option<u16> {
        most(self.table, turned(set, &self.turn), ends)
    }
}

fn most<K: Word>(table: &Table<K>, set: K, ends: u32) -> Option<u16> {
    (0..=ends).filter_map(|ends| table.get(set.with_ends(ends))).max()
}

/// The same on the board turned: where each bit goes.
fn turned<K: Word>(set: K, turn: &[[K; 2]]) -> K {
    if turn.is_empty() {
        return set;
    }
    let nothing = K::from_wide(0);
    let bits = turn.iter().filter(|[from, _]| set & *from != nothing);
    bits.fold(nothing, |set, &[_, to]| set | to).with_ends(set.ends())
}

impl<K: Word> Run<K> {
    fn new(plan: Plan) -> Run<K> {
        let cuts = plan.squares.len() + 1;
        let upper_bound = plan.most();
        Run {
            climb: Climb::new(&plan),
            refused: None,
            stage: Stage::Half(Loose::new(&plan, 0)),
            plan,
            layers: [(); 2].map(|()| std::iter::repeat_with(|| None).take(cuts).collect()),
            kept: 0,
            middle: Vec::new(),
            reach: 0,
            less: LESS,
            upper_bound,
            best: 0,
            moves: Vec::new(),
            nodes: 0,
            memory: 0,
            swept: 0,
        }
    }

    fn advance(&mut self, budget: &Budget) -> Result<Longest, Pause> {
        loop {
            if matches!(self.stage, Stage::Done) || self.best >= self.upper_bound {
                self.upper_bound = self.best;
                return Ok(self.answer(None));
            }
            let outcome = match self.climb(budget) {
                Ok(()) if self.best >= self.upper_bound => continue,
                Ok(()) if self.refused.is_some() => return Ok(self.answer(self.refused)),
                Ok(()) => self.go_on(budget),
                refused => refused,
            };
            match outcome {
                Ok(()) => {}
                Err(Pause::Slice) => return Err(Pause::Slice),
                Err(Pause::Limit(Limit::Memory)) => self.refused = Some(Limit::Memory),
                Err(Pause::Limit(limit)) => {
                    return Ok(self.answer(self.refused.filter(|_| limit != Limit::Cancelled).or(Some(limit))));
                }
            }
        }
    }

    /// The share of the climb, in nodes: as much as the sweeps have, and all that is left once they were refused.
    fn climb(&mut self, budget: &Budget) -> Result<(), Pause> {
        let share = if self.refused.is_some() {
            u64::MAX
        } else {
            FIRST.max(self.nodes >> u32::from(self.plan.squares.len() < SMALL))
        };
        let share = share.min(self.climb.nodes() - self.climb.idle() + PATIENCE);
        let outcome = self.climb.advance(&self.plan, budget, share, self.upper_bound);
        if outcome == Err(Pause::Limit(Limit::Time)) && self.climb.best().is_empty() {
            // So little time that there is none: a path is better than a square.
            self.climb.hurry(&self.plan);
        }
        if self.climb.best().len() as u32 > self.best {
            self.moves = self.climb.best().to_vec();
            self.best = self.moves.len() as u32;
        }
        outcome
    }

    fn answer(&self, stopped: Option<Limit>) -> Longest {
        let Run { upper_bound, memory, .. } = *self;
        let nodes = self.nodes + self.climb.nodes();
        Longest { squares: self.plan.in_order(&self.moves), upper_bound, stopped, nodes, memory }
    }

    fn progress(&self) -> Progress {
        let (best, most) = (self.best, self.upper_bound);
        let message = format!("searching: squares done, best so far {best} moves, at most {most}");
        Progress { done: self.swept, total: None, message }
    }

    /// One step of what is being done. Where the budget refuses, the next call goes on with the same.
    fn go_on(&mut self, budget: &Budget) -> Result<(), Pause> {
        let mut stage = std::mem::replace(&mut self.stage, Stage::Done);
        let outcome = match &mut stage {
            Stage::Half(sweep) => self.half(sweep, budget),
            Stage::Join(shard) => self.join(shard, budget),
            Stage::Back(sweep, above) => self.back(sweep, above, budget),
            Stage::Exact(sweep, above) => self.exact(sweep, above, budget),
            Stage::Done => Ok(None),
        };
        match outcome {
            Ok(Some(next)) => self.stage = next,
            Ok(None) => self.stage = stage,
            Err(pause) => {
                self.stage = stage;
                return Err(pause);
            }
        }
        Ok(())
    }

    fn half(&mut self, sweep: &mut Loose<K>, budget: &Budget) -> Result<Option<Stage<K>>, Pause> {
        let (squares, middle) = (self.plan.squares.len(), self.plan.squares.len() / 2);
        // What the sweep backwards finds is what the sweep forwards finds on the board turned.
        let goal = if sweep.way == 0 && self.plan.turns() { squares - middle } else { middle };
        if sweep.cut == goal {
            let layer = std::mem::replace(&mut sweep.layer, Table::new(0));
            self.keep(sweep.way, goal, layer);
            let other = (sweep.way == 0 && !self.plan.turns()).then(|| Loose::new(&self.plan, 1));
            return Ok(Some(other.map_or(Stage::Join(0), Stage::Half)));
        }
        let cut = sweep.cut;
        let layer = sweep.advance(&self.plan, budget, self.kept, &mut self.nodes, &mut self.memory)?;
        self.swept += 1;
        // Beyond the line no path has more moves than squares.
        let beyond = if sweep.way == 0 { squares - sweep.cut } else { sweep.cut };
        self.upper_bound = self.upper_bound.min(u32::from(sweep.layer.most) + beyond as u32);
        let along = |at: usize| self.plan.points.get(at).map(|point| point.0);
        if cut == 0 || cut == middle || along(cut) != along(cut - 1) {
            self.keep(sweep.way, cut, layer);
        }
        Ok(None)
    }

    fn keep(&mut self, way: usize, cut: usize, layer: Table<K>) {
        self.kept += layer.bytes();
        self.layers[way][cut] = Some(layer);
    }

    /// A layer of the loose sweep backwards, if it is kept.
    fn behind(&self, cut: usize) -> Option<View<'_, K>> {
        if let Some(table) = &self.layers[1][cut] {
            return Some(View { table, turn: Vec::new() });
        }
        let table = self.layers[0][self.plan.squares.len() - cut].as_ref().filter(|_| self.plan.turns())?;
        Some(View { table, turn: self.half_turn(cut) })
    }

    /// Where a half turn takes the bits of the moves across a cut.
    fn half_turn(&self, cut: usize) -> Vec<[K; 2]> {
        self.plan.half_turn(cut).into_iter().map(|pair| pair.map(K::from_wide)).collect()
    }

    /// How many ends a path may have ahead if it has had this many.
    fn ends_left(&self, ends: u32) -> u32 {
        if self.plan.closed { 0 } else { 2 - ends }
    }

    fn join(&mut self, shard: &mut usize, budget: &Budget) -> Result<Option<Stage<K>>, Pause> {
        let middle = self.plan.squares.len() / 2;
        let turned_middle = self.plan.squares.len() - middle;
        let (Some(front), Some(View { table: back, turn })) = (&self.layers[0][middle], self.behind(middle)) else {
            return Ok(Some(Stage::Done));
        };
        // From the bits of the board turned to those of the board.
        let turn = if turn.is_empty() { turn } else { self.half_turn(turned_middle) };
        if *shard == back.shards.len() {
            self.middle.retain(|&(_, _, total)| total + self.less >= self.reach);
            self.upper_bound = self.upper_bound.min(self.reach.max(self.best));
            return Ok(Some(self.aim()));
        }
        let sets = back.shards[*shard].len() as u64;
        take(budget, sets)?;
        let mut reached = self.reach;
        let mut kept = Vec::new();
        for (key, moves) in back.shards[*shard].iter() {
            let set = turned(key, &turn);
            let Some(before) = most(front, set, self.ends_left(set.ends())) else { continue };
            let total = reach(before, moves, set);
            reached = reached.max(total);
            if total > self.best && total + self.less >= reached {
                kept.push((set, moves, total));
            }
        }
        self.reach = reached;
        self.middle.extend(kept);
        *shard += 1;
        self.nodes += sets;
        let bytes = self.kept + (self.middle.len() * size_of::<(K, u16, u32)>()) as u64;
        self.memory = self.memory.max(bytes);
        budget.check_memory(bytes)?;
        Ok(None)
    }

    /// What to do next for a path of `upper_bound` moves.
    fn aim(&mut self) -> Stage<K> {
        // Leapers change colours, or do so on a coarser board: circuits are even.
        self.upper_bound -= self.upper_bound % if self.plan.closed { 2 } else { 1 };
        if self.upper_bound <= self.best {
            return Stage::Done;
        }
        if self.upper_bound + self.less < self.reach {
            self.less *= 2;
            self.middle.clear();
            return Stage::Join(0);
        }
        let mut layer = Table::new(self.middle.len());
        for &(set, moves, _) in self.middle.iter().filter(|&&(_, _, total)| total >= self.upper_bound) {
            layer.raise(set, moves);
        }
        Stage::Back(Loose::of(1, self.plan.squares.len() / 2, layer), Vec::new())
    }

    /// There is no path of `upper_bound` moves.
    fn lower(&mut self) -> Stage<K> {
        self.upper_bound -= 1;
        self.aim()
    }

    fn back(
        &mut self,
        sweep: &mut Loose<K>,
        above: &mut Vec<Table<K>>,
        budget: &Budget,
    ) -> Result<Option<Stage<K>>, Pause> {
        if sweep.layer.len() == 0 {
            return Ok(Some(self.lower()));
        }
        if sweep.cut == 0 {
            above.push(std::mem::replace(&mut sweep.layer, Table::new(0)));
            above.reverse();
            return Ok(Some(Stage::Exact(Strict::new(), std::mem::take(above))));
        }
        let more = self.kept + above.iter().map(Table::bytes).sum::<u64>();
        above.push(sweep.advance(&self.plan, budget, more, &mut self.nodes, &mut self.memory)?);
        self.swept += 1;
        if let Some(before) = &self.layers[0][sweep.cut] {
            let mut layer = Table::new(sweep.layer.len());
            for (set, moves) in sweep.layer.iter() {
                let before = most(before, set, self.ends_left(set.ends()));
                if before.is_some_and(|before| reach(before, moves, set) >= self.upper_bound) {
                    layer.raise(set, moves);
                }
            }
            *sweep = Loose::of(1, sweep.cut, layer);
        }
        Ok(None)
    }

    fn exact(&mut self, sweep: &mut Strict, above: &[Table<K>], budget: &Budget) -> Result<Option<Stage<K>>, Pause> {
        if sweep.cut == self.plan.squares.len() || sweep.is_empty() {
            return Ok(Some(self.lower()));
        }
        let cut = sweep.cut;
        let rest = match above.get(cut + 1) {
            Some(table) => Some(View { table, turn: Vec::new() }),
            None => self.behind(cut + 1),
        };
        let may_stay = |sketch: Sketch| {
            let Some(rest) = &rest else { return true };
            let set = K::from_wide(sketch.set);
            let rest = rest.most(set, self.ends_left(sketch.ends));
            rest.is_some_and(|rest| reach(sketch.moves, rest, set) >= self.upper_bound)
        };
        let (mut best, mut nodes) = (self.upper_bound - 1, 0);
        let found = sweep.advance(&self.plan, budget, usize::MAX, &mut best, &mut nodes, may_stay);
        self.nodes += nodes;
        self.swept += (sweep.cut - cut) as u64;
        let bytes = self.kept + above.iter().map(Table::bytes).sum::<u64>() + sweep.bytes();
        self.memory = self.memory.max(bytes);
        budget.check_memory(bytes)?;
        if let Some(moves) = found? {
            (self.moves, self.best) = (moves, best);
        }
        Ok(None)
    }
}

/// Moves in all, from those on either side and those across.
fn reach<K: Word>(before: u16, after: u16, set: K) -> u32 {
    u32::from(before) + u32::from(after) - set.moves().count()
}
