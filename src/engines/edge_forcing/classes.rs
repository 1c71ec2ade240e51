//! [`Classes`]: vertices sorted into classes, with the first of each class at hand.

/// Sets of vertices, one a class. Putting in, taking out and finding the first cost a step for each
/// factor 64 of the size: above the bits of the vertices stand bits that say which words are not empty.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// For each level, lowest first, the words of all classes, one class after another.
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    words: Vec<u64>,
    /// Words a class.
    width: usize,
}

impl Classes {
    /// `classes` empty sets of vertices below `count`.
    pub(super) fn new(classes: usize, count: usize) -> Self {
        let mut levels = Vec::new();
        let mut width = count;
        loop {
            width = width.div_ceil(64).max(1);
            levels.push(Level { words: vec![0; width * classes], width });
            if width == 1 {
                return Classes { levels };
            }
        }
    }

    /// Puts a vertex in.
    pub(super) fn insert(&mut self, class: usize, v: u32) {
        let mut at = v as usize;
        for level in &mut self.levels {
            let word = &mut level.words[class * level.width + at / 64];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                return;
            }
            at /= 64;
        }
    }

    /// Takes a vertex out.
    pub(super) fn remove(&mut self, class: usize, v: u32) {
        let mut at = v as usize;
        for level in &mut self.levels {
            let word = &mut level.words[class * level.width + at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }

    /// The smallest member of a class.
    pub(super) fn first(&self, class: usize) -> Option<u32> {
        self.first_from(class, 0)
    }

    /// The smallest member of a class that is not below `from`.
    pub(super) fn first_from(&self, class: usize, from: u32) -> Option<u32> {
        let mut at = from as usize;
        for (height, level) in self.levels.iter().enumerate() {
            let word = level.words[class * level.width..][..level.width].get(at / 64)? & (u64::MAX << (at % 64));
            if word != 0 {
                at = at / 64 * 64 + word.trailing_zeros() as usize;
                for lower in self.levels[..height].iter().rev() {
                    at = at * 64 + lower.words[class * lower.width + at].trailing_zeros() as usize;
                }
                return Some(at as u32);
            }
            // Nothing in the rest of this word: look among the words after it.
            at = at / 64 + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn classes_are_sets() {
        for count in [1, 64, 65, 5000] {
            let mut rng = Rng::seeded(count);
            let mut classes = Classes::new(3, count as usize);
            let mut sets = vec![BTreeSet::new(); 3];
            for _ in 0..2000 {
                let (class, v) = (rng.below(3) as usize, rng.below(count) as u32);
                if sets[class].remove(&v) {
                    classes.remove(class, v);
                } else {
                    sets[class].insert(v);
                    classes.insert(class, v);
                }
                for (class, set) in sets.iter().enumerate() {
                    assert_eq!(classes.first(class), set.first().copied());
                    assert_eq!(classes.first_from(class, v), set.range(v..).next().copied());
                }
            }
        }
    }
}
