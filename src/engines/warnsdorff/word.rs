//! The walk on a board that fits one word: onward moves are counted from its bitboards.

use super::Walk;
use super::degrees::{ONE, UNVISITED};
use super::tied::Sorted;
use crate::board::{Bitboard, Board};

impl Walk {
    /// As [`Walk::advance_bytes`], choice for choice.
    pub(super) fn advance_word(&mut self, steps: &mut u64) {
        // A handle of its own: what breaks ties changes the walk.
        let board = self.board.clone();
        let Some(table) = board.table() else { return };
        let mut here = match self.squares.last() {
            Some(&last) => last,
            None => {
                self.unvisited = open(&board);
                let first = self.first_square();
                self.visit(first);
                *steps -= 1;
                first
            }
        };
        while *steps > 0 {
            let (mut targets, mut sorted) = ([0; 8], Sorted::default());
            let mut onward = table[here as usize].and(self.unvisited);
            let mut place = 0;
            while let Some(target) = onward.pop_front() {
                targets[place & 7] = target;
                let degree = table[target as usize].and(self.unvisited).count();
                sorted.add(place, (degree as u8 * ONE) | UNVISITED);
                place += 1;
            }
            let Some(tied) = sorted.least() else {
                self.ended = true;
                return;
            };
            let unvisited = self.unvisited;
            here = targets[self.choose(here, &targets, tied, |_, target| sum_of_onward(table, target, unvisited))];
            self.visit(here);
            *steps -= 1;
            if let Some(orderings) = &mut self.orderings {
                orderings.reach(board.square(here));
            }
        }
        if self.is_complete() {
            self.ended = true;
        }
    }

    fn visit(&mut self, square: u32) {
        self.unvisited.discard(square);
        self.squares.push(square);
    }
}

fn open(board: &Board) -> Bitboard {
    match board.is_rectangle() {
        true => Bitboard::first_n(board.squares() as u32),
        false => board.open_squares().fold(Bitboard::EMPTY, Bitboard::with),
    }
}

fn sum_of_onward(table: &[Bitboard], square: u32, unvisited: Bitboard) -> u32 {
    let mut onward = table[square as usize].and(unvisited);
    let mut sum = 0;
    while let Some(next) = onward.pop_front() {
        sum += table[next as usize].and(unvisited).count();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::Ties;
    use super::super::degrees::Degrees;
    use super::*;
    use crate::board::moves::{Leaper, Wrap};
    use crate::run::Budget;
    use crate::run::rng::Rng;

    #[test]
    fn both_ways_to_walk_choose_alike() {
        let mut rng = Rng::seeded(8);
        let mut squirrels = 0;
        for round in 0..4000 {
            let (rows, cols) = match round % 4 {
                0 => (5 + round / 4 % 4, 5 + round / 4 % 4),
                _ => (1 + rng.below(8) as u32, 1 + rng.below(8) as u32),
            };
            let wraps = [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both];
            let wrap = if rng.below(2) == 0 { Wrap::None } else { wraps[rng.below(4) as usize] };
            let leapers = [Leaper::KNIGHT, Leaper::KNIGHT, Leaper::new(1, 1), Leaper::new(0, 1), Leaper::new(2, 3)];
            let holes = if rng.below(2) == 0 { 0 } else { rng.below(u64::from(rows * cols)) };
            let blocked: Vec<u32> = (0..holes).map(|_| rng.below(u64::from(rows * cols)) as u32).collect();
            let Ok(board) = Board::build(rows, cols, blocked, leapers[rng.below(5) as usize], wrap) else { continue };
            for ties in Ties::ALL {
                let Ok(mut one) = Walk::new(&board, None, ties) else { continue };
                squirrels += usize::from(ties == Ties::Squirrel);
                one.begin(rng.bits(), 3);
                let mut other = one.clone();
                let mut degrees = Degrees::default();
                degrees.fill(&board, &Budget::unlimited()).unwrap();
                while !one.ended {
                    let steps = 1 + rng.below(9);
                    one.advance_word(&mut steps.clone());
                    other.advance_bytes(&mut degrees.bytes, &mut steps.clone());
                    assert_eq!((&one.squares, one.ended), (&other.squares, other.ended), "{board:?} {ties:?}");
                }
            }
        }
        assert!(squirrels > 100);
    }
}
