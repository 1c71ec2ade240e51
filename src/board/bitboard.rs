//! [`Bitboard`]: a set of up to 64 squares (or vertices) in one machine word.

use std::fmt;

/// A set of the numbers 0 to 63. Shifts and masks stay inside this file; everyone else speaks in sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// The set of one number.
    #[must_use]
    #[inline]
    pub const fn single(number: u32) -> Self {
        Bitboard(1 << number)
    }

    /// The set `0, 1, …, count - 1`.
    #[must_use]
    #[inline]
    pub const fn first_n(count: u32) -> Self {
        if count >= 64 { Bitboard(u64::MAX) } else { Bitboard((1 << count) - 1) }
    }

    /// Whether the number is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, number: u32) -> bool {
        self.0 >> number & 1 != 0
    }

    /// How many numbers are in the set.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no members.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has at least two members.
    #[must_use]
    #[inline]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Puts a number in.
    #[inline]
    pub const fn add(&mut self, number: u32) {
        self.0 |= 1 << number;
    }

    /// Takes a number out.
    #[inline]
    pub const fn discard(&mut self, number: u32) {
        self.0 &= !(1 << number);
    }

    /// The set with one number more.
    #[must_use = "returns a new set; use `add` to change this one"]
    #[inline]
    pub const fn with(self, number: u32) -> Self {
        Bitboard(self.0 | 1 << number)
    }

    /// The set with one number less.
    #[must_use = "returns a new set; use `discard` to change this one"]
    #[inline]
    pub const fn without(self, number: u32) -> Self {
        Bitboard(self.0 & !(1 << number))
    }

    /// The numbers in both sets.
    #[must_use = "returns a new set"]
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Bitboard(self.0 & other.0)
    }

    /// The numbers in either set.
    #[must_use = "returns a new set"]
    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Bitboard(self.0 | other.0)
    }

    /// The numbers of this set that are not in the other.
    #[must_use = "returns a new set"]
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Bitboard(self.0 & !other.0)
    }

    /// Whether every member is a member of the other set, too.
    #[must_use]
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The smallest member, if any.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros()) }
    }

    /// Takes the smallest member out and returns it.
    #[inline]
    pub const fn pop_front(&mut self) -> Option<u32> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl Iterator for Bitboard {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.pop_front()
    }
}

impl FromIterator<u32> for Bitboard {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        numbers.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speaks_as_a_set() {
        let mut set: Bitboard = [3, 0, 63].into_iter().collect();
        assert_eq!(set.count(), 3);
        assert!(set.contains(63) && !set.contains(1) && set.has_several());
        assert_eq!(set.first(), Some(0));
        assert_eq!(set.pop_front(), Some(0));
        assert_eq!(set.collect::<Vec<_>>(), [3, 63]);
        set.discard(63);
        assert!(!set.has_several() && !set.is_empty());
        assert!(set.is_subset(set.with(9)) && !set.with(9).is_subset(set));
        assert_eq!(set.with(9).minus(set), Bitboard::single(9));
        assert_eq!(Bitboard::first_n(64).count(), 64);
        assert_eq!(Bitboard::first_n(3).or(set.and(set)), Bitboard(0b1111));
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(format!("{:?}", Bitboard(5)), "{0, 2}");
    }
}
