//! Numbered grids: where the rows are, what is only a label, and which number counts from where.

use std::fmt::Write as _;

use super::judge::{Candidate, Judge};
use super::tokens::{Kind, Token, before, letters};
use crate::board::tour::InvalidTour;
use crate::board::{Board, MAX_SQUARES};

/// A cell that is no number of a board: blocked, with one beyond any board, without a number, with nothing in it,
/// with nothing between tabs.
const BLOCKED: u32 = u32::MAX;
const NO_STEP: u32 = u32::MAX - 1;
const NOTHING: u32 = u32::MAX - 2;
const EMPTY: u32 = u32::MAX - 3;
const TAB: u32 = u32::MAX - 4;

/// A step without a square.
const NOWHERE: u32 = u32::MAX;

/// A row: from one token up to another.
type Row = (u32, u32);

/// Tries the tokens as grids whose rows are parted in any of the usual ways.
pub fn read(tokens: &[Token], judge: &mut Judge<'_>) {
    use before::{BAR, CLOSE, COMMA, LINE, ROW, SEMICOLON, SLASH};
    let seen = tokens.iter().skip(1).fold(0, |seen, token| seen | token.flags());
    for (needed, parts) in [
        (LINE | ROW, LINE | ROW),
        (CLOSE, CLOSE),
        (ROW, ROW),
        (BAR, BAR | LINE),
        (SLASH, SLASH | LINE),
        (SEMICOLON, SEMICOLON | LINE),
        (COMMA, COMMA | LINE),
    ] {
        if seen & needed != 0 && !judge.is_done() {
            let rows = rows(tokens, parts);
            if rows.len() > 1 {
                shaped(tokens, rows, judge);
            }
        }
    }
    // A row of squares has a tour only by another piece, over joined edges, or if all but one are blocked.
    let lines = seen & (LINE | ROW | CLOSE) != 0;
    if !lines && (tokens.len() == 1 || may_be_a_line(tokens, judge)) {
        shaped(tokens, vec![(0, tokens.len() as u32)], judge);
    }
}

fn may_be_a_line(tokens: &[Token], judge: &Judge<'_>) -> bool {
    let given = judge.given;
    given.leaper.is_some()
        || given.wrap.is_some()
        || given.board.as_ref().is_some_and(|board| board.rows().min(board.cols()) == 1)
        || tokens.iter().any(|token| token.kind() == Kind::Blocked)
}

fn rows(tokens: &[Token], parts: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate().skip(1) {
        if token.follows(parts) {
            rows.push((start, at as u32));
            start = at as u32;
        }
    }
    rows.push((start, tokens.len() as u32));
    rows
}

/// Whether a token can stand in a square; a single letter may be a label, or the `x` of a square without a number.
fn is_cell(token: Token) -> bool {
    match token.kind() {
        Kind::Word => false,
        Kind::Letters => token.value <= 26,
        _ => true,
    }
}

/// Leaves out what is no row, and tries what is left with and without its labels.
fn shaped(tokens: &[Token], mut rows: Vec<Row>, judge: &mut Judge<'_>) {
    let of = |row: &Row| &tokens[row.0 as usize..row.1 as usize];
    let all = rows.len();
    // "Row 1:", "Array(" before each row.
    let is_word = |token: &Token| token.kind() == Kind::Word || token.kind() == Kind::Letters && token.value > 26;
    let words = |row: &Row| of(row).iter().take_while(|&token| is_word(token)).count() as u32;
    if rows.iter().filter(|row| words(row) > 0).count() * 2 >= all {
        for row in &mut rows {
            row.0 += words(row);
        }
        rows.retain(|row| row.0 < row.1);
        if rows.is_empty() {
            return;
        }
    }
    // Letters of the columns, above or below.
    let labels = |row: &Row| is_run(of(row), Kind::Letters);
    rows.retain(|row| !labels(row));
    // Words, names.
    let named = |row: &Row| of(row).windows(2).any(|two| two[0].kind() == Kind::Letters && two[1].is_adjacent());
    // A line of names is a tour of its own.
    let are_squares = |row: &Row| {
        let names = || of(row).iter().filter(|token| token.kind() == Kind::Letters).map(|token| token.value);
        names().count() > 3 && names().min() != names().max()
    };
    if rows.iter().any(|row| named(row) && are_squares(row)) {
        return;
    }
    let is_row = |row: &Row| of(row).iter().all(|&token| is_cell(token)) && !named(row);
    // A row in which something else stands is no title.
    let numbers = |row: &Row| of(row).iter().filter(|token| token.kind() == Kind::Number).count();
    if let Some(row) = rows.iter().find(|row| is_row(row)) {
        let most = numbers(row).max(3);
        if rows.iter().any(|row| !is_row(row) && !named(row) && numbers(row) >= most) {
            return;
        }
    }
    rows.retain(is_row);
    let is_only = |kind: Kind| move |row: &Row| of(row).iter().all(|token| token.kind() == kind);
    // A line of dashes, or of nothing between delimiters, is a row of squares without numbers only if it is as long as
    // the others; tabs may be nothing but spaces.
    let is_bare = |row: &Row| is_only(Kind::Dash)(row) || is_only(Kind::Empty)(row);
    let tabs = |row: &Row| of(row).iter().all(|token| token.is_between_tabs());
    if let Some(other) = rows.iter().find(|row| !is_bare(row)) {
        let length = other.1 - other.0;
        rows.retain(|row| !is_bare(row) || row.1 - row.0 == length && !tabs(row));
    } else {
        rows.retain(|row| !is_only(Kind::Empty)(row));
    }
    if rows.is_empty() || rows.len() * 2 < all.min(rows.len() + 8) {
        return;
    }
    trimmed(tokens, &rows, judge);
    // A comma too many at the end of lines.
    let is_edge = |row: &Row| of(row).last().is_some_and(|token| token.is_edge());
    if !judge.is_done() && rows.iter().any(is_edge) {
        for row in &mut rows {
            if is_edge(row) {
                row.1 -= 1;
            }
        }
        rows.retain(|row| row.1 > row.0);
        if !rows.is_empty() {
            trimmed(tokens, &rows, judge);
        }
    }
}

/// Whether a row counts up or down by ones, from 0 or 1 at one of its ends; a corner may stand before it.
fn is_run(row: &[Token], kind: Kind) -> bool {
    let corner = row.len() > 1 && row[0].kind() != kind;
    let row = if corner { &row[1..] } else { row };
    row.len() > 1 && counts(row.iter().copied(), kind)
}

fn counts(mut tokens: impl Iterator<Item = Token>, kind: Kind) -> bool {
    let Some(first) = tokens.next().filter(|token| token.kind() == kind) else { return false };
    let (mut last, mut up) = (first.value, None);
    for token in tokens {
        let rises = token.value > last;
        if token.kind() != kind || token.value.abs_diff(last) != 1 || up.is_some_and(|up| up != rises) {
            return false;
        }
        (last, up) = (token.value, Some(rises));
    }
    // A single one is a row's number, too.
    first.value.min(last) <= 1
}

/// Tries rows with and without labels before, after, above and below.
fn trimmed(tokens: &[Token], rows: &[Row], judge: &mut Judge<'_>) {
    let of = |row: &Row| &tokens[row.0 as usize..row.1 as usize];
    for labels in 0..16 {
        let [left, right, top, bottom] = [1, 2, 4, 8].map(|bit| labels & bit != 0);
        let inner = &rows[usize::from(top).min(rows.len())..];
        let inner = &inner[..inner.len() - usize::from(bottom).min(inner.len())];
        let sides = u32::from(left) + u32::from(right);
        let Some(width) = inner.first().map(|row| row.1 - row.0).filter(|width| *width > sides) else { continue };
        if inner.iter().any(|row| row.1 - row.0 != width) {
            continue;
        }
        let side = |at: usize| {
            let column = || inner.iter().map(|row| of(row)[at]);
            let size = || inner.len() > 1;
            // `Array(8) [` before each row.
            let is_size = |token: Token| token.kind() == Kind::Number && token.value == width - sides;
            let labels = counts(column(), Kind::Number) || counts(column(), Kind::Letters);
            size() && (labels || column().all(is_size))
        };
        let is_label = |row: &Row| {
            // `N = 8`, too.
            let named = row.1 - row.0 == 2 && of(row)[0].kind() == Kind::Letters;
            let sizes: Vec<u32> = of(row).iter().skip(usize::from(named)).take(3).map(|token| token.value).collect();
            let (height, width) = (inner.len() as u32, width - sides);
            is_run(of(row), Kind::Number)
                || sizes == [height, width]
                || sizes == [width, height]
                || sizes == [height] && height > 1
        };
        if left && !side(0)
            || right && !side(width as usize - 1)
            || top && !is_label(&rows[0])
            || bottom && !is_label(&rows[rows.len() - 1])
        {
            continue;
        }
        let cut = |row: &Row| &of(row)[usize::from(left)..(width as usize - usize::from(right))];
        let is_square = |token: &Token| {
            token.kind() != Kind::Letters || token.value == letters(b"x") || token.value == letters(b"o")
        };
        if !inner.iter().all(|row| cut(row).iter().all(is_square)) {
            continue;
        }
        // What is left of a line without its labels is none.
        if inner.len() == 1 && (top || bottom) || width - sides == 1 && sides > 0 {
            continue;
        }
        let used = inner.len() * width as usize;
        if used > 1 && (inner.len() == 1 || width - sides == 1) && !may_be_a_line(tokens, judge) {
            continue;
        }
        let cells = Cells::new(inner.len(), inner.iter().flat_map(cut).copied());
        let cells = if judge.given.board.as_ref().is_some_and(|board| board.cols() as usize == cells.cols) {
            cells
        } else {
            cells.without_empty_columns()
        };
        cells.offer(used, judge);
        if judge.is_done() {
            return;
        }
    }
}

/// Tries the numbers of a text as those of a grid whose lines tell nothing.
pub fn read_flat(tokens: &[Token], judge: &mut Judge<'_>) {
    let cells = || tokens.iter().filter(|token| !token.is_edge()).copied();
    let numbers = cells().filter(|token| token.kind() == Kind::Number).count();
    let count = cells().count();
    let is_plain = |token: Token| matches!(token.kind(), Kind::Number | Kind::NoStep);
    if let Some(board) = judge.given.board.as_ref() {
        if count as u64 == board.squares() && numbers * 2 >= count && cells().all(is_cell) {
            Cells { is_flat: true, ..Cells::new(board.rows() as usize, cells()) }.offer(count, judge);
        }
        return;
    }
    if count < 4 || !cells().all(is_plain) {
        return;
    }
    for rows in super::sizes(count) {
        Cells { is_flat: true, ..Cells::new(rows, cells()) }.offer(count, judge);
        if judge.is_done() {
            return;
        }
    }
}

/// The cells of a grid, row by row.
struct Cells {
    rows: usize,
    cols: usize,
    numbers: Vec<u32>,
    zeros: usize,
    largest: u32,
    /// Whether nothing but their number says that they are a grid.
    is_flat: bool,
}

impl Cells {
    fn new(rows: usize, cells: impl Iterator<Item = Token>) -> Cells {
        let mut grid = Cells { rows, cols: 0, numbers: Vec::new(), zeros: 0, largest: 0, is_flat: false };
        grid.numbers.extend(cells.map(|token| match token.kind() {
            Kind::Number => {
                grid.zeros += usize::from(token.value == 0);
                grid.largest = grid.largest.max(token.value);
                token.value
            }
            Kind::NoStep => NO_STEP,
            Kind::Blocked => BLOCKED,
            Kind::Empty if token.is_between_tabs() => TAB,
            Kind::Empty => EMPTY,
            _ => NOTHING,
        }));
        grid.cols = grid.numbers.len() / rows;
        grid
    }

    /// Leaves out columns of nothing between tabs, as one before each line or two between cells make them.
    fn without_empty_columns(mut self) -> Cells {
        let (rows, cols, numbers) = (self.rows, self.cols, &self.numbers);
        if numbers.iter().filter(|&&cell| cell == TAB).count() < rows {
            return self;
        }
        let kept: Vec<usize> = (0..cols).filter(|&col| (0..rows).any(|row| numbers[row * cols + col] != TAB)).collect();
        if !kept.is_empty() && kept.len() < cols {
            self.numbers =
                (0..rows).flat_map(|row| kept.iter().map(move |col| row * cols + col)).map(|at| numbers[at]).collect();
            self.cols = kept.len();
        }
        self
    }

    /// Tries it: a 0 is the first number or, beside numbers from 1, no number.
    fn offer(&self, explained: usize, judge: &mut Judge<'_>) {
        let (cells, largest) = (self.numbers.len(), self.largest as usize);
        if self.largest == 0 && self.zeros == 0 {
            return;
        }
        let unvisited = largest > 0 && largest <= cells - self.zeros;
        if self.zeros == 0 || largest >= cells {
            self.numbered(1, explained, judge);
        }
        if self.zeros > 0 && !(unvisited && self.zeros > 1) {
            self.numbered(0, explained, judge);
        }
        if self.zeros > 0 && unvisited {
            self.numbered(1, explained, judge);
        }
    }

    fn numbered(&self, first: u32, explained: usize, judge: &mut Judge<'_>) {
        let (rows, cols) = (self.rows as u32, self.cols as u32);
        let an = if matches!(rows, 8 | 11 | 18 | 80..=89 | 800..=899) { "an" } else { "a" };
        let read_as = format!("read as {an} {rows}x{cols} grid numbered from {first}");
        let is_nothing = |cell: u32| matches!(cell, NOTHING | EMPTY | TAB) || cell < first;
        let numbered = || (0u32..).zip(self.numbers.iter().copied());
        if u64::from(rows) * u64::from(cols) > MAX_SQUARES {
            return;
        }
        let blocked = numbered().filter(|&(_, cell)| cell == BLOCKED).map(|(number, _)| number);
        let board = match judge.given.board_of(rows, cols, blocked) {
            Ok(board) => board,
            Err(error) => return judge.no_board(read_as, explained, error),
        };
        let mut candidate = Candidate { read_as, explained, ..Candidate::new(board.clone()) };
        if (board.rows(), board.cols()) != (rows, cols) {
            let text = format!(
                "the grid has {} and {}, but the board is the {}",
                super::count(rows.into(), "row"),
                super::count(cols.into(), "column"),
                board.describe()
            );
            candidate.problem = Some(fault(text));
            candidate.fit = Some(0.05);
            candidate.sure = Some(!self.is_flat);
            return judge.offer(candidate);
        }
        let mut missing: Vec<u32> = Vec::new();
        let mut nowhere = 0u64;
        for (number, cell) in numbered() {
            let open = board.is_open(number);
            if open && (cell == BLOCKED || is_nothing(cell)) {
                nowhere += 1;
                if missing.len() < 20 {
                    missing.push(number);
                }
            }
            if !open && cell != BLOCKED && !is_nothing(cell) && candidate.problem.is_none() {
                let place = super::place(&board, number);
                let mut problem = fault(format!("{place} has a number, but is blocked on the {}", board.describe()));
                problem.squares = vec![board.square(number)];
                candidate.problem = Some(problem);
            }
        }
        let mut squares = vec![NOWHERE; board.len()];
        let mut doubled = vec![0u64; board.len().div_ceil(64)];
        let mut outside = Shown::default();
        let (mut present, mut repeats) = (0, 0);
        let mut beyond = judge.beyond.iter();
        for (number, cell) in numbered().filter(|&(_, cell)| cell < BLOCKED && !is_nothing(cell)) {
            present += 1;
            let step = (cell - first) as usize;
            match squares.get_mut(step) {
                Some(square) if *square == NOWHERE => *square = number,
                Some(_) => {
                    repeats += 1;
                    doubled[step / 64] |= 1 << (step % 64);
                }
                None if cell == NO_STEP => {
                    let nth = beyond.next();
                    outside.add(|| nth.cloned().unwrap_or_else(|| "...".to_owned()));
                }
                None => outside.add(|| cell.to_string()),
            }
        }
        let (mut twice, mut absent) = (Shown::default(), Shown::default());
        for (step, &square) in squares.iter().enumerate() {
            if square == NOWHERE {
                absent.add(|| (step + first as usize).to_string());
            } else if doubled[step / 64] >> (step % 64) & 1 != 0 {
                twice.add(|| (step + first as usize).to_string());
            }
        }
        candidate.squares = squares;
        candidate.items = self.numbers.len();
        if !self.is_flat {
            let fits = judge.given.board.is_some() || (repeats + outside.count) * 5 <= present * 2;
            candidate.sure = Some(fits);
        }
        if candidate.problem.is_none() && nowhere > 0 {
            candidate.problem =
                Some(without_number(&board, &missing, nowhere, judge.given.board.is_some(), &twice, &outside));
        }
        if candidate.problem.is_none() && candidate.sure == Some(true) && absent.count == 0 {
            // All numbers are there: it is a grid, however bad its moves are.
            candidate.least = 0.95;
        }
        if candidate.problem.is_none() && twice.count + outside.count + absent.count > 0 {
            let mut message =
                format!("the grid is not numbered {first} to {}:", board.len() as u64 - 1 + u64::from(first));
            for (what, list) in [("doubled", &twice), ("out of range", &outside), ("missing", &absent)] {
                if list.count > 0 {
                    let _ = write!(message, " {what} {list};");
                }
            }
            message.pop();
            candidate.problem = Some(fault(message));
        }
        judge.offer(candidate);
    }
}

fn fault(message: String) -> InvalidTour {
    InvalidTour { step: None, squares: Vec::new(), message, off_board: false, elsewhere: None }
}

/// That open squares have no number.
fn without_number(
    board: &Board,
    first: &[u32],
    count: u64,
    given: bool,
    twice: &Shown,
    outside: &Shown,
) -> InvalidTour {
    let squares = board.len();
    let (verb, them) = if count == 1 { ("has", "it is") } else { ("have", "they are") };
    let names: Vec<String> = first.iter().take(6).map(|&number| board.name(number)).collect();
    let more = if count > names.len() as u64 { ", ..." } else { "" };
    let board_text = if given { format!(" of the {}", board.describe()) } else { String::new() };
    let mut message =
        format!("{count} of the {squares} squares{board_text} {verb} no number ({}{more})", names.join(", "));
    for (what, list) in [("doubled", twice), ("out of range", outside)] {
        if list.count > 0 {
            let _ = write!(message, "; {what} {list}");
        }
    }
    if !given {
        let _ = write!(message, "; if {them} blocked, write # or give the board");
    }
    InvalidTour { squares: first.iter().map(|&number| board.square(number)).collect(), ..fault(message) }
}

/// The first few of what may be many.
#[derive(Default)]
struct Shown {
    first: Vec<String>,
    count: usize,
}

impl Shown {
    fn add(&mut self, item: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < 20 {
            self.first.push(item());
        }
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = self.count - self.first.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(f, "{}{more}", self.first.join(", "))
    }
}
