//! What to try: the order of the moves from a square.

use crate::engines::warnsdorff::Ties;
use crate::request::graph::Graph;
use crate::run::rng::Rng;

/// The order in which the moves from a square are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// By the number of the square moved to, in reading order.
    Fixed,
    /// Warnsdorff's rule: squares with the fewest onward moves first.
    Warnsdorff(Ties),
}

/// A choice of [`Order`] made ready for one graph.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    pub(super) order: Order,
    /// For [`Ties::Outward`]: smaller is farther from the centre. Empty otherwise.
    nearness: Vec<u32>,
    rng: Rng,
    /// Whether what is still tied goes by chance.
    by_chance: bool,
}

/// A candidate with what it is ranked by: onward moves, tie-break, vertex.
pub(super) type Key = (u32, u64, u32);

impl Ranking {
    pub(super) fn new(order: Order, graph: &Graph, rows: u32, cols: u32, seed: Option<u64>) -> Ranking {
        let nearness = if order == Order::Warnsdorff(Ties::Outward) {
            (0..graph.len() as u32).map(|v| nearness(graph.square(v), rows, cols)).collect()
        } else {
            Vec::new()
        };
        Ranking { order, nearness, rng: Rng::seeded(seed.unwrap_or(0)), by_chance: seed.is_some() }
    }

    /// The ranking for another attempt: other random numbers, and what is still tied goes by them.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
        self.by_chance = true;
    }

    /// The key of a candidate with `onward` moves; `second` gives the sum of the onward moves of the
    /// squares it leads to, and is asked for only where it counts.
    #[inline]
    pub(super) fn key(&mut self, vertex: u32, onward: u32, second: impl FnOnce() -> u32) -> Key {
        let Order::Warnsdorff(ties) = self.order else { return (0, 0, vertex) };
        let tie = match ties {
            // The orderings of Squirrel and Cull follow one walk, and mean nothing once it turns back.
            Ties::First | Ties::Squirrel => 0,
            Ties::Random => self.rng.bits(),
            Ties::Outward => u64::from(self.nearness[vertex as usize]) << 32 | self.chance(),
            Ties::Pohl => u64::from(second()) << 32 | self.rng.bits() >> 32,
        };
        (onward, tie, vertex)
    }

    #[inline]
    fn chance(&mut self) -> u64 {
        if self.by_chance { self.rng.bits() >> 32 } else { 0 }
    }
}

/// Falls with the distance from the centre of the board.
fn nearness(square: u32, rows: u32, cols: u32) -> u32 {
    let (row, col) = (i64::from(square / cols), i64::from(square % cols));
    let (down, right) = (2 * row - i64::from(rows) + 1, 2 * col - i64::from(cols) + 1);
    // Squares of both distances fit 2^63; what is kept is its order, scaled to 32 bits.
    let distance = (down * down + right * right) as u64;
    let farthest = (u64::from(rows).pow(2) + u64::from(cols).pow(2)).max(1);
    let shift = (64 - farthest.leading_zeros()).saturating_sub(31);
    (u32::MAX >> 1) - (distance >> shift) as u32
}

/// Sorts the few candidates of one square.
#[inline]
pub(super) fn sort(keys: &mut [Key]) {
    // At most eight: insertion is the fastest.
    for i in 1..keys.len() {
        let mut j = i;
        while j > 0 && keys[j] < keys[j - 1] {
            keys.swap(j, j - 1);
            j -= 1;
        }
    }
}
