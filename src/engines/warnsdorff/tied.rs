//! Which of a square's neighbours have the fewest onward moves.

use super::degrees::{ONE, UNVISITED};

/// Up to eight targets sorted by their onward moves, of which each has at most seven, since it was
/// just reached from a visited square: a byte for each number, with a bit for each target. Nothing
/// here branches on the numbers, which are not to be foretold.
#[derive(Clone, Copy, Default)]
pub(super) struct Sorted(u64);

impl Sorted {
    #[inline]
    pub(super) fn add(&mut self, place: usize, degree: u8) {
        self.0 |= u64::from(degree & UNVISITED) << (u32::from(degree & (7 * ONE)) + place as u32);
    }

    /// Those with the fewest onward moves, if any target is unvisited.
    #[inline]
    pub(super) fn least(self) -> Option<Tied> {
        (self.0 != 0).then(|| Tied((self.0 >> (self.0.trailing_zeros() & !7)) as u8))
    }
}

/// Which of up to eight targets tie: a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Tied(u8);

/// For each set of bits, the places of its members in rising order.
static MEMBERS: [[u8; 8]; 256] = members();

const fn members() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 != 0 {
                table[set][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
}

impl Tied {
    #[inline]
    pub(super) fn add(&mut self, place: usize) {
        self.0 |= 1 << place;
    }

    #[inline]
    pub(super) fn count(self) -> u64 {
        self.0.count_ones().into()
    }

    #[inline]
    pub(super) fn nth(self, n: usize) -> usize {
        MEMBERS[usize::from(self.0)][n & 7].into()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        MEMBERS[usize::from(self.0)].iter().take(self.count() as usize).map(|&place| place.into())
    }
}
