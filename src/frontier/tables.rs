//! [`Tables`]: what a change of a pairing does to its rank, looked up.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::state::{Kind, Pairing, Shape, pairings};

/// Tables are made for at most so many ranks before and after.
const TABLE_RANKS: u128 = 135_135;
/// Bytes that all tables together may take.
const TABLE_BYTES: u64 = 128 << 20;

/// For each rank before an op the rank after it, or the number of pairings after it where it cannot be
/// done; and once more that number for the number before.
#[derive(Debug)]
pub enum Table {
    /// Of 16 bits.
    Narrow(Box<[u16]>),
    /// Of 32 bits.
    Broad(Box<[u32]>),
}

impl Table {
    #[inline]
    /// The rank after the op.
    #[must_use]
    pub fn get(&self, rank: u32) -> u32 {
        match self {
            Table::Narrow(table) => table[rank as usize].into(),
            Table::Broad(table) => table[rank as usize],
        }
    }
}

/// The tables of the shapes, made when they have been missed often enough to pay.
#[derive(Debug)]
pub struct Tables {
    /// By half the ends and kind, made when one of them is asked for; then by places.
    shelves: Box<[OnceLock<Box<[Slot]>>]>,
    bytes: AtomicU64,
    /// Bytes from which on no more are made.
    most_bytes: u64,
}

#[derive(Debug, Default)]
struct Slot {
    table: OnceLock<Table>,
    /// How many ranks were done without it.
    missed: AtomicU32,
}

const PLACES: usize = 20;
const SHELF: usize = PLACES * PLACES;

impl Default for Tables {
    fn default() -> Self {
        Tables {
            shelves: (0..PLACES / 2 * 4).map(|_| OnceLock::new()).collect(),
            bytes: AtomicU64::new(0),
            most_bytes: TABLE_BYTES,
        }
    }
}

impl Tables {
    /// Leaves most of the memory to the states.
    pub fn limit(&mut self, memory_limit: Option<u64>) {
        self.most_bytes = memory_limit.map_or(TABLE_BYTES, |limit| TABLE_BYTES.min(limit / 8));
    }

    /// Bytes of the tables made so far, and of the lists of them.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn slot(&self, shape: Shape) -> &Slot {
        let kind = match shape.kind {
            Kind::New => 0,
            Kind::Move => 1,
            Kind::Join => 2,
            Kind::Mirror => 3,
        };
        let shelf = self.shelves[usize::from(shape.ends) / 2 * 4 + kind].get_or_init(|| {
            self.bytes.fetch_add((SHELF * size_of::<Slot>()) as u64, Ordering::Relaxed);
            (0..SHELF).map(|_| Slot::default()).collect()
        });
        &shelf[usize::from(shape.a) * PLACES + usize::from(shape.b)]
    }

    /// The table of a shape, if there is one or it is time to make it: `ranks` are to be looked up.
    pub fn find(&self, shape: Shape, ranks: usize) -> Option<&Table> {
        let before = pairings(shape.ends.into());
        if before > TABLE_RANKS || pairings(shape.ends_after().into()) > TABLE_RANKS {
            return None;
        }
        let slot = self.slot(shape);
        if let Some(table) = slot.table.get() {
            return Some(table);
        }
        // A rank of a table made from smaller ones costs a small part of what one costs without a table.
        let missed = slot.missed.fetch_add(ranks.min(1 << 24) as u32, Ordering::Relaxed);
        if u128::from(missed) * 16 < before || self.bytes() > self.most_bytes {
            return None;
        }
        Some(self.make(shape))
    }

    /// Changes ranks by a shape without a table of its own, by smaller ones where they serve.
    pub fn follow(&self, shape: Shape, ranks: &mut [u32], pairing: &mut Pairing) {
        let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
        let rest = before / u32::from(shape.ends.max(2) - 1);
        let mut smaller: [Option<(u32, u32, &Table)>; PLACES] = [None; PLACES];
        for (digit, smaller) in smaller.iter_mut().enumerate().take(shape.ends.saturating_sub(1).into()) {
            if let Some((to, shape)) = shape.below(digit as u8)
                && let Some(table) = self.find(shape, ranks.len() / 8)
            {
                let rest_after = pairings(shape.ends_after().into()) as u32;
                *smaller = Some((u32::from(to) * rest_after, rest_after, table));
            }
        }
        for rank in ranks {
            if *rank == before {
                *rank = after;
                continue;
            }
            *rank = match smaller[(*rank / rest) as usize] {
                Some((offset, none, table)) => {
                    let rank = table.get(*rank % rest);
                    if rank == none { after } else { offset + rank }
                }
                None => shape.follow(pairing, *rank).unwrap_or(after),
            };
        }
    }

    /// The table of a shape, made now if need be.
    fn make(&self, shape: Shape) -> &Table {
        self.slot(shape).table.get_or_init(|| {
            let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
            let mut ranks = Vec::with_capacity(before as usize + 1);
            let mut pairing = Pairing::default();
            // By the partner of the lowest end: where neither is touched, a smaller table says the rest.
            let digits = u32::from(shape.ends.max(2) - 1);
            for digit in 0..digits {
                let rest = before / digits;
                if shape.kind == Kind::Mirror && shape.ends > 2 {
                    let [mirror, new] = shape.below_mirror(digit as u8).map(|shape| self.make(shape));
                    ranks.extend((0..rest).map(|rank| new.get(mirror.get(rank))));
                    continue;
                }
                match shape.below(digit as u8) {
                    Some((to, smaller)) => {
                        let rest_after = pairings(smaller.ends_after().into()) as u32;
                        let offset = u32::from(to) * rest_after;
                        let table = self.make(smaller);
                        ranks.extend((0..rest).map(|rank| {
                            let rank = table.get(rank);
                            if rank == rest_after { after } else { offset + rank }
                        }));
                    }
                    None => ranks.extend(
                        (digit * rest..(digit + 1) * rest)
                            .map(|rank| shape.follow(&mut pairing, rank).unwrap_or(after)),
                    ),
                }
            }
            ranks.push(after);
            let table = if after < 1 << 16 {
                Table::Narrow(ranks.iter().map(|&rank| rank as u16).collect())
            } else {
                Table::Broad(ranks.into())
            };
            let size = match &table {
                Table::Narrow(t) => t.len() * 2,
                Table::Broad(t) => t.len() * 4,
            };
            self.bytes.fetch_add(size as u64, Ordering::Relaxed);
            table
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_made_from_smaller_ones_agree_with_the_definition() {
        let tables = Tables::default();
        let mut pairing = Pairing::default();
        for ends in (0..=10u8).step_by(2) {
            for kind in [Kind::New, Kind::Move, Kind::Join, Kind::Mirror] {
                for a in 0..ends + 2 {
                    for b in 0..ends + 2 {
                        let fits = match kind {
                            Kind::New => a < b,
                            Kind::Move => a != b && a < ends && b < ends,
                            Kind::Join => a < b && b < ends,
                            Kind::Mirror => a + b <= ends,
                        };
                        if !fits {
                            continue;
                        }
                        let shape = Shape { kind, ends, a, b };
                        let table = tables.make(shape);
                        let none = pairings(shape.ends_after().into()) as u32;
                        for rank in 0..pairings(ends.into()) as u32 {
                            let expected = shape.follow(&mut pairing, rank).unwrap_or(none);
                            assert_eq!(table.get(rank), expected, "{shape:?} {rank}");
                        }
                        assert_eq!(table.get(pairings(ends.into()) as u32), none);
                    }
                }
            }
        }
    }
}
