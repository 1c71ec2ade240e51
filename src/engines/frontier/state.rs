//! [`Mask`], [`Matching`] and [`Op`]: what a state is, and what sweeping a vertex does to it.
//!
//! A state is two bitboards over the slots, `ends` and `full`, and a pairing of the ends by the
//! fragments. The bitboards alone, the *key*, say which edges may be added; states with one key form
//! a *group* and are swept together.
//!
//! A pairing of k ends is a number below (k - 1)!! = 1 * 3 * 5 * … * (k - 1), its *rank*: pair the lowest end
//! with the d-th of the others, then the lowest left, and so on; the digits d have the radices k - 1, k - 3, ….
//! To sweep a vertex is to link what it had, or to say that it was passed through: of its two edges those
//! to earlier vertices are known, and each choice of the others is one [`Op`] on the pairing.
//! Which rank becomes which by an op depends on nothing but the number of ends and on which of them, in
//! order, are concerned ([`Shape`]); so it can be looked up in a table that many groups share.

use super::mask::{MIDDLE, Mask, mirrored};
use super::plan::{Choice, Swept};

impl Mask {
    /// Whether there may be such a state once a vertex is swept. Each vertex must have been able to get the edges
    /// that it has and be able to get those that it lacks; and without ends there is none but where nothing is
    /// left to do, since a cycle that closes earlier misses a vertex.
    #[inline]
    #[must_use]
    pub const fn is_possible(self, swept: &Swept) -> bool {
        let free = swept.after & !(self.ends | self.full);
        (self.full & !swept.may_be_full) | (self.ends & !swept.may_be_ends) | (free & !swept.may_be_free) == 0
            && (self.ends != 0 || (swept.all_reached && self.full | swept.parity == swept.after | swept.parity))
    }

    /// How many pairings of the ends there are.
    #[must_use]
    pub const fn pairings(self) -> u128 {
        pairings(self.ends.count_ones())
    }

    /// The keys to which sweeping a vertex leads, each with the choice that does.
    #[inline]
    pub fn pushed(self, swept: &Swept) -> impl Iterator<Item = (Mask, Choice)> {
        let own = 1u64 << swept.slot;
        let degree = if self.full & own != 0 { 2 } else { u8::from(self.ends & own != 0) };
        let rest = Mask { ends: self.ends & !own, full: self.full & !own };
        swept.choices_of(2 - degree).iter().filter_map(move |&choice| {
            let full = (rest.full | rest.ends & choice.mask) ^ choice.toggle;
            let key = Mask { ends: rest.ends ^ choice.mask, full };
            (rest.full & choice.mask == 0 && key.is_possible(swept)).then_some((key, choice))
        })
    }

    /// The keys from which sweeping a vertex leads to this one, each with the choice that does.
    #[inline]
    pub fn pulled(self, swept: &Swept) -> impl Iterator<Item = (Mask, Choice)> {
        let own = 1u64 << swept.slot;
        let used = self.ends | self.full;
        swept.choices.iter().filter_map(move |&choice| {
            let mut key = Mask { ends: self.ends ^ choice.mask, full: self.full & !choice.mask ^ choice.toggle };
            match choice.count {
                0 => key.full |= own,
                1 => key.ends |= own,
                _ => {}
            }
            (choice.mask & !used == 0 && (key.ends | key.full) & !swept.before == 0).then_some((key, choice))
        })
    }
}

/// The most ends for which the number of pairings is known to fit.
pub const MOST_ENDS: u32 = 56;

/// The number of pairings of `ends` things: 1 * 3 * 5 * … * (ends - 1), or `u128::MAX` beyond [`MOST_ENDS`].
#[must_use]
pub const fn pairings(ends: u32) -> u128 {
    if ends > MOST_ENDS { u128::MAX } else { PAIRINGS[ends as usize] }
}

const PAIRINGS: [u128; MOST_ENDS as usize + 1] = {
    let mut table = [1; MOST_ENDS as usize + 1];
    let mut ends = 2;
    while ends < table.len() {
        table[ends] = table[ends - 2] * (ends as u128 - 1 + ends as u128 % 2);
        ends += 1;
    }
    table
};

/// What sweeping a vertex does to a pairing. Members are slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The vertex was full: nothing.
    Keep,
    /// Two new ends, paired with each other.
    New(u8, u8),
    /// The end at the first slot moves to the second.
    Move(u8, u8),
    /// Two ends are joined and vanish; their partners are paired. Impossible if they were partners,
    /// except to close the last fragment.
    Join(u8, u8),
}

impl Op {
    /// The op of a choice, given the key before it.
    #[inline]
    #[must_use]
    pub fn new(swept: &Swept, before: Mask, choice: Choice) -> Op {
        if choice.count == 0 {
            return Op::Keep;
        }
        let low = choice.mask.trailing_zeros() as u8;
        let high = 63 - choice.mask.leading_zeros() as u8;
        let own = swept.slot as u8;
        match (choice.count, (before.ends & choice.mask).count_ones()) {
            (1, 0) => Op::Move(own, low),
            (1, _) => Op::Join(own, low),
            (_, 0) => Op::New(low, high),
            (_, 1) if before.ends >> low & 1 != 0 => Op::Move(low, high),
            (_, 1) => Op::Move(high, low),
            _ => Op::Join(low, high),
        }
    }

    /// The image of the op in the mirror.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Op {
        let image = |slot: u8| if MIDDLE >> slot & 1 != 0 { slot } else { 63 - slot };
        match self {
            Op::Keep => Op::Keep,
            Op::New(a, b) => Op::New(image(a), image(b)),
            Op::Move(from, to) => Op::Move(image(from), image(to)),
            Op::Join(a, b) => Op::Join(image(a), image(b)),
        }
    }

    /// The ends after it, given those before.
    #[inline]
    #[must_use]
    pub fn ends_after(self, before: u64) -> u64 {
        match self {
            Op::Keep => before,
            // What was an end no longer is one, and the other way round.
            Op::New(a, b) | Op::Move(a, b) | Op::Join(a, b) => before ^ (1 << a | 1 << b),
        }
    }

    /// What a table of this op depends on, given the ends before and after. `None`: no rank changes.
    #[inline]
    #[must_use]
    pub fn shape(self, before: u64, after: u64) -> Option<Shape> {
        let place = |ends: u64, slot: u8| (ends & ((1 << slot) - 1)).count_ones() as u8;
        let ends = before.count_ones() as u8;
        let (kind, a, b) = match self {
            Op::Keep => return None,
            Op::New(a, b) => (Kind::New, place(after, a), place(after, b)),
            Op::Move(from, to) => {
                let (from, to) = (place(before, from), place(after, to));
                if from == to {
                    return None;
                }
                (Kind::Move, from, to)
            }
            Op::Join(a, b) => {
                let (a, b) = (place(before, a), place(before, b));
                (Kind::Join, a.min(b), a.max(b))
            }
        };
        Some(Shape { kind, ends, a, b })
    }
}

/// The kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Op::New`] at two places of the ends after it.
    New,
    /// [`Op::Move`] from a place among the ends before to one among the ends after.
    Move,
    /// [`Op::Join`] of two places of the ends before.
    Join,
    /// The mirror: `a` ends left of the middle, `b` in it.
    Mirror,
}

/// An op in terms of places among the ends, whatever their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What is done.
    pub kind: Kind,
    /// The ends before it.
    pub ends: u8,
    /// The first place.
    pub a: u8,
    /// The second place.
    pub b: u8,
}

/// What an op does to some of the pairings of its ends, by the ranks of the pairings of two ends less: these are changed
/// by one shape, then by another, and the offset is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Below {
    /// What is added.
    pub offset: u32,
    /// What is done first.
    pub first: Option<Shape>,
    /// What is done then.
    pub then: Option<Shape>,
}

impl Shape {
    /// The shape of the mirror for these ends.
    #[inline]
    #[must_use]
    pub fn mirror(ends: u64) -> Shape {
        let middle = (ends & MIDDLE).count_ones() as u8;
        // With at most one end in the middle the order is reversed, wherever that is.
        let left = if middle > 1 { (ends & ((1 << MIDDLE.trailing_zeros()) - 1)).count_ones() as u8 } else { 0 };
        Shape { kind: Kind::Mirror, ends: ends.count_ones() as u8, a: left, b: if middle > 1 { middle } else { 0 } }
    }

    /// The ends after it.
    #[must_use]
    pub const fn ends_after(self) -> u8 {
        match self.kind {
            Kind::New => self.ends + 2,
            Kind::Move | Kind::Mirror => self.ends,
            Kind::Join => self.ends - 2,
        }
    }

    /// What the op does to those pairings in which the lowest end has the `digit`-th of the others as its partner, in
    /// terms of the pairing of the rest. `None`: it cannot be done to them. At least four ends, or a new pair.
    #[must_use]
    pub fn below(self, digit: u8) -> Option<Below> {
        let Shape { kind, ends, a, b } = self;
        let partner = digit + 1;
        // Where a place of the ends is among the others once the lowest and its partner are gone.
        let rest = |place: u8| place - 1 - u8::from(place > partner);
        let less = ends.saturating_sub(2);
        // The lowest end afterwards, with its partner there, and what is done to the rest.
        let lowest = |partner: u8, shape: Shape| {
            let offset = u32::from(partner - 1) * pairings(shape.ends_after().into()) as u32;
            Some(Below { offset, first: Some(shape), then: None })
        };
        let kept = |partner: u8| {
            let offset = u32::from(partner - 1) * pairings(less.into()) as u32;
            Some(Below { offset, first: None, then: None })
        };
        // A pair at these places afterwards, the lower of which may be any.
        let paired = |first: Option<Shape>, a: u8, b: u8| {
            let then = Shape { kind: Kind::New, ends: less, a: a.min(b), b: a.max(b) };
            Some(Below { offset: 0, first, then: Some(then) })
        };
        match kind {
            Kind::New if a == 0 => {
                let offset =
                    u32::from(b - 1) * pairings(ends.into()) as u32 + u32::from(digit) * pairings(less.into()) as u32;
                Some(Below { offset, first: None, then: None })
            }
            Kind::New => {
                // `a` and `b` are places afterwards; the partner is pushed up by those below it.
                let mut after = partner;
                after += u8::from(after >= a);
                after += u8::from(after >= b);
                let place = |p: u8| p - 1 - u8::from(p > after);
                lowest(after, Shape { kind, ends: less, a: place(a), b: place(b) })
            }
            Kind::Move if a == partner => kept(b.max(1)),
            Kind::Move => {
                // The partner's place once `a` is gone, and once it is back at `b`.
                let between = partner - u8::from(partner > a);
                let after = between + u8::from(between >= b);
                if a == 0 {
                    return paired(None, b, after);
                }
                if b == 0 {
                    let first = Shape { kind, ends: less, a: rest(a), b: 0 };
                    return paired(Some(first), 1, after);
                }
                lowest(after, Shape { kind, ends: less, a: rest(a), b: b - 1 - u8::from(b > after) })
            }
            // The partner of the other of the two becomes that of one that stays: as if the other moved there.
            Kind::Join if a == partner || a == 0 || b == partner => {
                let (from, to) = match (a, b) {
                    (0, b) if b == partner => return None,
                    (0, b) => (b, partner - 1 - u8::from(partner > b)),
                    (a, b) => (if a == partner { b } else { a }, 0),
                };
                let moved = Shape { kind: Kind::Move, ends: less, a: rest(from), b: to };
                Some(Below { offset: 0, first: Some(moved), then: None })
            }
            Kind::Join if less == 2 => None,
            Kind::Join => {
                let after = partner - u8::from(partner > a) - u8::from(partner > b);
                lowest(after, Shape { kind, ends: less, a: rest(a), b: rest(b) })
            }
            Kind::Mirror => {
                let is_middle = |place: u8| b > 0 && place >= a && place < a + b;
                let image = |place: u8| if is_middle(place) { ends - a - b + (place - a) } else { ends - 1 - place };
                let left = if b > 0 { a - u8::from(a > 0) - u8::from(partner < a) } else { 0 };
                let middle = b - u8::from(is_middle(0)) - u8::from(is_middle(partner));
                let (left, middle) = if middle > 1 { (left, middle) } else { (0, 0) };
                let first = Shape { kind, ends: less, a: left, b: middle };
                paired(Some(first), image(0), image(partner))
            }
        }
    }

    /// The rank afterwards, if the op can be done.
    #[must_use]
    pub fn follow(self, pairing: &mut Matching, rank: u32) -> Option<u32> {
        let Shape { ends, a, b, .. } = self;
        let below = |count: u8| (1u64 << count) - 1;
        // Any slots with the ends in the right order will do.
        let (before, after, op) = match self.kind {
            Kind::New => (below(ends + 2) & !(1 << a | 1 << b), below(ends + 2), Op::New(a, b)),
            Kind::Move => {
                // The ends before at odd slots; the new one at an even slot, just above the one it follows.
                let odd = 0xaaaa_aaaa_aaaa_aaaa & below(2 * ends);
                let follows = if b == 0 { 0 } else { 2 * (b - 1 + u8::from(b > a)) + 2 };
                (odd, odd & !(2 << (2 * a)) | 1 << follows, Op::Move(2 * a + 1, follows))
            }
            Kind::Join => (below(ends), below(ends) & !(1 << a | 1 << b), Op::Join(a, b)),
            Kind::Mirror => (below(ends), below(ends), Op::Keep),
        };
        pairing.set(before, rank.into());
        if self.kind == Kind::Mirror {
            *pairing = pairing.relabelled(before, |i| {
                let (ends, a, b) = (u32::from(ends), u32::from(a), u32::from(b));
                let is_middle = i >= a && i < a + b;
                if is_middle { ends - a - b + (i - a) } else { ends - 1 - i }
            });
        }
        // With two ends left they are joined to close the cycle.
        pairing.apply(op, self.ends == 2).then(|| pairing.rank(after) as u32)
    }
}

/// A pairing, unranked: the slot at the other end of the fragment, for each end.
#[derive(Clone, Debug)]
pub struct Matching {
    partner: [u8; 64],
}

impl Default for Matching {
    fn default() -> Self {
        Matching { partner: [0; 64] }
    }
}

impl Matching {
    /// Makes this the pairing of the ends with that rank.
    #[inline]
    pub fn set(&mut self, ends: u64, rank: u128) {
        let count = ends.count_ones();
        let mut digits = [0u8; 32];
        let pairs = (count / 2) as usize;
        if let Ok(mut rank) = u32::try_from(rank) {
            for i in (0..pairs).rev() {
                let radix = (2 * (pairs - i) - 1) as u32;
                digits[i] = (rank % radix) as u8;
                rank /= radix;
            }
        } else {
            let mut rank = rank;
            for i in (0..pairs).rev() {
                let radix = (2 * (pairs - i) - 1) as u128;
                digits[i] = (rank % radix) as u8;
                rank /= radix;
            }
        }
        let mut left = ends;
        for &digit in &digits[..pairs] {
            let a = left.trailing_zeros();
            left &= left - 1;
            let mut others = left;
            for _ in 0..digit {
                others &= others.wrapping_sub(1);
            }
            let b = others.trailing_zeros() & 63;
            left &= !(1 << b);
            self.link(a as u8, b as u8);
        }
    }

    /// The rank, the inverse of [`Matching::set`].
    #[inline]
    #[must_use]
    pub fn rank(&self, ends: u64) -> u128 {
        let mut left = ends;
        let mut rank = 0u64;
        let mut radix = u64::from(ends.count_ones());
        // Up to 20 ends 64 bits are ample.
        if radix <= 20 {
            while left != 0 {
                radix -= 1;
                let digit = self.next_digit(&mut left);
                rank = rank * radix + digit;
                radix -= 1;
            }
            return rank.into();
        }
        let mut rank = 0u128;
        while left != 0 {
            radix -= 1;
            let digit = self.next_digit(&mut left);
            rank = rank * u128::from(radix) + u128::from(digit);
            radix -= 1;
        }
        rank
    }

    #[inline]
    fn next_digit(&self, left: &mut u64) -> u64 {
        let a = left.trailing_zeros() & 63;
        *left &= *left - 1;
        let b = self.partner[a as usize] & 63;
        let digit = (*left & ((1 << b) - 1)).count_ones();
        *left &= !(1 << b);
        digit.into()
    }

    /// Does an op; says whether it could be done. `is_last`: the last fragment may be closed.
    #[inline]
    pub fn apply(&mut self, op: Op, is_last: bool) -> bool {
        match op {
            Op::Keep => {}
            Op::New(a, b) => self.link(a, b),
            Op::Move(from, to) => self.link(self.partner[from as usize & 63], to),
            Op::Join(a, b) => {
                let (to_a, to_b) = (self.partner[a as usize & 63], self.partner[b as usize & 63]);
                if to_a == b {
                    return is_last;
                }
                self.link(to_a, to_b);
            }
        }
        true
    }

    /// In how many ways an op may have led here, at most: the numbers that [`Matching::undone`] takes.
    #[inline]
    #[must_use]
    pub fn ways(op: Op, ends: u64) -> u32 {
        match op {
            // Each pair of ends may have been two, joined in two ways.
            Op::Join(..) => ends.count_ones().max(1),
            _ => 1,
        }
    }

    /// One of the pairings that an op takes to this one, given the ends after it.
    #[inline]
    #[must_use]
    pub fn undone(&self, op: Op, ends: u64, way: u32) -> Option<Matching> {
        let mut before = self.clone();
        match op {
            Op::Keep => {}
            Op::New(a, b) => {
                if self.partner[a as usize & 63] != b {
                    return None;
                }
            }
            Op::Move(from, to) => before.link(self.partner[to as usize & 63], from),
            // The last fragment was closed.
            Op::Join(a, b) if ends == 0 => before.link(a, b),
            Op::Join(a, b) => {
                let mut end = ends;
                for _ in 0..way {
                    end &= end.wrapping_sub(1);
                }
                let end = end.trailing_zeros() as u8 & 63;
                before.link(end, a);
                before.link(self.partner[end as usize], b);
            }
        }
        Some(before)
    }

    /// The image of the pairing in the mirror.
    #[must_use]
    pub fn mirrored(&self, ends: u64) -> Matching {
        self.relabelled(ends, |slot| mirrored(1 << slot).trailing_zeros())
    }

    fn relabelled(&self, ends: u64, label: impl Fn(u32) -> u32) -> Matching {
        let mut image = Matching::default();
        let mut left = ends;
        while left != 0 {
            let a = left.trailing_zeros();
            left &= left - 1;
            image.partner[label(a) as usize & 63] = label(self.partner[a as usize].into()) as u8;
        }
        image
    }

    #[inline]
    fn link(&mut self, a: u8, b: u8) {
        self.partner[a as usize & 63] = b;
        self.partner[b as usize & 63] = a;
    }
}
