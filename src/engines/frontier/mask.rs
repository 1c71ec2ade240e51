//! [`Mask`]: the two bitboards of a state, over the slots of the vertices.

use std::ops::Range;

/// Masks for which another thread is worth its while: they take longer than it takes to begin one.
pub const FOR_A_THREAD: usize = 256;

/// Slots for vertices that are their own mirror image.
pub const MIDDLE: u64 = 0x0000_00ff_ff00_0000;

/// The same as a range.
pub const MIDDLE_SLOTS: Range<u32> = 24..40;

/// Where the parity of the cycle matters, the slot that says of `full` whether the rest must be odd. No vertex has it
/// then.
pub const PARITY: u64 = 1 << (MIDDLE_SLOTS.end - 1);

/// The image of a set of slots in the mirror.
#[inline]
#[must_use]
pub const fn mirrored(slots: u64) -> u64 {
    slots.reverse_bits() & !MIDDLE | slots & MIDDLE
}

/// The bitboards of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Mask {
    /// Slots of vertices with one edge: the ends of the fragments.
    pub ends: u64,
    /// Slots of vertices with two edges.
    pub full: u64,
}

impl Mask {
    /// The key as one number.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u128 {
        (self.ends as u128) << 64 | self.full as u128
    }

    /// The image in the mirror.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Mask {
        Mask { ends: mirrored(self.ends), full: mirrored(self.full) }
    }
}

/// By [`Mask::number`]: one comparison, without a branch, which is what sorting wants.
impl Ord for Mask {
    #[inline]
    fn cmp(&self, other: &Mask) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }

    #[inline]
    fn min(self, other: Mask) -> Mask {
        if other.number() < self.number() { other } else { self }
    }
}

impl PartialOrd for Mask {
    #[inline]
    fn partial_cmp(&self, other: &Mask) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }

    #[inline]
    fn lt(&self, other: &Mask) -> bool {
        self.number() < other.number()
    }
}

/// A key as 64 bits that are as good as random.
#[inline]
#[must_use]
pub fn hash(key: Mask) -> u64 {
    // The high bits of a product depend on all bits of its factors, the low ones do not: so the high half is
    // folded down before the last product, and the place is taken from the top.
    let ends = key.ends.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let full = key.full.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (ends ^ ends >> 32 ^ full.rotate_left(32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
