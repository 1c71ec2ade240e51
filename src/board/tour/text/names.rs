//! Names of squares: in a row, run together, numbered, with the piece before them, or as moves.

use super::judge::{Candidate, Judge};
use super::tokens::{Kind, Token, before};
use super::words::{Squares, Words, chain, closing};
use crate::board::Board;
use crate::board::square::Square;

/// A name: column and rank, both from 1.
type Name = (u32, u32);

/// Letters that pieces are written with: knight, Springer, cavalier and caballo, kôň and konik, paard, huszár.
const PIECES: [u8; 6] = *b"nsckph";

/// Tries the tokens as names of squares: `a1`, or `(a, 1)` if there is none of the other kind.
pub fn read(tokens: &[Token], judge: &mut Judge<'_>) {
    let is_letter = |token: Token| token.kind() == Kind::Letters;
    let adjacent = tokens.windows(2).any(|two| is_letter(two[0]) && two[1].is_adjacent());
    let letters = || tokens.iter().filter(|&&token| is_letter(token)).count();
    let loose = !adjacent && tokens.len() > 3 && tokens.iter().step_by(2).all(|&token| is_letter(token));
    if adjacent || loose && letters() * 2 == tokens.len() {
        read_names(tokens, loose, judge);
    }
}

fn read_names(tokens: &[Token], loose: bool, judge: &mut Judge<'_>) {
    let mut names: Vec<Name> = Vec::new();
    let mut counters = Vec::new();
    let mut words = Words::default();
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token.kind() {
            Kind::Letters => match tokens.get(at) {
                Some(next) if (loose || next.is_adjacent()) && matches!(next.kind(), Kind::Number | Kind::NoStep) => {
                    names.push((token.value, next.value));
                    at += 1;
                }
                _ => words.add(token),
            },
            Kind::Word => words.add(token),
            Kind::Number => counters.push((names.len(), token.value)),
            _ => {}
        }
    }
    if names.is_empty() || !words.are_few(names.len()) {
        return;
    }
    let explained = tokens.len() - words.distinct().min(tokens.len());
    // At most one number goes with a square.
    let alone = counters.windows(2).filter(|two| two[0].0 != two[1].0).count() + 1;
    let before = counters.iter().all(|counter| counter.0 < names.len());
    if counters.len() > alone + 1 + names.len() / 8 || names.len() < 3 && !before {
        return;
    }
    let (names, piece) = without_piece(names, judge.given.board.as_ref());
    let names = in_order(names, &counters);
    let sure = !loose || tokens[1].follows(before::COMMA);
    listed(&names, piece, explained, sure, judge);
    if names.iter().any(|name| name.1 == 0) {
        // Ranks from 0.
        let raised: Vec<Name> = names.iter().map(|name| (name.0, name.1.saturating_add(1))).collect();
        listed(&raised, piece, explained, sure, judge);
    }
}

/// The names without the letter of a piece, if each of them that could has the same.
fn without_piece(mut names: Vec<Name>, board: Option<&Board>) -> (Vec<Name>, bool) {
    let letter = |value: u32| {
        let mut left = value;
        while left > 26 {
            left = (left - 1) / 26;
        }
        left
    };
    let Some(first) = names.iter().find(|name| name.0 > 26).map(|name| letter(name.0)) else { return (names, false) };
    let is_piece = first > 0 && PIECES.contains(&(first as u8 + 96));
    let long = |name: &&Name| name.0 > 26;
    let same = names.iter().filter(long).all(|name| letter(name.0) == first);
    let fits = |board: &Board| names.iter().all(|name| name.0 <= board.cols());
    // Of a board as wide as that, each column between would be named as well.
    let narrow = names.iter().filter(long).map(|name| name.0).max().unwrap_or(0) as usize > names.len();
    if !is_piece || !same || board.is_some_and(fits) || board.is_none() && !narrow {
        return (names, false);
    }
    let all = names.iter().all(|name| name.0 > 26);
    for name in &mut names {
        if name.0 > 26 {
            let mut scale = 1;
            while u64::from(letter(name.0)) * u64::from(scale) * 26 <= u64::from(name.0) {
                scale *= 26;
            }
            name.0 -= first * scale;
        }
    }
    (names, all)
}

/// Names that are numbered, in the order of their numbers.
fn in_order(names: Vec<Name>, counters: &[(usize, u32)]) -> Vec<Name> {
    let numbered = counters.len() == names.len() && counters.windows(2).all(|two| two[0].0 + 1 == two[1].0);
    if !numbered || counters.windows(2).all(|two| two[0].1 + 1 == two[1].1) {
        return names;
    }
    let first = counters.iter().map(|counter| counter.1).min().unwrap_or(0);
    let mut sorted = vec![None; names.len()];
    for (name, &(_, number)) in names.iter().zip(counters) {
        match sorted.get_mut((number - first) as usize) {
            Some(place @ None) => *place = Some(*name),
            _ => return names,
        }
    }
    sorted.into_iter().flatten().collect()
}

fn listed(names: &[Name], piece: bool, explained: usize, sure: bool, judge: &mut Judge<'_>) {
    let (moves, joined, broken) = chain(names);
    let read_as = if moves { "read as moves from square to square" } else { "read as names of squares" };
    let mut list = Squares { items: joined, closed: None };
    closing(&mut list, judge.given);
    let cols = list.items.iter().map(|name| name.0).max().unwrap_or(0);
    let rows = list.items.iter().map(|name| name.1).filter(|&rank| rank != u32::MAX).max().unwrap_or(0);
    let count = list.items.len();
    let area = u64::from(rows) * u64::from(cols);
    let board = match judge.given.board_around(rows, cols, count) {
        Ok(board) => board,
        Err(error) => return judge.unreadable(error),
    };
    let place = |&(col, rank): &Name| {
        let inside = (1..=board.rows()).contains(&rank) && (1..=board.cols()).contains(&col);
        inside.then(|| Square::new(board.rows() - rank, col - 1).number(board.cols()))
    };
    let mut squares: Vec<u32> = list.items.iter().map_while(place).collect();
    let mut candidate = Candidate {
        read_as: read_as.to_owned(),
        explained,
        closed: list.closed,
        items: count,
        sure: Some(sure),
        ..Candidate::new(board.clone())
    };
    if squares.len() < count {
        let name = list.items[squares.len()];
        let given = written(name);
        candidate.problem = Some(crate::board::tour::words::off_board(&board, &squares, squares.len(), &given, None));
    } else if let Some(step) = broken {
        candidate.problem = super::words::broken_chain(&board, &squares, step);
    }
    // A game's moves do not say where the knight stands at first: on the one square that no move leads to.
    if piece
        && !moves
        && candidate.problem.is_none()
        && squares.len() as u64 + 1 == board.len() as u64
        && area == board.squares()
    {
        let mut seen = vec![false; board.squares() as usize];
        squares.iter().for_each(|&square| seen[square as usize] = true);
        if let Some(start) = board.open_squares().find(|&square| !seen[square as usize])
            && board.is_move(start, squares[0])
        {
            squares.insert(0, start);
        }
    }
    candidate.squares = squares;
    judge.offer(candidate);
}

fn written((col, rank): Name) -> String {
    let mut letters = Vec::new();
    let mut left = col;
    while left > 0 {
        letters.push(b'a' + ((left - 1) % 26) as u8);
        left = (left - 1) / 26;
    }
    let letters: String = letters.iter().rev().map(|&b| char::from(b)).collect();
    if rank == u32::MAX { format!("\"{letters}...\"") } else { format!("\"{letters}{rank}\"") }
}
