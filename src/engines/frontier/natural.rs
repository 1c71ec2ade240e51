//! [`Natural`]: a whole number of any size, for the result of a count.

use std::cmp::Ordering;
use std::fmt;

use super::weights::Modulus;
use crate::run::rng::Rng;

/// A whole number, not negative, of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Natural {
    /// Lowest first; no zero at the end.
    limbs: Vec<u64>,
}

impl Natural {
    /// The number with these limbs of 64 bits, lowest first.
    #[must_use]
    pub fn from_limbs(mut limbs: Vec<u64>) -> Natural {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Natural { limbs }
    }

    /// The limbs of 64 bits, lowest first, none for 0.
    #[must_use]
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The bytes, lowest first, at least one.
    #[must_use]
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        while bytes.len() > 1 && bytes.last() == Some(&0) {
            bytes.pop();
        }
        if bytes.is_empty() { vec![0] } else { bytes }
    }

    /// Adds a number.
    pub fn add(&mut self, other: &Natural) {
        if self.limbs.len() < other.limbs.len() {
            self.limbs.resize(other.limbs.len(), 0);
        }
        let mut carry = false;
        for (i, limb) in self.limbs.iter_mut().enumerate() {
            let (sum, first) = limb.overflowing_add(other.limbs.get(i).copied().unwrap_or(0));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = first || second;
        }
        if carry {
            self.limbs.push(1);
        }
    }

    /// The number times a small one.
    #[must_use]
    pub fn times(&self, factor: u32) -> Natural {
        let mut carry = 0u128;
        let mut limbs: Vec<u64> = self
            .limbs
            .iter()
            .map(|&limb| {
                let product = u128::from(limb) * u128::from(factor) + carry;
                carry = product >> 64;
                product as u64
            })
            .collect();
        limbs.push(carry as u64);
        Natural::from_limbs(limbs)
    }

    /// The number of these bytes, lowest first.
    #[must_use]
    pub fn from_le_bytes(bytes: &[u8]) -> Natural {
        let limb = |part: &[u8]| part.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
        Natural::from_limbs(bytes.chunks(8).map(limb).collect())
    }

    /// The number divided by a small one that is not 0, and the rest.
    #[must_use]
    pub fn divided(&self, divisor: u32) -> (Natural, u32) {
        let mut rest = 0u64;
        let mut limbs = self.limbs.clone();
        for limb in limbs.iter_mut().rev() {
            let value = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (value / u128::from(divisor)) as u64;
            rest = (value % u128::from(divisor)) as u64;
        }
        (Natural::from_limbs(limbs), rest as u32)
    }

    /// What it leaves when it is divided by a number.
    #[must_use]
    pub fn modulo(&self, modulus: Modulus) -> Natural {
        let by = u128::from(modulus.number());
        let rest = self.limbs.iter().rev().fold(0, |rest, &limb| (rest << 64 | u128::from(limb)) % by);
        Natural::from(rest as u64)
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The bits that it takes: none for 0.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.limbs.last().map_or(0, |last| self.limbs.len() * 64 - last.leading_zeros() as usize)
    }

    /// Takes a number away, if that is not the larger; says whether it did.
    pub fn take(&mut self, other: &Natural) -> bool {
        if *self < *other {
            return false;
        }
        let mut borrow = false;
        for (i, limb) in self.limbs.iter_mut().enumerate() {
            let (rest, first) = limb.overflowing_sub(other.limbs.get(i).copied().unwrap_or(0));
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            *limb = rest;
            borrow = first || second;
        }
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        true
    }

    /// Half the number, rounded down.
    #[must_use]
    pub fn half(&self) -> Natural {
        let mut limbs = self.limbs.clone();
        for i in 0..limbs.len() {
            limbs[i] = limbs[i] >> 1 | limbs.get(i + 1).map_or(0, |next| next << 63);
        }
        Natural::from_limbs(limbs)
    }

    /// A number below this one, which is not 0, each as likely as the other.
    #[must_use]
    pub fn draw_below(&self, rng: &mut Rng) -> Natural {
        if let &[bound] = self.limbs() {
            return Natural::from(rng.below(bound));
        }
        let spare = self.limbs.len() * 64 - self.bits();
        loop {
            // One draw in two is below the bound, or more.
            let mut limbs: Vec<u64> = self.limbs.iter().map(|_| rng.bits()).collect();
            if let Some(last) = limbs.last_mut() {
                *last >>= spare;
            }
            let number = Natural::from_limbs(limbs);
            if number < *self {
                return number;
            }
        }
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        Natural::from_limbs(vec![value])
    }
}

/// In decimal.
impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHUNK: u128 = 10_000_000_000_000_000_000;
        let mut limbs = self.limbs.clone();
        let mut chunks = Vec::new();
        while !limbs.is_empty() {
            let mut rest = 0u128;
            for limb in limbs.iter_mut().rev() {
                let value = rest << 64 | u128::from(*limb);
                *limb = (value / CHUNK) as u64;
                rest = value % CHUNK;
            }
            chunks.push(rest as u64);
            while limbs.last() == Some(&0) {
                limbs.pop();
            }
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text += &format!("{chunk:019}");
        }
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_bytes_agree_with_128_bits() {
        let mut value: u128 = 1;
        for i in 0..200u32 {
            value =
                value.wrapping_mul(0x2545_f491_4f6c_dd1d_8a5c_d789_635d_2dff).wrapping_add(u128::from(i)) >> (i % 64);
            let number = Natural::from_limbs(vec![value as u64, (value >> 64) as u64]);
            assert_eq!(number.to_string(), value.to_string());
            let mut bytes = number.to_le_bytes();
            bytes.resize(16, 0);
            assert_eq!(u128::from_le_bytes(bytes.try_into().unwrap()), value);
            assert_eq!(number.half().to_string(), (value / 2).to_string());
            let mut sum = number.half();
            sum.add(&number.half());
            assert_eq!(sum, number.half().times(2));
            assert_eq!(Natural::from_le_bytes(&number.to_le_bytes()), number);
            assert_eq!(number.bits() as u32, 128 - value.leading_zeros());
            let mut rest = number.clone();
            let other = value.rotate_left(7) ^ 1;
            let taken = rest.take(&Natural::from_le_bytes(&other.to_le_bytes()));
            assert_eq!(taken, other <= value);
            assert_eq!(rest.to_string(), value.checked_sub(other).unwrap_or(value).to_string());
        }
        let mut square = Natural::from(u64::MAX);
        for _ in 0..3 {
            square = square.times(u32::MAX);
        }
        // (2^64 - 1)(2^32 - 1)^3
        assert_eq!(square.to_string(), "1461501636310055817599325767391581360682250010625");
        square.add(&Natural::from(1));
        assert_eq!(Natural::default().to_string(), "0");
        assert_eq!(Natural::default().to_le_bytes(), [0]);
    }

    #[test]
    fn draws_of_any_size_are_even() {
        let mut rng = Rng::seeded(1);
        // 5 * 2^64: the top limb is 0 to 4, and the low one anything.
        let bound = Natural::from_limbs(vec![0, 5]);
        let (mut high, mut low) = ([0u32; 5], [0u32; 8]);
        for _ in 0..40_000 {
            let number = bound.draw_below(&mut rng);
            assert!(number < bound);
            high[number.limbs().get(1).map_or(0, |&limb| limb as usize)] += 1;
            low[(number.limbs().first().map_or(0, |&limb| limb) >> 61) as usize] += 1;
        }
        assert!(high.iter().all(|&count| (7_700..8_300).contains(&count)), "{high:?}");
        assert!(low.iter().all(|&count| (4_700..5_300).contains(&count)), "{low:?}");
    }
}
