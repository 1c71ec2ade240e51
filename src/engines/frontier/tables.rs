//! [`Tables`]: what a change of a pairing does to its rank, looked up.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::account::Account;
use super::state::{Below, Kind, Matching, Shape, pairings};

/// Tables are made for at most this many ends before and after: 135,135 ranks.
const TABLE_ENDS: u8 = 14;
/// A table is made when this many times the ranks that have been looked up without it are its own.
const WORTH: u128 = 32;
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
    /// The rank after the op.
    #[inline]
    #[must_use]
    pub fn get(&self, rank: u32) -> u32 {
        match self {
            Table::Narrow(table) => table[rank as usize].into(),
            Table::Broad(table) => table[rank as usize],
        }
    }

    /// What stands for no rank: the last entry.
    fn none(&self) -> u32 {
        match self {
            Table::Narrow(table) => table.last().map_or(0, |&rank| rank.into()),
            Table::Broad(table) => table.last().map_or(0, |&rank| rank),
        }
    }

    /// The rank after the op, if it can be done.
    fn find(&self, rank: u32) -> Option<u32> {
        Some(self.get(rank)).filter(|&rank| rank != self.none())
    }

    /// Appends the ranks after the op, each with an offset; `none` where it cannot be done.
    fn append_to(&self, ranks: &mut Vec<u32>, offset: u32, none: u32) {
        let here = self.none();
        let rank = |rank: u32| if rank == here { none } else { offset + rank };
        match self {
            Table::Narrow(table) => ranks.extend(table[..table.len() - 1].iter().map(|&to| rank(to.into()))),
            Table::Broad(table) => ranks.extend(table[..table.len() - 1].iter().map(|&to| rank(to))),
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

/// What is added to the ranks with some partner of the lowest end, and the smaller tables that change the rest.
type Smaller<'t> = Option<(u32, [Option<&'t Table>; 2])>;

#[derive(Debug, Default)]
struct Slot {
    table: OnceLock<Table>,
    /// How many ranks were done without it.
    missed: AtomicU32,
}

const PLACES: usize = 20;
const SHELF: usize = PLACES * PLACES;
const SHELF_BYTES: u64 = (SHELF * size_of::<Slot>()) as u64;

#[inline]
fn place(shape: Shape) -> usize {
    usize::from(shape.a) * PLACES + usize::from(shape.b)
}

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

    /// The table of a shape, if there is one or it is time to make it: `ranks` are to be looked up, and memory is left.
    #[inline]
    pub fn find(&self, shape: Shape, ranks: usize, account: &Account<'_>) -> Option<&Table> {
        if shape.ends.max(shape.ends_after()) > TABLE_ENDS {
            return None;
        }
        let slot = match self.shelf(shape).get() {
            Some(shelf) => &shelf[place(shape)],
            None => account.make(SHELF_BYTES, || (self.slot(shape), SHELF_BYTES))?,
        };
        slot.table.get().or_else(|| self.miss(shape, slot, ranks, account))
    }

    #[inline]
    fn shelf(&self, shape: Shape) -> &OnceLock<Box<[Slot]>> {
        &self.shelves[usize::from(shape.ends) / 2 * 4 + shape.kind as usize]
    }

    fn slot(&self, shape: Shape) -> &Slot {
        let shelf = self.shelf(shape).get_or_init(|| {
            self.bytes.fetch_add(SHELF_BYTES, Ordering::Relaxed);
            (0..SHELF).map(|_| Slot::default()).collect()
        });
        &shelf[place(shape)]
    }

    #[cold]
    fn miss(&self, shape: Shape, slot: &Slot, ranks: usize, account: &Account<'_>) -> Option<&Table> {
        // Made from smaller ones, a rank of a table costs a small part of what one costs without a table.
        let missed = u128::from(slot.missed.fetch_add(ranks.min(1 << 24) as u32, Ordering::Relaxed)) + ranks as u128;
        let before = pairings(shape.ends.into());
        // With those that it is made from, and while it is made.
        let bytes = before as u64 * 16;
        if missed * WORTH < before || self.bytes() + bytes > self.most_bytes {
            return None;
        }
        account.make(bytes, || {
            let mut taken = 0;
            (self.make(shape, &mut taken), taken)
        })
    }

    /// Changes ranks by a shape without a table of its own, by smaller ones where they serve.
    pub fn follow(&self, shape: Shape, ranks: &mut [u32], pairing: &mut Matching, account: &Account<'_>) {
        let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
        let rest = before / u32::from(shape.ends.max(2) - 1);
        let mut smaller: [Smaller<'_>; PLACES] = [None; PLACES];
        if shape.ends > 2 {
            for (digit, smaller) in smaller.iter_mut().enumerate().take(shape.ends as usize - 1) {
                if let Some(below) = shape.below(digit as u8) {
                    let find = |shape: Option<Shape>| match shape {
                        None => Some(None),
                        Some(shape) => self.find(shape, ranks.len() / 8, account).map(Some),
                    };
                    if let (Some(first), Some(then)) = (find(below.first), find(below.then)) {
                        *smaller = Some((below.offset, [first, then]));
                    }
                }
            }
        }
        for rank in ranks {
            if *rank == before {
                *rank = after;
                continue;
            }
            *rank = match smaller[(*rank / rest) as usize] {
                Some((offset, tables)) => {
                    let mut to = Some(*rank % rest);
                    for table in tables.into_iter().flatten() {
                        to = to.and_then(|rank| table.find(rank));
                    }
                    to.map_or(after, |rank| offset + rank)
                }
                None => shape.follow(pairing, *rank).unwrap_or(after),
            };
        }
    }

    /// The table of a shape, made now if need be; the bytes that are taken for it are added up.
    fn make(&self, shape: Shape, taken: &mut u64) -> &Table {
        self.slot(shape).table.get_or_init(|| {
            let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
            let mut ranks = Vec::with_capacity(before as usize + 1);
            if shape.ends <= 2 && shape.kind != Kind::New {
                ranks.push(0);
            } else {
                // By the partner of the lowest end.
                let digits = shape.ends.max(2) - 1;
                let rest = before / u32::from(digits);
                for digit in 0..digits {
                    let Some(Below { offset, first, then }) = shape.below(digit) else {
                        ranks.resize(ranks.len() + rest as usize, after);
                        continue;
                    };
                    match (first.map(|shape| self.make(shape, taken)), then.map(|shape| self.make(shape, taken))) {
                        (None, None) => ranks.extend(offset..offset + rest),
                        (Some(table), None) | (None, Some(table)) => table.append_to(&mut ranks, offset, after),
                        (Some(first), Some(then)) => {
                            let to = |rank| first.find(rank).and_then(|rank| then.find(rank));
                            ranks.extend((0..rest).map(|rank| to(rank).map_or(after, |rank| offset + rank)));
                        }
                    }
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
            *taken += size as u64;
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
        let mut pairing = Matching::default();
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
                        let table = tables.make(shape, &mut 0);
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
