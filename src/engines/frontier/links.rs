//! [`Links`]: the ways from the groups before a step to those after it.
//!
//! They are found from the sources, since most of what a step makes of a group that can finish can finish, while most
//! of what undoing it leads to cannot have come about; then they are put in order of their targets.

use std::ops::Range;

use super::mask::Mask;
use super::plan::{Plan, Step};
use super::reachable::Index;
use super::state::{Op, Shape};

/// One way from a group of the layer before to a group of the layer to come.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The number of the target among those of the bin.
    target: u32,
    /// The number of the source in its layer.
    pub source: u32,
    /// What sweeping the one or two vertices does.
    pub ops: [Op; 2],
    /// Whether what comes of it is the mirror image of the target.
    pub is_mirrored: bool,
}

impl Link {
    /// The ends after each of the two ops, given those of the source.
    #[inline]
    #[must_use]
    pub fn ends_after(&self, source: u64) -> [u64; 2] {
        let middle = self.ops[0].ends_after(source);
        [middle, self.ops[1].ends_after(middle)]
    }

    /// What is done to the ranks, one after another.
    #[inline]
    #[must_use]
    pub fn shapes(&self, source: u64) -> [Option<Shape>; 3] {
        let [middle, pushed] = self.ends_after(source);
        [
            self.ops[0].shape(source, middle),
            self.ops[1].shape(middle, pushed),
            self.is_mirrored.then(|| Shape::mirror(pushed)),
        ]
    }
}

/// Links that one source has at most, but for very few.
const AT_ONCE: usize = 256;

/// The links of a bin, in order of their targets.
#[derive(Debug, Default)]
pub struct Links {
    /// As they are found.
    found: Vec<Link>,
    sorted: Vec<Link>,
    /// Where those of each target begin, and where the last ones end.
    bounds: Vec<u32>,
}

impl Links {
    /// Finds the links from the sources, a range of the keys, to the targets, all of one bin. Before the lists grow,
    /// `reserve` is asked for the bytes that they take then; where it refuses, its error is given back.
    pub fn find<E>(
        &mut self,
        (plan, step): (&Plan, &Step),
        keys: &[Mask],
        sources: Range<usize>,
        targets: (&[Mask], &Index),
        mut reserve: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let (targets, index) = targets;
        self.found.clear();
        self.bounds.clear();
        if self.bounds.capacity() <= targets.len() {
            self.bounds = Vec::new();
            reserve(self.bytes() + 4 * (targets.len() as u64 + 1))?;
            self.bounds.reserve_exact(targets.len() + 1);
        }
        self.bounds.resize(targets.len() + 1, 0);
        for source in sources {
            if self.found.capacity() - self.found.len() < AT_ONCE {
                let more = (self.found.capacity() / 2).max(AT_ONCE);
                // The old list and the new one side by side; and once more when they are put in order.
                let links =
                    self.found.len() + self.found.capacity() + more + self.found.len().max(self.sorted.capacity());
                reserve((links * size_of::<Link>() + self.bounds.capacity() * 4) as u64)?;
                self.found.reserve_exact(self.found.capacity() - self.found.len() + more);
            }
            let stored = keys[source];
            let is_own_image = plan.is_folded && stored == stored.mirrored();
            let mut add = |pushed: Mask, ops: [Op; 2]| {
                let image = if plan.is_folded { pushed.mirrored() } else { pushed };
                let is_mirrored = image < pushed;
                // Of what comes of a key that is its own image, half is the image of the other half.
                if is_own_image && is_mirrored {
                    return;
                }
                let Some(target) = index.find(targets, if is_mirrored { image } else { pushed }) else { return };
                self.found.push(Link { target, source: source as u32, ops, is_mirrored });
                self.bounds[target as usize + 1] += 1;
                // The image of the source, which is not kept, leads here too.
                if plan.is_folded && image == pushed && !is_own_image {
                    self.found.push(Link { target, source: source as u32, ops, is_mirrored: true });
                    self.bounds[target as usize + 1] += 1;
                }
            };
            match &step.swept[..] {
                [first, second] => stored.pushed(first).for_each(|(middle, choice)| {
                    let op = Op::new(first, stored, choice);
                    let pushed = middle.pushed(second);
                    pushed.for_each(|(pushed, choice)| add(pushed, [op, Op::new(second, middle, choice)]));
                }),
                rest => rest.iter().for_each(|swept| {
                    let pushed = stored.pushed(swept);
                    pushed.for_each(|(pushed, choice)| add(pushed, [Op::new(swept, stored, choice), Op::Keep]));
                }),
            }
        }
        if self.sorted.capacity() < self.found.len() {
            // The old list goes first.
            self.sorted = Vec::new();
            reserve(self.bytes() + (self.found.len() * size_of::<Link>()) as u64)?;
            self.sorted.reserve_exact(self.found.len());
        }
        self.sort();
        Ok(())
    }

    fn sort(&mut self) {
        for target in 1..self.bounds.len() {
            self.bounds[target] += self.bounds[target - 1];
        }
        self.sorted.clear();
        let Some(&any) = self.found.first() else { return };
        self.sorted.resize(self.found.len(), any);
        for link in self.found.iter().rev() {
            // From the end of its range down: then it begins where it should.
            let place = &mut self.bounds[link.target as usize + 1];
            *place -= 1;
            self.sorted[*place as usize] = *link;
        }
        // Each bound now stands one too high.
        self.bounds.remove(0);
        self.bounds.push(self.found.len() as u32);
    }

    /// The links to a target.
    #[inline]
    #[must_use]
    pub fn to(&self, target: usize) -> &[Link] {
        &self.sorted[self.bounds[target] as usize..self.bounds[target + 1] as usize]
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        ((self.found.capacity() + self.sorted.capacity()) * size_of::<Link>() + self.bounds.capacity() * 4) as u64
    }
}
