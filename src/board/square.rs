//! A square: its number, its (row, column) pair and its name.
//!
//! Rows run from the top as printed, columns from the left, both from 0. The *number* of a square on
//! a board of `cols` columns is `row * cols + col`. The *name* is the chess player's: column letters
//! (`a` to `z`, then `aa`, `ab`, …) followed by the rank, which is counted from 1 at the bottom.

use std::fmt;

/// A (row, column) pair, 0-based, row 0 at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Rows from the top.
    pub row: u32,
    /// Columns from the left.
    pub col: u32,
}

impl Square {
    /// The square at `row` and `col`.
    #[must_use]
    pub const fn new(row: u32, col: u32) -> Self {
        Square { row, col }
    }

    /// The square with this number on a board of `cols` columns.
    #[must_use]
    pub const fn from_number(number: u32, cols: u32) -> Self {
        Square::new(number / cols, number % cols)
    }

    /// The square's number on a board of `cols` columns.
    #[must_use]
    pub const fn number(self, cols: u32) -> u32 {
        self.row * cols + self.col
    }

    /// The square's name on a board of `rows` rows: `a1` is the bottom left corner.
    #[must_use]
    pub fn name(self, rows: u32) -> String {
        format!("{}{}", column_letters(self.col), rows - self.row)
    }

    /// Reads a name such as `a1` or `ab12` on a board of `rows` rows and `cols` columns.
    ///
    /// Letters may be of either case. `None` if the text is no name, or names a square off the board.
    #[must_use]
    pub fn from_name(name: &str, rows: u32, cols: u32) -> Option<Self> {
        let split = name.find(|c: char| !c.is_ascii_alphabetic())?;
        let (letters, digits) = name.split_at(split);
        if letters.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.starts_with('0') {
            return None;
        }
        let mut col: u32 = 0;
        for letter in letters.bytes() {
            let value = u32::from(letter.to_ascii_lowercase() - b'a') + 1;
            col = col.checked_mul(26)?.checked_add(value)?;
        }
        let rank: u32 = digits.parse().ok()?;
        (col <= cols && (1..=rows).contains(&rank)).then(|| Square::new(rows - rank, col - 1))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.col)
    }
}

/// `a` … `z`, `aa`, `ab`, … for columns 0, 1, …
fn column_letters(col: u32) -> String {
    let mut left = u64::from(col) + 1;
    let mut letters = Vec::new();
    while left > 0 {
        letters.push(b'a' + ((left - 1) % 26) as u8);
        left = (left - 1) / 26;
    }
    letters.iter().rev().map(|&b| char::from(b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for (square, rows, name) in [
            (Square::new(7, 0), 8, "a1"),
            (Square::new(0, 7), 8, "h8"),
            (Square::new(0, 25), 1, "z1"),
            (Square::new(0, 26), 1, "aa1"),
            (Square::new(2, 701), 30, "zz28"),
            (Square::new(2, 702), 30, "aaa28"),
        ] {
            assert_eq!(square.name(rows), name);
            assert_eq!(Square::from_name(name, rows, 800), Some(square));
        }
        for text in ["", "a", "1", "a0", "a01", "a9", "i1", "a1b", "ä1", "a+1", "zzzzzzzzzz1", "a99999999999"] {
            assert_eq!(Square::from_name(text, 8, 8), None, "{text}");
        }
    }
}
