//! A few squares without which too many pieces are left.
//!
//! See an open tour as a cycle through the apex (`edge_forcing.rs`). A cycle falls into as many paths as squares are removed
//! from it, less one for each move between two of those; and each piece of the board that is left takes a path of its own
//! at least. So a closed tour allows no more pieces than squares removed, and an open one no more than one beyond that,
//! the apex being removed as well. If it is not, it connects all pieces in which an end can lie, and of the others
//! there are fewer than squares removed. (A graph in which no set of vertices leaves too many pieces is called *tough*: V.
//! Chvátal, "Tough graphs and Hamiltonian circuits", Discrete Mathematics 5, 1973.) Single squares are looked for by a
//! flow, however many are removed (`degree_flow.rs`), and pieces of any size that two squares connect to the rest by `separation_pairs.rs`.
//!
//! To decide whether there is such a set is as hard as to find a tour. But obstacles are small. Take a least set: each of
//! its squares touches two pieces besides the rest of the board, since it could stay otherwise. So where those are small, of
//! [`SQUARES`] squares at most, the set is the union of their borders, and of pieces one of which shares a square of its
//! border with one before. All connected sets of so few squares with so narrow a border are listed: few are, since both
//! together hold all neighbours of the first. Then borders are joined, as long as they have [`REMOVED`] squares at most, and
//! for each set the pieces that it leaves are counted, larger ones too. Both in time linear in the board: where that is not
//! enough, nothing is claimed.

use std::collections::HashSet;

use super::net::Net;
use super::{Code, Reason, named};
use crate::run::{Pause, Watch};

/// The most squares removed, and of a piece that sets are made from.
const REMOVED: usize = 6;
const SQUARES: usize = 8;

/// The most squares of a piece that is told apart from the rest of the board.
const LARGEST: usize = 300;

/// Steps of listing pieces, and of joining them, for each square, and on any board: half of them for whoever needs them
/// first, half in turn. Boards that need more are full of squares with two or three moves.
const LISTING: i64 = 200;
const JOINING: i64 = 400;
const SPARE: i64 = 20_000;

/// How many sets are remembered.
const SEEN: usize = 1 << 16;

/// The most pieces, for each square and on any board.
const PIECES: usize = 2;
const ON_ANY: usize = 4096;

const NONE: u32 = u32::MAX;

/// Up to this many vertices, rising, and [`NONE`] after them.
type Few<const N: usize> = [u32; N];
type Set = Few<REMOVED>;

/// A small connected set of vertices, and all other neighbours of its vertices.
#[derive(Clone, Copy, Debug)]
struct Pocket {
    squares: Few<SQUARES>,
    border: Set,
}

/// The look for a few squares that leave too many pieces. Resumable between two squares.
#[derive(Clone, Debug)]
pub(super) struct Pockets {
    /// The next vertex to list pieces from, and then the next piece to make sets from.
    at: usize,
    is_listed: bool,
    pockets: Vec<Pocket>,
    /// The pieces on whose border each vertex is: `incident[offsets[v] .. offsets[v + 1]]`.
    offsets: Vec<u32>,
    incident: Vec<u32>,
    seen: HashSet<Set>,
    /// A reason that needs moves that are forced, while one is looked for that does not.
    forced: Option<Reason>,
    /// While pieces are listed: the squares in it, those on its border, and those of which neither is decided.
    inside: Vec<u32>,
    border: Vec<u32>,
    open: Vec<u32>,
    /// Of each vertex when it was last come to.
    mark: Vec<u32>,
    clock: u32,
    /// Steps that may be taken.
    steps: i64,
}

fn few<const N: usize>(list: &[u32]) -> Few<N> {
    let mut few = [NONE; N];
    few[..list.len()].copy_from_slice(list);
    few.sort_unstable();
    few
}

/// The members.
fn of<const N: usize>(few: &Few<N>) -> &[u32] {
    &few[..few.partition_point(|&v| v != NONE)]
}

/// Both together, unless those are too many.
fn union(one: &Set, other: &Set) -> Option<Set> {
    let mut union = [NONE; REMOVED];
    let (mut i, mut j, mut count) = (0, 0, 0);
    loop {
        let a = one.get(i).copied().unwrap_or(NONE);
        let b = other.get(j).copied().unwrap_or(NONE);
        let next = a.min(b);
        if next == NONE {
            return Some(union);
        }
        *union.get_mut(count)? = next;
        count += 1;
        i += usize::from(a == next);
        j += usize::from(b == next);
    }
}

/// What is left without a few squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Left {
    pieces: u64,
    /// Of those, how many can hold no end of an open tour.
    inner: u64,
    /// Moves that every tour uses between two of the squares.
    moves: u64,
    /// How many of the squares are ends of every open tour.
    ends: u64,
}

impl Left {
    /// Why a tour cannot leave that.
    fn judge(self, closed: bool, removed: u64) -> Option<String> {
        let Left { pieces, inner, moves, ends } = self;
        let these = if removed == 1 { "this square".to_owned() } else { format!("these {removed} squares once each") };
        let between = match moves {
            0 => String::new(),
            1 => ", with 1 move forced between them".to_owned(),
            _ => format!(", with {moves} moves forced between them"),
        };
        if closed {
            let most = removed.saturating_sub(moves);
            return (pieces > most)
                .then(|| format!("a closed tour passes through {these}{between}, so it visits at most {most} pieces"));
        }
        let most = (removed + 1).saturating_sub(moves + ends);
        if pieces > most {
            let ends = match ends {
                0 => String::new(),
                1 => ", one of which is its end".to_owned(),
                _ => format!(", {ends} of which are its ends"),
            };
            return Some(format!(
                "an open tour passes through {these}{ends}{between}, so it visits at most {most} pieces"
            ));
        }
        let most = removed.saturating_sub(1 + moves);
        (inner > most).then(|| {
            format!(
                "{inner} of them can hold no end, but an open tour passes through {these}{between}, so it crosses at most \
                 {most} from one to the next"
            )
        })
    }
}

impl Pockets {
    /// On boards of more squares this takes longer than anything else that is looked at before a search.
    pub(super) const LARGE: usize = 1 << 14;

    /// Bytes for a board, from above.
    pub(super) fn bytes(count: usize) -> u64 {
        let pieces = (PIECES * count + ON_ANY) as u64;
        let sets = (SEEN * size_of::<Set>() * 3) as u64;
        // A mark and an offset; the pieces, and a number for each square of their borders.
        8 * count as u64 + pieces * (size_of::<Pocket>() + 4 * REMOVED) as u64 * 2 + sets
    }

    pub(super) fn new(count: usize) -> Pockets {
        Pockets {
            at: 0,
            is_listed: false,
            pockets: Vec::new(),
            offsets: Vec::new(),
            incident: Vec::new(),
            seen: HashSet::new(),
            forced: None,
            inside: Vec::new(),
            border: Vec::new(),
            open: Vec::new(),
            mark: vec![0; count],
            clock: 0,
            steps: SPARE + LISTING / 2 * count as i64,
        }
    }

    /// Goes on until there is a reason or no set is left to look at.
    pub(super) fn advance(&mut self, net: &Net, watch: &mut Watch) -> Result<Option<Reason>, Pause> {
        loop {
            // Each takes some microseconds: a turn is one of a pass over the moves.
            for _ in 0..32 {
                watch.tick()?;
            }
            if self.is_listed {
                if self.at == self.pockets.len() {
                    return Ok(self.forced.clone());
                }
                self.steps += JOINING / 2 * net.len() as i64 / self.pockets.len() as i64;
                if let Some(reason) = self.join(net, self.at) {
                    return Ok(Some(reason));
                }
            } else if self.at == net.len() {
                self.index(net.len());
                (self.at, self.is_listed) = (0, true);
                self.steps += SPARE + JOINING / 2 * net.len() as i64;
                continue;
            } else {
                self.steps += LISTING / 2;
                self.list(net, self.at as u32);
            }
            self.at += 1;
        }
    }

    /// Lists the pieces of which a vertex is the first.
    fn list(&mut self, net: &Net, root: u32) {
        self.clock += 1;
        self.inside.push(root);
        self.mark[root as usize] = self.clock;
        for u in net.neighbours(root) {
            self.mark[u as usize] = self.clock;
            self.open.push(u);
        }
        self.grow(net, root);
        self.inside.clear();
        self.open.clear();
    }

    /// Decides where the open squares belong. No deeper than a piece and its border have squares.
    fn grow(&mut self, net: &Net, root: u32) {
        let size = self.inside.len() + self.border.len() + self.open.len();
        if self.steps <= 0 || size > SQUARES + REMOVED {
            return;
        }
        self.steps -= 1;
        let Some(u) = self.open.pop() else {
            if !self.border.is_empty() && self.pockets.len() < PIECES * self.mark.len() + ON_ANY {
                self.pockets.push(Pocket { squares: few(&self.inside), border: few(&self.border) });
            }
            return;
        };
        if self.border.len() < REMOVED {
            self.border.push(u);
            self.grow(net, root);
            self.border.pop();
        }
        if u > root && self.inside.len() < SQUARES {
            self.inside.push(u);
            let before = self.open.len();
            for w in net.neighbours(u) {
                if self.mark[w as usize] != self.clock {
                    self.mark[w as usize] = self.clock;
                    self.open.push(w);
                }
            }
            self.grow(net, root);
            for &w in &self.open[before..] {
                self.mark[w as usize] = 0;
            }
            self.open.truncate(before);
            self.inside.pop();
        }
        self.open.push(u);
    }

    /// Notes on which borders each vertex is.
    fn index(&mut self, count: usize) {
        // Those with narrow borders are the likeliest to be of use.
        self.pockets.sort_by_key(|pocket| of(&pocket.border).len());
        self.offsets = vec![0; count + 1];
        for pocket in &self.pockets {
            for &v in of(&pocket.border) {
                self.offsets[v as usize + 1] += 1;
            }
        }
        for v in 0..count {
            self.offsets[v + 1] += self.offsets[v];
        }
        self.incident = vec![0; self.offsets[count] as usize];
        let mut next = self.offsets.clone();
        for (at, pocket) in self.pockets.iter().enumerate() {
            for &v in of(&pocket.border) {
                self.incident[next[v as usize] as usize] = at as u32;
                next[v as usize] += 1;
            }
        }
    }

    /// Looks at the sets that begin with the border of a piece.
    fn join(&mut self, net: &Net, from: usize) -> Option<Reason> {
        if self.seen.len() > SEEN {
            self.seen.clear();
        }
        // By their sizes: small ones first.
        let mut sets: [Vec<Set>; REMOVED + 1] = Default::default();
        let first = self.pockets[from].border;
        sets[of(&first).len()].push(first);
        while let Some(set) = sets.iter_mut().find_map(Vec::pop) {
            if self.steps <= 0 || !self.seen.insert(set) {
                continue;
            }
            let mut left = 0;
            for &v in of(&set) {
                let (from, upto) = (self.offsets[v as usize], self.offsets[v as usize + 1]);
                self.steps -= i64::from(upto - from);
                for &at in &self.incident[from as usize..upto as usize] {
                    let pocket = &self.pockets[at as usize];
                    if of(&pocket.squares).iter().any(|v| set.contains(v)) {
                        continue;
                    }
                    match union(&set, &pocket.border) {
                        // Each is counted once.
                        Some(same) if same == set => left += u64::from(pocket.border[0] == v),
                        Some(more) => sets[of(&more).len()].push(more),
                        None => {}
                    }
                }
            }
            let removed = of(&set).len() as u64;
            // Two pieces may be larger than those that are listed.
            let (moves, ends) = between(net, of(&set));
            if left + 2 + moves + ends >= removed {
                self.steps -= LARGEST as i64;
                match self.judge(net, of(&set)) {
                    Some(reason) if reason.code == Code::Cut => {
                        // Asked again it says the same.
                        self.seen.clear();
                        return Some(reason);
                    }
                    forced => self.forced = self.forced.take().or(forced),
                }
            }
        }
        None
    }

    /// Why a tour cannot leave the pieces that there are without some vertices: by all moves that the request allows if
    /// that is enough, else by those that are left.
    fn judge(&mut self, net: &Net, set: &[u32]) -> Option<Reason> {
        let why = |left: Left| left.judge(net.graph.is_closed(), set.len() as u64).map(|why| (left.pieces, why));
        let usable = self.left(set, |v, visit| net.neighbours(v).for_each(visit), |v| net.may_be_end(v));
        let (moves, ends) = between(net, set);
        let (pieces, text) = why(Left { moves, ends, ..usable })?;
        let graph = net.graph;
        let all = self.left(
            set,
            |v, visit| graph.neighbours(v).iter().copied().for_each(visit),
            |v| graph.starts().contains(v) || graph.ends().contains(v),
        );
        let is_given = |&&v: &&u32| !graph.is_closed() && [graph.start(), graph.end()].contains(&Some(v));
        let given = Left { moves: 0, ends: set.iter().filter(is_given).count() as u64, ..all };
        let squares: Vec<u32> = set.iter().map(|&v| graph.square(v)).collect();
        let names = named(net.request.board(), &squares);
        let say = |pieces: u64, why: &str| format!("removing {names} splits the board into {pieces} pieces; {why}");
        let (code, text) = match why(given) {
            Some((pieces, why)) => (Code::Cut, say(pieces, &why)),
            None => (Code::Forced, format!("after the forced moves: {}", say(pieces, &text))),
        };
        Some(Reason::new(code, text, squares))
    }

    /// The pieces that are left without some vertices; several large ones are taken for one.
    fn left(
        &mut self,
        set: &[u32],
        neighbours: impl Fn(u32, &mut dyn FnMut(u32)),
        may_be_end: impl Fn(u32) -> bool,
    ) -> Left {
        let mut left = Left::default();
        // Marks: those removed, those in a piece that is done with, those in a large one.
        let (removed, small, large) = (self.clock + 1, self.clock + 2, self.clock + 3);
        self.clock += 3;
        set.iter().for_each(|&v| self.mark[v as usize] = removed);
        let mut is_any_large = false;
        let mut piece: Vec<u32> = Vec::new();
        let mut roots: Vec<u32> = Vec::new();
        set.iter().for_each(|&v| neighbours(v, &mut |u| roots.push(u)));
        for root in roots {
            if self.mark[root as usize] >= removed {
                continue;
            }
            piece.clear();
            piece.push(root);
            self.mark[root as usize] = small;
            let (mut at, mut is_large, mut is_inner) = (0, false, true);
            while let Some(&v) = piece.get(at) {
                is_inner &= !may_be_end(v);
                let mark = &mut self.mark;
                neighbours(v, &mut |u| {
                    is_large |= mark[u as usize] == large;
                    if mark[u as usize] < removed {
                        mark[u as usize] = small;
                        piece.push(u);
                    }
                });
                is_large |= piece.len() > LARGEST;
                if is_large {
                    break;
                }
                at += 1;
            }
            if is_large {
                is_any_large = true;
                piece.iter().for_each(|&v| self.mark[v as usize] = large);
            } else {
                left.pieces += 1;
                left.inner += u64::from(is_inner);
            }
        }
        left.pieces += u64::from(is_any_large);
        left
    }
}

/// How many moves between the vertices are forced, and how many of them must be ends.
fn between(net: &Net, set: &[u32]) -> (u64, u64) {
    if net.used.is_empty() {
        return (0, 0);
    }
    let mut moves = 0;
    for &v in set {
        let used = net.used[v as usize];
        for (i, u) in net.graph.neighbours(v).iter().enumerate() {
            moves += u64::from(used >> i & 1 != 0 && u > &v && set.contains(u));
        }
    }
    (moves, net.must.iter().filter(|v| set.contains(v)).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::net::Known;
    use super::*;
    use crate::board::Board;
    use crate::board::moves::{Leaper, Wrap};
    use crate::request::Request;
    use crate::request::graph::Graph;
    use crate::run::Budget;
    use crate::run::rng::Rng;

    /// By plain definition, over all sets: the pieces that are left, and those in which no end can lie.
    fn leaves_too_many(graph: &Graph) -> bool {
        let count = graph.len();
        let near: Vec<u32> = (0..count as u32).map(|v| graph.neighbours(v).iter().map(|&u| 1 << u).sum()).collect();
        let ends: u32 =
            (0..count as u32).filter(|&v| graph.starts().contains(v) || graph.ends().contains(v)).map(|v| 1 << v).sum();
        (1..1u32 << count).filter(|set| set.count_ones() as usize <= REMOVED).any(|set| {
            let (mut pieces, mut inner) = (0, 0);
            let mut rest = ((1 << count) - 1) & !set;
            while rest != 0 {
                let mut piece = rest & rest.wrapping_neg();
                loop {
                    let more = (0..count).filter(|v| piece >> v & 1 != 0).fold(piece, |more, v| more | near[v] & rest);
                    if more == piece {
                        break;
                    }
                    piece = more;
                }
                rest &= !piece;
                pieces += 1;
                inner += u32::from(piece & ends == 0);
            }
            let removed = set.count_ones();
            if graph.is_closed() { pieces > removed } else { pieces > removed + 1 || inner + 1 > removed }
        })
    }

    #[test]
    fn sets_are_found_exactly_where_there_are_any() {
        let mut rng = Rng::seeded(3);
        let mut told = [[0; 2]; 2];
        for _ in 0..2500 {
            let (rows, cols) = (2 + rng.below(4) as u32, 3 + rng.below(5) as u32);
            let holes = (rows * cols).saturating_sub(6 + rng.below(7) as u32);
            let blocked: Vec<u32> = (0..holes).map(|_| rng.below(u64::from(rows * cols)) as u32).collect();
            let leaper = [Leaper::KNIGHT, Leaper::new(0, 1), Leaper::new(1, 1)][rng.below(3) as usize];
            let wrap = if rng.below(4) == 0 { Wrap::Cols } else { Wrap::None };
            let Ok(board) = Board::build(rows, cols, blocked, leaper, wrap) else { continue };
            let squares: Vec<u32> = board.open_squares().collect();
            let one = squares[rng.below(squares.len() as u64) as usize];
            let request = match rng.below(3) {
                0 => Request::closed(board),
                1 => Request::open(board),
                _ => Request::open(board).with_start(one).unwrap(),
            };
            let graph = Graph::new(&request);
            if graph.len() > 13 || graph.len() < 3 || graph.pieces().1 > 1 {
                continue;
            }
            let mut net = Net::new(&request, &graph, Known::new(&request, &graph));
            if let Some(start) = graph.start()
                && !graph.is_closed()
            {
                net.used = vec![0; graph.len()];
                net.must = vec![start];
            }
            let mut pockets = Pockets::new(graph.len());
            pockets.steps = i64::MAX / 2;
            let found = pockets.advance(&net, &mut Watch::new(&Budget::unlimited())).unwrap();
            let expected = leaves_too_many(&graph);
            // With an end among the squares removed more is told than by the definition above.
            if expected || graph.start().is_none() {
                assert_eq!(found.is_some(), expected, "{request:?} {found:?}");
            }
            if let Some(reason) = found {
                assert_eq!(reason.code, Code::Cut, "{reason}");
            }
            told[usize::from(graph.is_closed())][usize::from(expected)] += 1;
        }
        println!("{told:?}");
        assert!(told.iter().flatten().all(|&count| count > 30), "{told:?}");
    }
}
