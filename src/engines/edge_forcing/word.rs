//! [`WordState`]: the sets of a search as bitboards, for graphs whose vertices and apexes fit one word.
//!
//! What each vertex spares is kept in bit planes: plane `k` holds bit `k` of the numbers of all
//! vertices, so that taking one from a whole set of them is a subtraction with a few words, and so are
//! finding the vertices that spare nothing and the ones that spare least.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl};
use std::sync::Arc;

use super::state::State;
use crate::request::apex::Apexes;
use crate::request::graph::Graph;

/// A machine word as a set of vertices.
pub(super) trait Word:
    Copy
    + Eq
    + Send
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
{
    const NONE: Self;
    const ONE: Self;
    fn first(self) -> u32;
    fn count(self) -> u32;
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const NONE: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
        }
    };
}
word!(u64);
word!(u128);

/// Bits of the most that a vertex may spare.
const PLANES: usize = 4;

/// The most that a vertex may spare.
pub(super) const MOST_SPARED: usize = (1 << PLANES) - 1;

/// What a branching comes back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved<W> {
    active: W,
    /// Ends and inner vertices: all but the bare ones.
    begun: W,
    planes: [W; PLANES],
}

/// The sets of a search on at most `N` vertices, `N` being the bits of `W`.
#[derive(Clone, Debug)]
pub(super) struct WordState<W, const N: usize> {
    sets: Saved<W>,
    /// Vertices that spare less than nothing.
    failed: W,
    /// The vertices that are no apexes.
    plain: W,
    apexes: W,
    /// The vertices from the origin on.
    late: W,
    /// Neighbours by edges neither chosen nor forbidden; inner ones are not taken out.
    joined: [W; N],
    mates: [u8; N],
    /// The neighbours by chosen edges: of an end the first, of an inner vertex both.
    links: [[u8; 2]; N],
}

impl<W: Word, const N: usize> WordState<W, N> {
    #[inline(always)]
    fn single(v: u32) -> W {
        W::ONE << (v & (N as u32 - 1))
    }

    fn from_to(from: u32, upto: u32) -> W {
        (from..upto).fold(W::NONE, |set, v| set | Self::single(v))
    }

    /// The place of a vertex in an array: within bounds for the compiler, too.
    #[inline(always)]
    const fn at(v: u32) -> usize {
        v as usize & (N - 1)
    }

    #[inline(always)]
    fn usable(&self, v: u32) -> W {
        self.joined[Self::at(v)] & self.sets.active
    }

    /// Of a set of vertices that are no apexes the one that spares least: an end of a fragment if there
    /// is a choice, then the first, counted from the origin.
    #[inline(always)]
    fn tightest(&self, set: W) -> Option<u32> {
        let [p0, p1, p2, p3] = self.sets.planes;
        let low = set & !(p2 | p3);
        let mut least = low & p0 & !p1;
        if least == W::NONE {
            least = low & p1 & !p0;
        }
        if least == W::NONE {
            least = self.tightest_of_many(set);
        }
        let ends = least & self.sets.begun;
        if ends != W::NONE {
            least = ends;
        }
        let late = least & self.late;
        if late != W::NONE {
            least = late;
        }
        (least != W::NONE).then(|| least.first())
    }

    #[cold]
    #[inline(never)]
    fn tightest_of_many(&self, set: W) -> W {
        (1..=MOST_SPARED)
            .map(|slack| {
                let planes = self.sets.planes.iter().enumerate();
                planes.fold(set, |set, (bit, &plane)| set & if slack >> bit & 1 != 0 { plane } else { !plane })
            })
            .find(|&least| least != W::NONE)
            .unwrap_or(W::NONE)
    }

    /// Each vertex of the set, of which none is an apex, spares one less.
    #[inline(always)]
    fn lose_each(&mut self, set: W) {
        let mut borrow = set;
        for plane in &mut self.sets.planes {
            let next = borrow & !*plane;
            *plane ^= borrow;
            borrow = next;
        }
        self.failed |= borrow;
    }
}

impl<W: Word, const N: usize> State for WordState<W, N> {
    type Saved = Saved<W>;

    const BATCH: u64 = 256;

    fn new(graph: &Arc<Graph>, plan: &Apexes) -> Self {
        let count = graph.len() as u32;
        let plain = Self::from_to(0, count);
        let apexes = Self::from_to(count, plan.vertices(graph) as u32);
        let mut state = WordState {
            sets: Saved { active: plain | apexes, begun: W::NONE, planes: [W::NONE; PLANES] },
            failed: W::NONE,
            plain,
            apexes,
            late: plain,
            joined: [W::NONE; N],
            mates: std::array::from_fn(|v| v as u8),
            links: [[0; 2]; N],
        };
        for v in 0..count {
            for &to in graph.neighbours(v) {
                state.joined[Self::at(v)] |= Self::single(to);
            }
        }
        for (apex, members) in (count..).zip(&plan.apexes) {
            for v in members.iter() {
                state.joined[Self::at(v)] |= Self::single(apex);
                state.joined[Self::at(apex)] |= Self::single(v);
            }
        }
        for v in 0..count {
            match state.usable(v).count().checked_sub(2) {
                Some(slack) => {
                    for (bit, plane) in state.sets.planes.iter_mut().enumerate() {
                        if slack >> bit & 1 != 0 {
                            *plane |= Self::single(v);
                        }
                    }
                }
                None => state.failed |= Self::single(v),
            }
        }
        state
    }

    fn set_origin(&mut self, origin: u32) {
        self.late = Self::from_to(origin, self.plain.count());
    }

    #[inline(always)]
    fn save(&self) -> Saved<W> {
        self.sets
    }

    #[inline(always)]
    fn restore(&mut self, saved: &Saved<W>) {
        self.sets = *saved;
        self.failed = W::NONE;
    }

    #[inline(always)]
    fn is_bare(&self, v: u32) -> bool {
        self.sets.begun & Self::single(v) == W::NONE
    }

    #[inline(always)]
    fn is_active(&self, v: u32) -> bool {
        self.sets.active & Self::single(v) != W::NONE
    }

    #[inline(always)]
    fn are_last(&self, a: u32, b: u32) -> bool {
        self.sets.active == Self::single(a) | Self::single(b)
    }

    #[inline(always)]
    fn has_failed(&self) -> bool {
        self.failed != W::NONE
    }

    #[inline(always)]
    fn mate(&self, v: u32) -> u32 {
        u32::from(self.mates[Self::at(v)])
    }

    #[inline(always)]
    fn set_mates(&mut self, a: u32, b: u32) {
        self.mates[Self::at(a)] = b as u8;
        self.mates[Self::at(b)] = a as u8;
    }

    #[inline(always)]
    fn unset_mates(&mut self, a: u32, u: u32, b: u32, v: u32) {
        self.mates[Self::at(a)] = u as u8;
        self.mates[Self::at(b)] = v as u8;
    }

    #[inline(always)]
    fn begin(&mut self, v: u32, to: u32) {
        self.sets.begun |= Self::single(v);
        self.links[Self::at(v)][0] = to as u8;
    }

    #[inline(always)]
    fn unbegin(&mut self, _v: u32) {}

    #[inline(always)]
    fn retire(&mut self, v: u32, to: u32) {
        self.links[Self::at(v)][1] = to as u8;
        self.sets.active &= !Self::single(v);
        self.lose_each(self.usable(v) & self.plain & !Self::single(to));
    }

    #[inline(always)]
    fn unretire(&mut self, _v: u32, _to: u32) {}

    #[inline(always)]
    fn is_usable(&self, a: u32, b: u32) -> bool {
        self.joined[Self::at(a)] & Self::single(b) != W::NONE
    }

    #[inline(always)]
    fn cut(&mut self, a: u32, b: u32) {
        self.joined[Self::at(a)] ^= Self::single(b);
        self.joined[Self::at(b)] ^= Self::single(a);
    }

    #[inline(always)]
    fn uncut(&mut self, a: u32, b: u32) {
        self.cut(a, b);
    }

    #[inline(always)]
    fn lose(&mut self, a: u32, b: u32) {
        self.lose_each((Self::single(a) | Self::single(b)) & self.plain);
    }

    #[inline(always)]
    fn unlose(&mut self, _a: u32, _b: u32) {}

    #[inline(always)]
    fn forced(&self) -> Option<(u32, u32)> {
        let [p0, p1, p2, p3] = self.sets.planes;
        let forced = self.sets.active & self.plain & !(p0 | p1 | p2 | p3);
        if forced == W::NONE {
            return None;
        }
        let v = forced.first();
        Some((v, self.usable(v).first()))
    }

    #[inline(always)]
    fn forced_apex(&self) -> (Option<(u32, u32)>, bool) {
        let mut apexes = self.apexes & self.sets.active;
        while apexes != W::NONE {
            let v = apexes.first();
            apexes &= !Self::single(v);
            let usable = self.usable(v);
            let needed = if self.is_bare(v) { 2 } else { 1 };
            match usable.count() {
                count if count < needed => return (None, true),
                count if count == needed => return (Some((v, usable.first())), false),
                _ => {}
            }
        }
        (None, false)
    }

    #[inline(always)]
    fn choose(&self) -> Option<u32> {
        self.tightest(self.sets.active & self.plain)
    }

    #[inline(always)]
    fn choose_at(&self, v: u32) -> Option<(u32, u32)> {
        let usable = self.usable(v);
        Some((v, self.tightest(usable & self.plain).unwrap_or(usable.first())))
    }

    fn slack(&self, v: u32) -> usize {
        let bits = self.sets.planes.iter().enumerate();
        let slack: usize = bits.map(|(bit, &plane)| usize::from(plane & Self::single(v) != W::NONE) << bit).sum();
        slack * 2 + usize::from(self.is_bare(v))
    }

    #[inline(always)]
    fn close(&mut self, a: u32, b: u32) {
        self.links[Self::at(a)][1] = b as u8;
        self.links[Self::at(b)][1] = a as u8;
    }

    #[inline(always)]
    fn links(&self, v: u32) -> [u32; 2] {
        self.links[Self::at(v)].map(u32::from)
    }
}
