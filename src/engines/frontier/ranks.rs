//! [`Ranks`]: which pairings of a group occur, in words of 32 bits.

/// How the ranks of a group are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// All occur: no words.
    All,
    /// A bit for each rank, in this many words.
    Bits(u32),
    /// A rising list, a word each.
    Listed,
    /// A rising list of wide numbers, four words each, lowest first.
    Wide,
}

impl Ranks {
    /// The shortest way to keep this many of the ranks below `pairings`.
    #[inline]
    #[must_use]
    pub fn shortest(count: usize, pairings: u128, is_wide: bool) -> Ranks {
        let words = pairings.div_ceil(32);
        match () {
            () if count as u128 == pairings => Ranks::All,
            () if is_wide => Ranks::Wide,
            () if words <= count as u128 => Ranks::Bits(words as u32),
            () => Ranks::Listed,
        }
    }

    /// The number that stands for it in files.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Ranks::All => 0,
            Ranks::Listed => 1,
            Ranks::Wide => 2,
            Ranks::Bits(_) => 3,
        }
    }

    /// That with this number, of a group with so many pairings.
    #[must_use]
    pub fn from_code(code: u8, pairings: u128) -> Option<Ranks> {
        match code {
            0 => Some(Ranks::All),
            1 => Some(Ranks::Listed),
            2 => Some(Ranks::Wide),
            3 => Some(Ranks::Bits(u32::try_from(pairings.div_ceil(32)).ok()?)),
            _ => None,
        }
    }

    /// Words for this many ranks.
    #[inline]
    #[must_use]
    pub fn words(self, count: usize) -> usize {
        match self {
            Ranks::All => 0,
            Ranks::Bits(words) => words as usize,
            Ranks::Listed => count,
            Ranks::Wide => 4 * count,
        }
    }

    /// Whether words tell this many ranks, each below `pairings` and in rising order.
    #[must_use]
    pub fn is_sound(self, words: &[u32], count: usize, pairings: u128) -> bool {
        match self {
            Ranks::All => count as u128 == pairings,
            Ranks::Bits(_) => {
                let ones: usize = words.iter().map(|word| word.count_ones() as usize).sum();
                let spare = (words.len() * 32) as u32 - pairings as u32;
                ones == count && words.last().is_none_or(|last| last.leading_zeros() >= spare)
            }
            Ranks::Listed | Ranks::Wide => {
                let ranks = Cursor::new(self, words, count).take(count);
                ranks.clone().is_sorted_by(|a, b| a < b) && ranks.last().is_some_and(|rank| rank < pairings)
            }
        }
    }
}

/// The ranks of a group, read in turn.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    how: Ranks,
    words: &'a [u32],
    /// How many words, or ranks that all occur, are read; of the last word of bits `rest` is not.
    read: usize,
    rest: u32,
    /// Whether most words of bits have few.
    is_sparse: bool,
}

/// The places of the ones of each byte, behind which anything may be, and how many there are.
const ONES: [([u8; 8], u8); 256] = {
    let mut table = [([0; 8], 0); 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut ones) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte].0[ones] = bit;
                ones += 1;
            }
            bit += 1;
        }
        table[byte].1 = ones as u8;
        byte += 1;
    }
    table
};

impl<'a> Cursor<'a> {
    /// At the first of the `count` ranks that the words tell.
    #[inline]
    #[must_use]
    pub fn new(how: Ranks, words: &'a [u32], count: usize) -> Cursor<'a> {
        Cursor { how, words, read: 0, rest: 0, is_sparse: count < 8 * words.len() }
    }

    /// Reads the next `count` ranks, none of which is wide, into the first places of a list with [`SPARE`] places more.
    #[inline]
    pub fn fill(&mut self, ranks: &mut [u32], count: usize) {
        match self.how {
            Ranks::All => ranks[..count].iter_mut().zip(self.read as u32..).for_each(|(to, rank)| *to = rank),
            Ranks::Bits(_) => return self.fill_from_bits(ranks, count),
            Ranks::Listed => ranks[..count].copy_from_slice(&self.words[self.read..self.read + count]),
            Ranks::Wide => unreachable!("wide ranks are read one by one"),
        }
        self.read += count;
    }

    /// The next ranks, but those of bits, without a copy; then they count as read.
    #[inline]
    pub fn straight(&mut self, count: usize) -> Option<Straight<'a>> {
        let straight = match self.how {
            Ranks::All => Straight::From(self.read),
            Ranks::Listed => Straight::List(&self.words[self.read..self.read + count]),
            Ranks::Bits(_) | Ranks::Wide => return None,
        };
        self.read += count;
        Some(straight)
    }

    fn fill_from_bits(&mut self, ranks: &mut [u32], count: usize) {
        let mut filled = 0;
        while filled < count {
            if self.rest == 0 {
                self.rest = self.words[self.read];
                self.read += 1;
            }
            let first = (self.read as u32 - 1) * 32;
            if self.is_sparse || filled + 32 > count {
                while self.rest != 0 && filled < count {
                    ranks[filled] = first + self.rest.trailing_zeros();
                    self.rest &= self.rest - 1;
                    filled += 1;
                }
                continue;
            }
            // Eight places a byte, of which the next byte overwrites those that mean nothing.
            for (first, byte) in (first..).step_by(8).zip(self.rest.to_le_bytes()) {
                let (places, ones) = ONES[usize::from(byte)];
                if let Some(to) = ranks[filled..].first_chunk_mut() {
                    *to = places.map(|place| first + u32::from(place));
                }
                filled += usize::from(ones);
            }
            self.rest = 0;
        }
    }
}

/// Ranks that are kept as they are.
pub enum Straight<'a> {
    /// A list.
    List(&'a [u32]),
    /// All from this one on.
    From(usize),
}

/// Places behind a list of ranks that may be written to.
pub const SPARE: usize = 8;

/// Lists of ranks that are kept as bits: a group is the source of many others in a row.
#[derive(Debug, Default)]
pub struct Unpacked {
    /// By the low bits of its number: a group, and where its ranks begin.
    places: Vec<(u32, u32)>,
    ranks: Vec<u32>,
    /// How many ranks it may hold.
    most: usize,
}

impl Unpacked {
    /// Ranks that are held at most: as many as are quickly at hand.
    const MOST: usize = 1 << 18;
    /// Groups that are held.
    const PLACES: usize = 1 << 10;
    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.ranks.capacity() * 4 + self.places.capacity() * 8) as u64
    }

    /// Forgets all groups, and takes a small part of a memory limit from now on.
    pub fn begin(&mut self, memory_limit: Option<u64>) {
        self.clear();
        self.most = memory_limit.map_or(Unpacked::MOST, |limit| Unpacked::MOST.min((limit / 256) as usize));
    }

    fn clear(&mut self) {
        self.places.clear();
        self.ranks.clear();
    }

    /// The ranks of a group with this number, read from a list if that is quicker.
    #[inline]
    pub fn read<'a>(&'a mut self, number: u32, count: usize, mut ranks: Cursor<'a>) -> Cursor<'a> {
        if !matches!(ranks.how, Ranks::Bits(_)) || count > self.most / 2 {
            return ranks;
        }
        if self.ranks.len() + count + SPARE > self.most {
            self.clear();
        }
        if self.places.is_empty() {
            self.places.resize(Unpacked::PLACES, (u32::MAX, 0));
        }
        let place = &mut self.places[number as usize % Unpacked::PLACES];
        if place.0 != number {
            let from = self.ranks.len();
            *place = (number, from as u32);
            self.ranks.resize(from + count + SPARE, 0);
            ranks.fill(&mut self.ranks[from..], count);
            self.ranks.truncate(from + count);
        }
        Cursor::new(Ranks::Listed, &self.ranks[place.1 as usize..place.1 as usize + count], count)
    }
}

/// Each rank, wide or not; where all occur there is no end.
impl Iterator for Cursor<'_> {
    type Item = u128;

    #[inline]
    fn next(&mut self) -> Option<u128> {
        match self.how {
            Ranks::All => {
                self.read += 1;
                Some(self.read as u128 - 1)
            }
            Ranks::Bits(_) => {
                while self.rest == 0 {
                    self.rest = *self.words.get(self.read)?;
                    self.read += 1;
                }
                let rank = (self.read as u32 - 1) * 32 + self.rest.trailing_zeros();
                self.rest &= self.rest - 1;
                Some(rank.into())
            }
            Ranks::Listed => {
                self.read += 1;
                self.words.get(self.read - 1).map(|&rank| rank.into())
            }
            Ranks::Wide => {
                let words = self.words.get(4 * self.read..)?.first_chunk::<4>()?;
                self.read += 1;
                Some(words.iter().rev().fold(0, |rank, &word| rank << 32 | u128::from(word)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacked_ranks_are_the_same() {
        let mut unpacked = Unpacked::default();
        for round in 0..3 {
            unpacked.begin([None, Some(1), Some(30_000)][round as usize]);
            for number in 0..3000u32 {
                let words = [number | 1, round, 3, 0, 1 << 31];
                let count = words.iter().map(|word| word.count_ones() as usize).sum();
                let ranks = Cursor::new(Ranks::Bits(5), &words, count);
                let known: Vec<u128> = ranks.clone().collect();
                assert!(unpacked.read(number, count, ranks).eq(known), "{number}");
            }
        }
    }

    #[test]
    fn every_way_tells_the_same_ranks() {
        for pairings in [15u128, 105, 945, 10395] {
            for step in [1usize, 2, 3, 7, 13] {
                let ranks: Vec<u32> = (step as u32 - 1..pairings as u32).step_by(step).collect();
                let mut bits = vec![0u32; (pairings as usize).div_ceil(32)];
                ranks.iter().for_each(|&rank| bits[rank as usize / 32] |= 1 << (rank % 32));
                let wide: Vec<u32> = ranks.iter().flat_map(|&rank| [rank, 0, 0, 0]).collect();
                let ways = [
                    (Ranks::Bits(bits.len() as u32), &bits),
                    (Ranks::Listed, &ranks),
                    (Ranks::Wide, &wide),
                    (Ranks::All, &Vec::new()),
                ];
                for (how, words) in ways {
                    if how == Ranks::All && step > 1 {
                        continue;
                    }
                    assert_eq!(how.words(ranks.len()), words.len());
                    assert!(how.is_sound(words, ranks.len(), pairings));
                    assert!(
                        !how.is_sound(words, ranks.len() - 1, pairings) || how == Ranks::Listed || how == Ranks::Wide
                    );
                    assert_eq!(Ranks::from_code(how.code(), pairings), Some(how));
                    let each = Cursor::new(how, words, ranks.len()).take(ranks.len());
                    assert!(each.eq(ranks.iter().map(|&rank| u128::from(rank))), "{how:?} {step}");
                    for size in [1, 5, 32, 512] {
                        let mut cursor = Cursor::new(how, words, ranks.len());
                        for part in ranks.chunks(size).take(if how == Ranks::Wide { 0 } else { ranks.len() }) {
                            let mut filled = vec![0; part.len() + SPARE];
                            cursor.fill(&mut filled, part.len());
                            assert_eq!(filled[..part.len()], *part, "{how:?} {step} {size}");
                        }
                    }
                }
            }
        }
        assert_eq!(Ranks::shortest(945, 945, false), Ranks::All);
        assert_eq!(Ranks::shortest(30, 945, false), Ranks::Bits(30));
        assert_eq!(Ranks::shortest(29, 945, false), Ranks::Listed);
        assert_eq!(Ranks::shortest(30, 945, true), Ranks::Wide);
        // A bit beyond the last pairing, and one too few.
        assert!(!Ranks::Bits(1).is_sound(&[1 << 15], 1, 15));
        assert!(!Ranks::Bits(1).is_sound(&[1], 2, 15));
        assert!(!Ranks::Listed.is_sound(&[3, 3], 2, 15));
        assert!(!Ranks::Listed.is_sound(&[3, 15], 2, 15));
    }
}
