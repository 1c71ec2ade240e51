//! What programs write with each number or line and what says nothing: a running index, a word that comes each time,
//! the keys of a table.

use super::tokens::before::{LINE, ROW};
use super::tokens::{Kind, Token};

/// The lines of a text, as tokens.
fn lines(tokens: &[Token]) -> impl Iterator<Item = &[Token]> + Clone {
    tokens.chunk_by(|_, next| !next.follows(LINE | ROW))
}

/// The tokens that are kept, each with what stood before it and before what is left out.
fn kept(tokens: &[Token], mut is_kept: impl FnMut(usize) -> bool) -> Vec<Token> {
    let mut flags = 0;
    let mut left = Vec::new();
    for (at, &token) in tokens.iter().enumerate() {
        flags |= token.flags();
        if is_kept(at) {
            left.push(token.after(std::mem::take(&mut flags)));
        }
    }
    left
}

fn is_same(one: Token, other: Token) -> bool {
    one.kind() == other.kind() && one.value == other.value
}

/// Without the numbers of the lines: `[1] 1 4 7`, `[4] 10 13 16` as R prints a vector, `0 17`, `1 34` of a data frame.
pub fn without_index(tokens: &[Token]) -> Option<Vec<Token>> {
    let first = tokens.first()?;
    if first.kind() != Kind::Number || first.value > 1 {
        return None;
    }
    let mut expected = first.value as usize;
    let mut count = 0;
    for line in lines(tokens) {
        if line.len() < 2 || line[0].kind() != Kind::Number || line[0].value as usize != expected {
            return None;
        }
        // A name is a letter and a number.
        let named = line.iter().any(|token| token.kind() == Kind::Letters);
        expected += line[1..].iter().filter(|token| !named || !token.is_adjacent()).count();
        count += 1;
    }
    (count > 1).then(|| kept(tokens, |at| at > 0 && !tokens[at].follows(LINE | ROW)))
}

/// Without what stands at the same place of every line: `Move 1/64: a1`, `Move 2/64: b3`.
pub fn without_columns(tokens: &[Token]) -> Option<Vec<Token>> {
    let first = lines(tokens).next()?;
    let length = first.len();
    let count = tokens.len() / length;
    if length < 2 || count < 3 || !is_long_word(first[0]) || lines(tokens).any(|line| line.len() != length) {
        return None;
    }
    let same = |at: usize| (1..count).all(|line| is_same(tokens[line * length + at], first[at]));
    // "1 of 64", or "1 of 63" moves; a column of `x`, of `0` or of nothing is one of squares without a number.
    let is_total = |at: usize| first[at].kind() == Kind::Number && (first[at].value as usize).abs_diff(count) <= 1;
    let is_said = |at: usize| is_long_word(first[at]) || is_total(at);
    let constant: Vec<bool> = (0..length).map(|at| is_said(at) && same(at)).collect();
    (constant[0] && !constant.iter().all(|&same| same)).then(|| kept(tokens, |at| !constant[at % length]))
}

fn is_long_word(token: Token) -> bool {
    token.kind() == Kind::Word || token.kind() == Kind::Letters && token.value > 26
}

/// Without a word that stands before each number: `N1 N48 N31`.
pub fn without_word(tokens: &[Token]) -> Option<Vec<Token>> {
    let word = *tokens.first().filter(|token| matches!(token.kind(), Kind::Letters | Kind::Word))?;
    let (pairs, rest) = tokens.as_chunks::<2>();
    let is_number = |&[before, number]: &[Token; 2]| {
        // `x 1` is a square without a number, and one with.
        let belongs = number.is_adjacent() || is_long_word(before);
        is_same(before, word) && number.kind() == Kind::Number && belongs
    };
    (pairs.len() > 1 && rest.is_empty() && pairs.iter().all(is_number)).then(|| kept(tokens, |at| at % 2 == 1))
}

fn is_name(key: &str) -> bool {
    let letters = key.bytes().take_while(u8::is_ascii_alphabetic).count();
    (1..3).contains(&letters) && key.len() > letters && key[letters..].bytes().all(|b| b.is_ascii_digit())
}

/// A text of objects without their keys: `[{"a": 1, "b": 4}, ...]`, `[0] => 1`.
pub fn without_keys(text: &str) -> Option<String> {
    if !text.contains("\":") && !text.contains("=>") {
        return None;
    }
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '[']) {
        left.push_str(&rest[..at]);
        rest = &rest[at..];
        let (close, sign) = if rest.starts_with('"') { ('"', ":") } else { (']', "=>") };
        let is_index = |c: char| c.is_ascii_digit() || close == '"';
        let end = rest[1..].find(|c| c == close || !is_index(c)).map(|end| end + 1);
        let key = end.filter(|&end| rest[end..].starts_with(close)).map(|end| end + 1);
        match key.and_then(|end| rest[end..].trim_start().strip_prefix(sign)) {
            // A square is no key that says nothing.
            Some(_) if is_name(&rest[1..end.unwrap_or(1)]) => return None,
            Some(after) => rest = after,
            None => {
                let length = if close == '"' { key.unwrap_or(1) } else { 1 };
                left.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    left.push_str(rest);
    (left.len() < text.len()).then_some(left)
}
