//! [`Group`]: symmetries as permutations of the open squares, and what they do to tours.
//!
//! A tour is mapped square by square. An open tour may be run backwards besides; that is part of an [`Act`]. A closed
//! tour has no direction: two sequences are one cycle if their listed forms are the same, from the first open
//! square towards the smaller of its two neighbours.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::board::Board;
use crate::board::moves::gcd;
use crate::run::{Budget, Pause};
use crate::symmetry::{Symmetry, list_cycle};

/// The open squares of a board, numbered in reading order.
#[derive(Clone, Debug)]
pub struct Places {
    /// The square of each.
    squares: Vec<u32>,
    /// The number of each square; `u32::MAX` for blocked ones.
    numbers: Vec<u32>,
    rows: u32,
    cols: u32,
}

impl Places {
    /// Cost: linear in the board, eight bytes a square.
    #[must_use]
    pub fn new(board: &Board) -> Places {
        let squares: Vec<u32> = board.open_squares().collect();
        let mut numbers = vec![u32::MAX; board.squares() as usize];
        for (number, &square) in (0..).zip(&squares) {
            numbers[square as usize] = number;
        }
        Places { squares, numbers, rows: board.rows(), cols: board.cols() }
    }

    /// How many there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a board is never empty")]
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The numbers of the squares of a tour.
    pub fn numbers<'a>(&'a self, squares: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        squares.iter().map(|&square| self.numbers[square as usize])
    }

    /// The squares with these numbers.
    #[must_use]
    pub fn squares(&self, numbers: &[u32]) -> Vec<u32> {
        numbers.iter().map(|&number| self.squares[number as usize]).collect()
    }

    /// What a symmetry of the board does.
    #[must_use]
    pub fn act(&self, symmetry: &Symmetry, runs_backwards: bool) -> Act {
        let image = |&square: &u32| self.numbers[symmetry.map(square, self.rows, self.cols) as usize];
        Act { map: self.squares.iter().map(image).collect(), runs_backwards }
    }
}

/// What a symmetry does to tours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Act {
    /// The image of each open square, by their numbers among the open squares.
    pub map: Vec<u32>,
    /// Whether an open tour is run backwards.
    pub runs_backwards: bool,
}

impl Act {
    /// Whether no square moves.
    #[must_use]
    pub fn stays(&self) -> bool {
        (0..).zip(&self.map).all(|(number, &image)| number == image)
    }

    /// First the other one, then this one.
    #[must_use]
    pub fn after(&self, other: &Act) -> Act {
        let map = other.map.iter().map(|&number| self.map[number as usize]).collect();
        Act { map, runs_backwards: self.runs_backwards != other.runs_backwards }
    }

    /// How often it must be done until all is as it was.
    #[must_use]
    pub fn order(&self) -> u64 {
        let mut seen = vec![false; self.map.len()];
        let mut order = if self.runs_backwards { 2 } else { 1 };
        for from in 0..self.map.len() {
            let (mut at, mut length) = (from, 0);
            while !seen[at] {
                seen[at] = true;
                at = self.map[at] as usize;
                length += 1;
            }
            if length > 0 {
                order = order / gcd(order, length) * length;
            }
        }
        order
    }

    /// What undoes it.
    #[must_use]
    pub fn inverse(&self) -> Act {
        let mut map = vec![0; self.map.len()];
        for (number, &image) in (0..).zip(&self.map) {
            map[image as usize] = number;
        }
        Act { map, runs_backwards: self.runs_backwards }
    }
}

/// All products of some acts on `count` squares, sorted: a group, with the identity first. `None` if there are more than
/// `most`. Given up where a limit of the budget is reached, that of memory included.
pub fn generated(acts: &[Act], count: usize, most: usize, budget: &Budget) -> Result<Option<Vec<Act>>, Pause> {
    let identity = Act { map: (0..count as u32).collect(), runs_backwards: false };
    let mut found = HashSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(act) = queue.pop() {
        for next in acts.iter().map(|generator| generator.after(&act)) {
            budget.go_on()?;
            if !found.contains(&next) {
                if found.len() == most {
                    return Ok(None);
                }
                // Each is in the set and perhaps in the queue.
                budget.check_memory(2 * (found.len() as u64 + 1) * (4 * count as u64 + 64))?;
                found.insert(next.clone());
                queue.push(next);
            }
        }
    }
    let mut group: Vec<Act> = found.into_iter().collect();
    group.sort_unstable();
    Ok(Some(group))
}

/// A group of acts on the tours of a board, all of them different, the identity first.
#[derive(Clone, Debug)]
pub struct Group {
    places: Places,
    is_closed: bool,
    acts: Vec<Act>,
    /// For each the square that it maps to the first one.
    sources: Vec<u32>,
}

impl Group {
    /// The group of these acts.
    #[must_use]
    pub fn new(places: Places, is_closed: bool, mut acts: Vec<Act>) -> Group {
        acts.sort_unstable();
        acts.dedup();
        let source = |act: &Act| act.map.iter().position(|&image| image == 0).unwrap_or(0) as u32;
        let sources = acts.iter().map(source).collect();
        Group { places, is_closed, acts, sources }
    }

    /// The acts.
    #[must_use]
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The open squares.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Whether every act maps the tour, given by its squares, to itself.
    #[must_use]
    pub fn keeps(&self, squares: &[u32]) -> bool {
        let tour = Numbered::new(self, squares);
        (0..self.acts.len()).all(|act| tour.compare(self, act) == Ordering::Equal)
    }

    /// Whether the tour, given by its squares, is the one that stands for its class: its listed form is
    /// lexicographically no greater than that of any image. (Closed: as listed from the first open square,
    /// wherever the sequence given begins.)
    ///
    /// Cost: a few squares for each act.
    #[must_use]
    pub fn is_least(&self, squares: &[u32]) -> bool {
        let tour = Numbered::new(self, squares);
        (0..self.acts.len()).all(|act| tour.compare(self, act) != Ordering::Less)
    }

    /// The listed form of the tour that stands for the class of one.
    #[must_use]
    pub fn least(&self, squares: &[u32]) -> Vec<u32> {
        let mut least = Numbered::new(self, squares);
        let tour = least.clone();
        for act in 0..self.acts.len() {
            let image = tour.image(self, act);
            if image < least.numbers {
                least.numbers = image;
            }
        }
        self.places.squares(&least.numbers)
    }
}

/// A tour in its listed form.
#[derive(Clone, Debug)]
struct Numbered {
    numbers: Vec<u32>,
    /// Closed tours: where each number stands.
    steps: Vec<u32>,
}

impl Numbered {
    fn new(group: &Group, squares: &[u32]) -> Numbered {
        let mut numbers: Vec<u32> = group.places.numbers(squares).collect();
        let mut steps = Vec::new();
        if group.is_closed {
            list_cycle(&mut numbers, Some(0));
            steps = vec![0; numbers.len()];
            for (step, &number) in (0..).zip(&numbers) {
                steps[number as usize] = step;
            }
        }
        Numbered { numbers, steps }
    }

    /// The listed form of the image, square by square.
    fn images<'a>(&'a self, group: &'a Group, act: usize) -> impl Iterator<Item = u32> + 'a {
        let Act { map, runs_backwards } = &group.acts[act];
        let last = self.numbers.len() - 1;
        let (first, is_backward) = if group.is_closed {
            let at = self.steps[group.sources[act] as usize] as usize;
            let near = |at: usize| map[self.numbers[at] as usize];
            let (before, after) = (if at == 0 { last } else { at - 1 }, if at == last { 0 } else { at + 1 });
            (at, near(before) < near(after))
        } else if *runs_backwards {
            (last, true)
        } else {
            (0, false)
        };
        (0..=last).map(move |step| {
            let at = if is_backward { first + last + 1 - step } else { first + step };
            map[self.numbers[if at > last { at - last - 1 } else { at }] as usize]
        })
    }

    fn compare(&self, group: &Group, act: usize) -> Ordering {
        self.images(group, act).cmp(self.numbers.iter().copied())
    }

    fn image(&self, group: &Group, act: usize) -> Vec<u32> {
        self.images(group, act).collect()
    }
}
