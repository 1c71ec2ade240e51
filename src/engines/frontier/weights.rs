//! [`Weights`]: whole numbers of a few bytes each, and sums of them in words of 64 bits.

/// The weights of the states of a group, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    bytes: &'a [u8],
    /// Bytes of each, lowest first.
    width: usize,
}

impl<'a> Weights<'a> {
    /// Those in these bytes, at least one byte each.
    #[must_use]
    pub fn new(bytes: &'a [u8], width: usize) -> Weights<'a> {
        Weights { bytes, width }
    }

    /// Those from one on.
    #[inline]
    #[must_use]
    pub fn from(self, from: usize) -> Weights<'a> {
        Weights { bytes: &self.bytes[from * self.width..], ..self }
    }

    /// One of at most eight bytes.
    #[inline]
    #[must_use]
    pub fn get(self, at: usize) -> u64 {
        word(&self.bytes[at * self.width..], self.width)
    }

    /// Adds one to a sum that has room for it.
    #[inline]
    pub fn add_to(self, at: usize, sum: &mut [u64]) {
        let bytes = &self.bytes[at * self.width..(at + 1) * self.width];
        let mut carry = false;
        let mut rest = bytes;
        for limb in sum {
            if rest.is_empty() && !carry {
                return;
            }
            let size = rest.len().min(8);
            let weight = if size > 0 { word(rest, size) } else { 0 };
            rest = &rest[size..];
            (*limb, carry) = add(*limb, weight, carry);
        }
        debug_assert!(!carry && rest.is_empty(), "the bits of a sum are bounded before it is formed");
    }

    /// Adds the first ones, of at most eight bytes, to the sums of one limb at these ranks.
    #[inline]
    pub fn add_all(self, ranks: &[u32], sums: &mut [u64]) {
        match self.width {
            1 => self.add_narrow(ranks, sums, |&[byte]| byte.into()),
            2 => self.add_narrow(ranks, sums, |&bytes| u16::from_le_bytes(bytes).into()),
            4 => self.add_narrow(ranks, sums, |&bytes| u32::from_le_bytes(bytes).into()),
            8 => self.add_narrow(ranks, sums, |&bytes| u64::from_le_bytes(bytes)),
            3 => self.add_odd::<3>(ranks, sums),
            5 => self.add_odd::<5>(ranks, sums),
            6 => self.add_odd::<6>(ranks, sums),
            _ => self.add_odd::<7>(ranks, sums),
        }
    }

    /// All but the last are read with what follows them.
    #[inline]
    fn add_odd<const WIDTH: usize>(self, ranks: &[u32], sums: &mut [u64]) {
        let Some((&last, ranks)) = ranks.split_last() else { return };
        let mask = (1 << (8 * WIDTH)) - 1;
        let (whole, rest) = ranks.split_at(ranks.len().saturating_sub(8 / WIDTH));
        for (&rank, from) in whole.iter().zip((0..).step_by(WIDTH)) {
            let word = self.bytes[from..from + 8].first_chunk().map_or(0, |&word| u64::from_le_bytes(word));
            add_wrapping(sums, rank, word & mask);
        }
        for (&rank, at) in rest.iter().chain([&last]).zip(whole.len()..) {
            add_wrapping(sums, rank, self.get(at));
        }
    }

    #[inline]
    fn add_narrow<const WIDTH: usize>(self, ranks: &[u32], sums: &mut [u64], weight: impl Fn(&[u8; WIDTH]) -> u64) {
        let weights = self.bytes.as_chunks().0.iter().map(weight);
        ranks.iter().zip(weights).for_each(|(&rank, weight)| add_wrapping(sums, rank, weight));
    }

    /// Adds the first ones to the sums of this many limbs at these ranks, but not at `none`. Never a part of its caller, whose
    /// loops over weights of one limb are to be fast.
    #[inline(never)]
    pub fn add_all_long<const LIMBS: usize>(self, ranks: &[u32], sums: &mut [u64], none: u32) {
        let (sums, _) = sums.as_chunks_mut::<LIMBS>();
        for (at, &rank) in ranks.iter().enumerate().filter(|&(_, &rank)| rank != none) {
            let from = at * self.width;
            let mut carry = false;
            for (number, limb) in sums[rank as usize].iter_mut().enumerate() {
                let size = self.width.saturating_sub(8 * number).min(8);
                let weight = if size > 0 { word(&self.bytes[from + 8 * number..], size) } else { 0 };
                (*limb, carry) = add(*limb, weight, carry);
            }
        }
    }

    /// Whether none has more than this many bits.
    #[must_use]
    pub fn are_of(self, bits: u32) -> bool {
        let high = |byte: &u8| *byte != 0;
        self.bytes.chunks_exact(self.width).all(|weight| {
            let used = weight.iter().rposition(high).map_or(0, |at| at as u32 * 8 + 8 - weight[at].leading_zeros());
            used <= bits
        })
    }
}

/// The number of the first `size` bytes, 1 to 8.
#[inline]
fn word(bytes: &[u8], size: usize) -> u64 {
    match bytes.first_chunk() {
        Some(&word) => u64::from_le_bytes(word) & (u64::MAX >> (64 - 8 * size)),
        None => bytes[..size].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// The sum of what cannot be may become anything.
#[inline]
fn add_wrapping(sums: &mut [u64], rank: u32, weight: u64) {
    let sum = &mut sums[rank as usize];
    *sum = sum.wrapping_add(weight);
}

#[inline]
fn add(limb: u64, weight: u64, carry: bool) -> (u64, bool) {
    let (value, first) = limb.overflowing_add(weight);
    let (value, second) = value.overflowing_add(carry.into());
    (value, first | second)
}

/// Adds a sum to one that has room for it.
#[inline]
pub fn add_limbs(sum: &mut [u64], other: &[u64]) {
    let mut carry = false;
    for (limb, &other) in sum.iter_mut().zip(other) {
        (*limb, carry) = add(*limb, other, carry);
    }
    debug_assert!(!carry, "the bits of a sum are bounded before it is formed");
}

/// The bits of a sum.
#[must_use]
pub fn bits_of(sum: &[u64]) -> u32 {
    sum.iter().rposition(|&limb| limb != 0).map_or(0, |at| at as u32 * 64 + 64 - sum[at].leading_zeros())
}

/// What is done to a sum before it is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// Whole numbers as they are.
    #[default]
    Exact,
    /// What they leave when they are divided by a number.
    Residue(Modulus),
}

impl Arithmetic {
    /// The most bits of what a sum of this many is kept as.
    #[must_use]
    pub fn most_bits(self, bits: u32) -> u32 {
        match self {
            Arithmetic::Exact => bits,
            Arithmetic::Residue(modulus) => bits.min(64 - (modulus.number - 1).leading_zeros()),
        }
    }

    /// Makes sums of one limb what they are kept as.
    #[inline]
    pub fn keep_all(self, sums: &mut [u64]) {
        if self != Arithmetic::Exact {
            sums.iter_mut().for_each(|sum| *sum = self.kept(*sum));
        }
    }

    /// A sum of one limb as it is kept.
    #[inline]
    #[must_use]
    pub fn kept(self, sum: u64) -> u64 {
        match self {
            Arithmetic::Exact => sum,
            Arithmetic::Residue(modulus) => modulus.residue(sum),
        }
    }
}

/// A number from 2 to 2^32 to divide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulus {
    number: u64,
    /// 2^64 divided by it, rounded down: a product with it is a quotient, or one too little.
    inverse: u64,
}

impl Modulus {
    /// The number, if it is one of them.
    #[must_use]
    pub fn new(number: u64) -> Option<Modulus> {
        let inverse = ((1u128 << 64) / u128::from(number.max(2))) as u64;
        (2..=1 << 32).contains(&number).then_some(Modulus { number, inverse })
    }

    /// The number itself.
    #[must_use]
    pub fn number(self) -> u64 {
        self.number
    }

    /// A power of a number.
    #[must_use]
    pub fn power(self, base: u64, exponent: u64) -> u64 {
        let (mut power, mut square, mut left) = (self.residue(1), self.residue(base), exponent);
        while left > 0 {
            if left & 1 != 0 {
                power = self.residue(power * square);
            }
            square = self.residue(square * square);
            left >>= 1;
        }
        power
    }

    /// What a number leaves.
    #[inline]
    #[must_use]
    pub fn residue(self, value: u64) -> u64 {
        let quotient = ((u128::from(value) * u128::from(self.inverse)) >> 64) as u64;
        let rest = value - quotient * self.number;
        if rest >= self.number { rest - self.number } else { rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::rng::Rng;

    #[test]
    fn residues_are_those_of_division() {
        let mut rng = Rng::seeded(1);
        for number in [2, 3, 10, 65521, 65536, 65537, (1 << 31) - 1, 4294967291, 1 << 32] {
            let modulus = Modulus::new(number).unwrap();
            let near = [0, 1, number - 1, number, number + 1, u64::MAX, u64::MAX - 1, u64::MAX / number * number];
            for value in near.into_iter().chain((0..1000).map(|at| rng.bits() >> (at % 64))) {
                assert_eq!(modulus.residue(value), value % number, "{value} {number}");
            }
        }
        assert!([0, 1, (1 << 32) + 1, u64::MAX].into_iter().all(|number| Modulus::new(number).is_none()));
    }

    /// Numbers of any width are added to sums of any length as 256 bits would be.
    #[test]
    fn weights_of_any_width_are_added() {
        let mut rng = Rng::seeded(2);
        for width in 1..=20usize {
            let bytes: Vec<u8> = (0..40 * width).map(|_| rng.bits() as u8).collect();
            let weights = Weights::new(&bytes, width);
            assert!(weights.are_of(8 * width as u32));
            assert!(!weights.are_of(8 * width as u32 - 8) || width == 1);
            let ranks: Vec<u32> = (0..40).map(|_| rng.below(5) as u32).collect();
            let limbs = width.div_ceil(8) + 1;
            let mut expected = vec![0u64; 5 * limbs];
            for (at, &rank) in ranks.iter().enumerate() {
                let mut weight = bytes[at * width..(at + 1) * width].to_vec();
                weight.resize(8 * limbs, 0);
                let mut carry = 0;
                for (limb, part) in weight.as_chunks().0.iter().enumerate() {
                    let sum = &mut expected[rank as usize * limbs + limb];
                    let total = u128::from(*sum) + u128::from(u64::from_le_bytes(*part)) + carry;
                    (*sum, carry) = (total as u64, total >> 64);
                }
            }
            let mut sums = vec![0u64; 5 * limbs];
            match limbs {
                2 => weights.add_all_long::<2>(&ranks, &mut sums, 9),
                3 => weights.add_all_long::<3>(&ranks, &mut sums, 9),
                _ => weights.add_all_long::<4>(&ranks, &mut sums, 9),
            }
            assert_eq!(sums, expected, "{width}");
            let mut sums = vec![0u64; 5 * limbs];
            for (at, &rank) in ranks.iter().enumerate() {
                weights.from(at).add_to(0, &mut sums[rank as usize * limbs..(rank as usize + 1) * limbs]);
            }
            assert_eq!(sums, expected, "{width}");
            if width <= 7 {
                let mut sums = vec![0u64; 5];
                weights.add_all(&ranks, &mut sums);
                assert!(sums.iter().eq(expected.iter().step_by(limbs)), "{width}");
                assert_eq!(weights.get(39), word(&bytes[39 * width..], width));
            }
        }
    }
}
