//! Seeded random numbers that stay the same from version to version.
//!
//! The generator is xoshiro256++ (Blackman and Vigna), whose output is fixed by its definition; the
//! draw from a range is spelled out here so that no library's change of method changes a seeded run.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// One of many independent streams of a seed: trial number `stream` draws the same numbers
    /// whichever thread runs it.
    #[must_use]
    pub fn stream(seed: u64, stream: u64) -> Rng {
        Rng::seeded(seed ^ mixed(stream))
    }

    /// The seed whose stream 0 is this stream of this seed.
    #[must_use]
    pub fn seed_of_stream(seed: u64, stream: u64) -> u64 {
        seed ^ mixed(stream) ^ mixed(0)
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound` (at least 1), each equally likely (Lemire's method, with rejection).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }
}

fn mixed(stream: u64) -> u64 {
    Xoshiro256PlusPlus::seed_from_u64(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)).next_u64()
}

/// A fresh seed from the operating system.
#[must_use]
pub fn fresh_seed() -> u64 {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        // A machine without an entropy source still gets runs that differ, by the clock.
        Err(_) => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_numbers() {
        let draw = |mut rng: Rng| (0..5).map(|_| rng.below(100)).collect::<Vec<_>>();
        assert_eq!(draw(Rng::seeded(7)), draw(Rng::seeded(7)));
        assert_ne!(draw(Rng::stream(7, 0)), draw(Rng::stream(7, 1)));
        assert_eq!(draw(Rng::stream(7, 5)), draw(Rng::stream(Rng::seed_of_stream(7, 5), 0)));
        assert_eq!(Rng::seed_of_stream(7, 0), 7);
        // seed_from_u64 and next_u64 of xoshiro256++ as its authors' code gives them for seed 0.
        assert_eq!(Rng::seeded(0).bits(), 0x53175d61490b23df);
    }

    #[test]
    fn draws_are_even() {
        let mut rng = Rng::seeded(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&c| (9_600..10_400).contains(&c)), "{counts:?}");
    }
}
