//! [`Walk`]: from a number to a tour and back, by a walk over the layers of a sweep.
//!
//! The cycles that lead to a state are those that lead to its sources, one source after another. So a number below the weight
//! of the finished board picks the source in whose share of the weights it lies, and what is left of the number once the
//! shares before that are taken away picks the source of that one, until nothing is swept: one cycle for each number, and one
//! number for each cycle. A number drawn evenly gives a cycle drawn evenly.
//!
//! The sources of a state are found by undoing the choices of the swept vertices, in the order of the plan, and what they did
//! to the pairing. The walk is over states as they are; only to look a weight up is a state turned to the
//! mirror image that is kept.
//!
//! **Cost.** For each step some ten to some hundred look-ups, of which one in five or so finds something: on closed 8x8
//! a third of a millisecond in all. A walk back reads the same.
//!
//! What is on a disk has to be asked for and waited for, some dozens of times for a tour. So walks for many numbers are taken
//! side by side: one that lacks bytes asks for them and for what it may need next, and leaves its step for later, while
//! others go on. A disk answers many questions in hardly more time than one.

use std::sync::Arc;

use super::index::{Lack, LayerIndex};
use super::mask::{Mask, mirrored};
use super::natural::Natural;
use super::plan::{Choice, Cycles, Plan, Step};
use super::reachable::canonical;
use super::state::{Matching, Op};
use crate::board::Bitboard;
use crate::request::graph::Graph;
use crate::request::quotient::Taken;
use crate::store::{Asked, StoreError};

/// A number of cycles.
trait Amount: Clone {
    fn of(number: &Natural) -> Self;
    /// From its bytes, lowest first.
    fn read(bytes: &[u8]) -> Self;
    /// Takes a number away, if that is not the larger; says whether it did.
    fn take(&mut self, other: &Self) -> bool;
    fn add(&mut self, other: &Self);
    fn natural(self) -> Natural;
}

/// For totals of at most 128 bits.
impl Amount for u128 {
    fn of(number: &Natural) -> u128 {
        number.limbs().iter().take(2).rev().fold(0, |value, &limb| value << 64 | u128::from(limb))
    }

    #[inline]
    fn read(bytes: &[u8]) -> u128 {
        let mut all = [0; 16];
        all[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
        u128::from_le_bytes(all)
    }

    #[inline]
    fn take(&mut self, other: &u128) -> bool {
        let rest = self.checked_sub(*other);
        *self = rest.unwrap_or(*self);
        rest.is_some()
    }

    #[inline]
    fn add(&mut self, other: &u128) {
        // In a file that makes no sense sums may be anything.
        *self = self.saturating_add(*other);
    }

    fn natural(self) -> Natural {
        Natural::from_limbs(vec![self as u64, (self >> 64) as u64])
    }
}

impl Amount for Natural {
    fn of(number: &Natural) -> Natural {
        number.clone()
    }

    fn read(bytes: &[u8]) -> Natural {
        Natural::from_le_bytes(bytes)
    }

    fn take(&mut self, other: &Natural) -> bool {
        Natural::take(self, other)
    }

    fn add(&mut self, other: &Natural) {
        Natural::add(self, other);
    }

    fn natural(self) -> Natural {
        self
    }
}

/// One way to come to a key by a step: the choices of its one or two vertices.
#[derive(Clone, Copy, Debug)]
struct Link {
    before: Mask,
    /// The key between the two, or after the one.
    middle: Mask,
    choices: [Choice; 2],
    ops: [Op; 2],
}

/// All that a cycle takes where edges are side by side.
pub type Choices = Vec<Taken>;

/// The two neighbours of each vertex of a cycle, and what it takes.
type Joined = (Vec<[u32; 2]>, Choices);

/// What a vertex that is not there chooses.
const NOTHING: Choice = Choice { mask: 0, count: 0, toggle: 0 };

/// A state from which a step leads to another.
#[derive(Debug)]
struct Source<'a> {
    link: &'a Link,
    /// Its place among the links.
    place: usize,
    /// The key that is kept: its own or that of its mirror image.
    kept: Mask,
    is_mirrored: bool,
    /// The pairing that is kept, and its rank.
    pairing: &'a Matching,
    rank: u128,
    weight: &'a [u8],
}

/// A state that a tour passes.
#[derive(Clone, Debug)]
struct State {
    key: Mask,
    pairing: Matching,
    /// Of the step that leads on from it.
    choices: [Choice; 2],
    /// How many links of that step that are alike come before its own.
    alike: u32,
}

/// What a walk has while it goes on.
#[derive(Debug)]
struct Turn {
    links: Vec<Link>,
    /// What it asked for.
    asked: Asked,
    /// How many questions it may ask before it waits.
    questions: usize,
}

/// A walk back from the finished board.
#[derive(Debug)]
struct Back<A> {
    /// How many steps are left, and what is left of the number.
    left: usize,
    rest: A,
    key: Mask,
    pairing: Matching,
    /// The two neighbours of each vertex, as far as they are known.
    neighbours: Vec<[u32; 2]>,
    /// The vertex of each slot.
    owners: [u32; 64],
    /// Which edges, where there are several side by side.
    taken: Vec<Taken>,
}

/// Questions to a disk at a time, of all walks that are side by side.
const QUESTIONS: usize = 32;

/// What was looked up; nothing where bytes are lacking, unless enough were asked for by now. So more is asked for that may be
/// needed next.
fn unless_lacking<T>(looked_up: Result<Option<T>, Lack>, asked: &Asked, questions: usize) -> Result<Option<T>, Lack> {
    match looked_up {
        Err(Lack::Bytes) if asked.len() < questions => Ok(None),
        looked_up => looked_up,
    }
}

/// No vertex.
const NONE: u32 = u32::MAX;

/// All layers of a finished sweep of a graph, to walk over. Threads may share it.
#[derive(Debug)]
pub struct Walk {
    plan: Plan,
    graph: Arc<Graph>,
    image: LayerIndex,
    /// The slot of each vertex, those of the apexes too, and how many are swept before it.
    slots: Vec<u32>,
    positions: Vec<u32>,
    apexes: u32,
    /// Whether there are edges side by side.
    has_parallels: bool,
}

impl Walk {
    /// The walk over an image that belongs to the plan, which is the graph's.
    #[must_use]
    pub fn new(plan: Plan, graph: Arc<Graph>, image: LayerIndex) -> Walk {
        let vertices = Cycles::new(&graph).0.len();
        let (mut slots, mut positions) = (vec![0; vertices], vec![0; vertices]);
        for (position, swept) in plan.steps.iter().flat_map(|step| &step.swept).enumerate() {
            slots[swept.vertex as usize] = swept.slot;
            positions[swept.vertex as usize] = position as u32;
        }
        let apexes = (vertices - graph.len()) as u32;
        let has_parallels = (0..graph.arc_count() as u32).any(|arc| graph.parallel(arc) != [1, 0]);
        Walk { plan, graph, image, slots, positions, apexes, has_parallels }
    }

    /// How many tours there are: closed ones as cycles, open ones with direction.
    #[must_use]
    pub fn total(&self) -> Natural {
        self.image.total().times(self.plan.times)
    }

    /// Bytes of its layers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.image.size()
    }

    /// The squares of the tour with a number below the total: a closed tour in its listed form.
    pub fn tour(&self, number: &Natural) -> Result<Vec<u32>, StoreError> {
        self.tours(std::slice::from_ref(number)).map(|mut tours| tours.pop().unwrap_or_default())
    }

    /// The squares of the tours with these numbers, below the total: closed tours in their listed form. Of many that are
    /// on a disk each takes less time than one alone.
    pub fn tours(&self, numbers: &[Natural]) -> Result<Vec<Vec<u32>>, StoreError> {
        Ok(self.cycles_of(numbers)?.into_iter().map(|(squares, _)| squares).collect())
    }

    /// The paths or cycles with these numbers, by their squares, and which of several edges side by side they take.
    pub fn cycles_of(&self, numbers: &[Natural]) -> Result<Vec<(Vec<u32>, Choices)>, StoreError> {
        let halved = |number: &Natural| if self.plan.times == 2 { number.half() } else { number.clone() };
        let cycles: Vec<Natural> = numbers.iter().map(halved).collect();
        let is_short = self.image.total().bits() <= 128;
        let cycles = if is_short { self.cycles::<u128>(&cycles) } else { self.cycles::<Natural>(&cycles) }?;
        let tour = |(number, (neighbours, taken)): (&Natural, (Vec<[u32; 2]>, Vec<Taken>))| {
            let is_reversed = self.plan.times == 2 && number.limbs().first().is_some_and(|limb| limb & 1 != 0);
            let path = self.trace(&neighbours, is_reversed).ok_or_else(|| self.image.damaged())?;
            Ok((path.into_iter().map(|vertex| self.graph.square(vertex)).collect(), taken))
        };
        numbers.iter().zip(cycles).map(tour).collect()
    }

    /// The number of a tour of the request, given by its squares; `None` if it is none.
    pub fn number(&self, squares: &[u32]) -> Result<Option<Natural>, StoreError> {
        self.number_of(squares, |_, _| (false, 0))
    }

    /// The same where there are edges side by side: `taken` says which ([`Taken::odd`] and [`Taken::ordinal`]) lead from a
    /// vertex to others.
    pub fn number_of(
        &self,
        squares: &[u32],
        taken: impl Fn(u32, &[u32]) -> (bool, u32),
    ) -> Result<Option<Natural>, StoreError> {
        let is_short = self.image.total().bits() <= 128;
        let vertices: Vec<u32> = squares.iter().map(|&square| self.graph.vertex(square)).collect();
        let Some(states) = self.states(&vertices, taken) else { return Ok(None) };
        let cycle = if is_short { self.cycle_number::<u128>(&states) } else { self.cycle_number::<Natural>(&states) }?;
        let mut number = cycle.times(self.plan.times);
        if self.plan.times == 2 && vertices[0] > vertices[vertices.len() - 1] {
            number.add(&Natural::from(1));
        }
        Ok(Some(number))
    }

    /// The error for layers that make no sense.
    #[must_use]
    pub fn damaged(&self) -> StoreError {
        self.image.damaged()
    }

    /// The ways to come to a key by a step, in a fixed order.
    fn find_links(&self, at: usize, target: Mask, links: &mut Vec<Link>) {
        links.clear();
        let last = at.checked_sub(1).and_then(|before| self.plan.steps[before].swept.last());
        let mut add = |link: Link| {
            if last.is_none_or(|last| link.before.is_possible(last)) {
                links.push(link);
            }
        };
        match &self.plan.steps[at].swept[..] {
            [first, second] => {
                for (middle, then) in target.pulled(second).filter(|(middle, _)| middle.is_possible(first)) {
                    let second = Op::new(second, middle, then);
                    for (before, choice) in middle.pulled(first) {
                        let ops = [Op::new(first, before, choice), second];
                        add(Link { before, middle, choices: [choice, then], ops });
                    }
                }
            }
            rest => rest.iter().for_each(|swept| {
                for (before, choice) in target.pulled(swept) {
                    let ops = [Op::new(swept, before, choice), Op::Keep];
                    add(Link { before, middle: target, choices: [choice, NOTHING], ops });
                }
            }),
        }
    }

    /// Shows the sources of a state and their weights, one after another in a fixed order, until one is taken; says
    /// whether one was.
    fn each_source(
        &self,
        at: usize,
        (key, pairing): (Mask, &Matching),
        Turn { links, asked, questions }: &mut Turn,
        mut is_taken: impl FnMut(Source<'_>) -> bool,
    ) -> Result<bool, Lack> {
        self.find_links(at, key, links);
        let mut image = None;
        for (place, link) in links.iter().enumerate() {
            let kept = canonical(&self.plan, link.before);
            let is_mirrored = kept != link.before;
            // Where the mirror image of the source is kept, all is undone in the mirror.
            let (pairing, ends, between, ops) = if is_mirrored {
                let pairing = image.get_or_insert_with(|| pairing.mirrored(key.ends));
                let ops = [link.ops[0].mirrored(), link.ops[1].mirrored()];
                (&*pairing, mirrored(key.ends), mirrored(link.middle.ends), ops)
            } else {
                (pairing, key.ends, link.middle.ends, link.ops)
            };
            let mut found = None;
            for way in 0..Matching::ways(ops[1], ends) {
                let Some(middle) = pairing.undone(ops[1], ends, way) else { continue };
                for way in 0..Matching::ways(ops[0], between) {
                    let Some(before) = middle.undone(ops[0], between, way) else { continue };
                    let found = match found {
                        Some(found) => found,
                        None => {
                            let looked_up = self.image.find(&self.plan, at, kept, asked);
                            *found.insert(unless_lacking(looked_up, asked, *questions)?)
                        }
                    };
                    // None of its pairings is there.
                    let Some(found) = found else { break };
                    let rank = before.rank(kept.ends);
                    let weight = self.image.weight(at, &found, rank, asked);
                    if let Some(weight) = unless_lacking(weight, asked, *questions)?
                        && asked.is_empty()
                        && is_taken(Source { link, place, kept, is_mirrored, pairing: &before, rank, weight })
                    {
                        return Ok(true);
                    }
                }
                if found == Some(None) {
                    break;
                }
            }
        }
        if asked.is_empty() { Ok(false) } else { Err(Lack::Bytes) }
    }

    /// Goes on with each piece of work until it lacks bytes or is done, then with the next, and so on until all are done.
    fn take_turns<W>(
        &self,
        works: &mut [W],
        mut go_on: impl FnMut(&mut W, &mut Turn) -> Result<(), Lack>,
    ) -> Result<(), StoreError> {
        let questions = (QUESTIONS / works.len().max(1)).max(1);
        let mut turn = Turn { links: Vec::new(), asked: Asked::default(), questions };
        let mut waiting: Vec<(&mut W, Asked)> = works.iter_mut().map(|work| (work, Asked::default())).collect();
        while !waiting.is_empty() {
            let mut fault = None;
            waiting.retain_mut(|(work, asked)| {
                if fault.is_some() {
                    return false;
                }
                let result = self.image.wait(asked).map_err(Lack::from).and_then(|()| go_on(work, &mut turn));
                std::mem::swap(asked, &mut turn.asked);
                match result {
                    Ok(()) => false,
                    Err(Lack::Bytes) => true,
                    Err(Lack::Sense(error)) => {
                        fault = Some(error);
                        false
                    }
                }
            });
            if let Some(error) = fault {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The two neighbours of each vertex in the cycles with these numbers.
    fn cycles<A: Amount>(&self, numbers: &[Natural]) -> Result<Vec<Joined>, StoreError> {
        let begin = |number: &Natural| Back {
            left: self.plan.steps.len(),
            rest: A::of(number),
            key: Mask::default(),
            pairing: Matching::default(),
            neighbours: vec![[NONE; 2]; self.slots.len()],
            owners: [NONE; 64],
            taken: Vec::new(),
        };
        let mut walks: Vec<Back<A>> = numbers.iter().map(begin).collect();
        self.take_turns(&mut walks, |walk, turn| {
            while walk.left > 0 {
                self.step_back(walk, turn)?;
            }
            Ok(())
        })?;
        let is_whole = |walk: &Back<A>| walk.neighbours.iter().flatten().all(|&neighbour| neighbour != NONE);
        if !walks.iter().all(is_whole) {
            return Err(self.image.damaged());
        }
        Ok(walks.into_iter().map(|walk| (walk.neighbours, walk.taken)).collect())
    }

    /// Takes the source of the share in which what is left of the number lies, and the shares before it away.
    fn step_back<A: Amount>(&self, walk: &mut Back<A>, turn: &mut Turn) -> Result<(), Lack> {
        let Back { left, rest, key, pairing, neighbours, owners, taken } = walk;
        let at = *left - 1;
        let mut next = None;
        // A step that is left for later begins anew then.
        let mut less = rest.clone();
        self.each_source(at, (*key, pairing), turn, |source| {
            let is_taken = !less.take(&A::read(source.weight));
            if is_taken {
                let Source { link, place, kept, is_mirrored, pairing, .. } = source;
                next = Some((*link, place, if is_mirrored { pairing.mirrored(kept.ends) } else { pairing.clone() }));
            }
            is_taken
        })?;
        // Else the weights of the sources are not that of the state.
        let (link, place, before) = next.ok_or_else(|| self.image.damaged())?;
        let swept_now = &self.plan.steps[at].swept;
        let mut ordinals = [0; 2];
        if self.has_parallels {
            // Edges side by side make links that are alike.
            let is_alike = |other: &&Link| (other.before, other.choices) == (link.before, link.choices);
            let mut ordinal = turn.links[..place].iter().filter(is_alike).count() as u32;
            for ((swept, choice), own) in swept_now.iter().zip(link.choices).zip(&mut ordinals) {
                let ways = swept.choices.iter().filter(|&&other| other == choice).count().max(1) as u32;
                (*own, ordinal) = (ordinal % ways, ordinal / ways);
            }
        }
        for ((swept, choice), ordinal) in swept_now.iter().zip(link.choices).zip(ordinals).rev() {
            if self.has_parallels && choice.count > 0 {
                let to = Bitboard(choice.mask).map(|slot| owners[slot as usize]).collect();
                taken.push(Taken { vertex: swept.vertex, to, odd: choice.toggle != 0, ordinal });
            }
            let mut slots = choice.mask;
            while slots != 0 {
                let owner = owners[slots.trailing_zeros() as usize];
                slots &= slots - 1;
                for (a, b) in [(swept.vertex, owner), (owner, swept.vertex)] {
                    let free = neighbours.get_mut(a as usize).and_then(|pair| pair.iter_mut().find(|n| **n == NONE));
                    *free.ok_or_else(|| self.image.damaged())? = b;
                }
            }
            owners[swept.slot as usize] = swept.vertex;
        }
        (*left, *rest, *key, *pairing) = (at, less, link.before, before);
        Ok(())
    }

    /// The tour that a cycle stands for; `None` if it does not pass all vertices.
    fn trace(&self, neighbours: &[[u32; 2]], is_reversed: bool) -> Option<Vec<u32>> {
        let count = self.graph.len() as u32;
        let (from, first) = if self.graph.is_closed() {
            let start = self.graph.start().unwrap_or(0);
            let [a, b] = neighbours[start as usize];
            (start, a.min(b))
        } else {
            let [a, b] = neighbours[count as usize];
            let is_first = if self.apexes == 2 {
                b == count + 1
            } else if self.plan.times == 2 {
                (a < b) != is_reversed
            } else if self.graph.starts().count() == 1 {
                self.graph.starts().contains(a)
            } else {
                !self.graph.ends().contains(a)
            };
            (count, if is_first { a } else { b })
        };
        let mut path = Vec::with_capacity(neighbours.len());
        let (mut before, mut here) = (from, first);
        while here != from && path.len() < neighbours.len() {
            path.push(here);
            let [a, b] = *neighbours.get(here as usize)?;
            (before, here) = (here, if a == before { b } else { a });
        }
        if self.graph.is_closed() {
            path.insert(0, from);
        } else {
            path.retain(|&v| v < count);
        }
        (path.len() == count as usize).then_some(path)
    }

    /// The states that a tour passes, as the sweep sees them; `None` if it does not allow the tour.
    fn states(&self, vertices: &[u32], taken: impl Fn(u32, &[u32]) -> (bool, u32)) -> Option<Vec<State>> {
        let count = self.graph.len() as u32;
        let mut cycle = vertices.to_vec();
        cycle.extend((0..self.apexes).rev().map(|apex| count + apex));
        let mut neighbours = vec![[0; 2]; self.slots.len()];
        for (i, &v) in cycle.iter().enumerate() {
            let before = cycle[(i + cycle.len() - 1) % cycle.len()];
            let after = cycle[(i + 1) % cycle.len()];
            *neighbours.get_mut(v as usize)? = [before, after];
        }
        let (mut key, mut pairing) = (self.plan.first, Matching::default());
        let mut states = Vec::with_capacity(self.plan.steps.len() + 1);
        for Step { swept, .. } in &self.plan.steps {
            let mut state = State { key, pairing: pairing.clone(), choices: [NOTHING; 2], alike: 0 };
            let mut ways = 1;
            for (swept, chosen) in swept.iter().zip(&mut state.choices) {
                let later = neighbours[swept.vertex as usize]
                    .into_iter()
                    .filter(|&u| self.positions[u as usize] > self.positions[swept.vertex as usize]);
                let mut later: Vec<u32> = later.collect();
                later.sort_unstable_by_key(|&u| self.slots[u as usize]);
                let mask = later.iter().fold(0, |mask, &u| mask | 1 << self.slots[u as usize]);
                let (odd, ordinal) =
                    if self.has_parallels && mask != 0 { taken(swept.vertex, &later) } else { (false, 0) };
                let toggle = if odd { swept.parity } else { 0 };
                let choice = *swept.choices.iter().find(|choice| (choice.mask, choice.toggle) == (mask, toggle))?;
                state.alike += ways * ordinal;
                ways *= swept.choices.iter().filter(|&&other| other == choice).count() as u32;
                let own = 1u64 << swept.slot;
                let rest = Mask { ends: key.ends & !own, full: key.full & !own };
                let after = Mask { ends: rest.ends ^ mask, full: (rest.full | rest.ends & mask) ^ choice.toggle };
                if !pairing.apply(Op::new(swept, key, choice), after.ends == 0) {
                    return None;
                }
                (key, *chosen) = (after, choice);
            }
            states.push(state);
        }
        states.push(State { key, pairing, choices: [NOTHING; 2], alike: 0 });
        (key == Mask::default()).then_some(states)
    }

    /// The number of the cycle with these states.
    fn cycle_number<A: Amount>(&self, states: &[State]) -> Result<Natural, StoreError> {
        // What the tour leaves behind at each step.
        let mut shares = vec![(0, A::of(&Natural::default())); self.plan.steps.len()];
        shares.iter_mut().enumerate().for_each(|(at, share)| share.0 = at);
        self.take_turns(&mut shares, |(at, share), turn| {
            let (from, to) = (&states[*at], &states[*at + 1]);
            let kept = canonical(&self.plan, from.key);
            let is_mirrored = kept != from.key;
            let image = is_mirrored.then(|| from.pairing.mirrored(from.key.ends));
            let wanted = image.as_ref().unwrap_or(&from.pairing).rank(kept.ends);
            let mut sum = A::of(&Natural::default());
            let mut alike = from.alike;
            let is_there = self.each_source(*at, (to.key, &to.pairing), turn, |source| {
                let is_like = source.link.choices == from.choices && source.rank == wanted;
                if is_like && alike == 0 {
                    return true;
                }
                alike -= u32::from(is_like);
                sum.add(&A::read(source.weight));
                false
            })?;
            *share = sum;
            if is_there { Ok(()) } else { Err(self.image.damaged().into()) }
        })?;
        let mut number = A::of(&Natural::default());
        shares.iter().for_each(|(_, share)| number.add(share));
        Ok(number.natural())
    }
}
