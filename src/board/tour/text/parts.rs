//! The parts of a text: what is prose around a tour, and where one tour ends and the next begins.

use std::borrow::Cow;

use super::super::words::{lines, place as line_and_column};
use super::tokens::{self, Kind, Token, before};
use super::{Given, note, weigh};

/// This many parts are weighed before a text is taken apart: a huge one that holds no tours is refused soon.
const LOOKED_AT: usize = 60;

/// Whether a token is a word of a sentence.
fn is_prose(tokens: &[Token], at: usize) -> bool {
    match tokens[at].kind() {
        Kind::Word => true,
        // A letter or two may be a label, or belong to a name.
        Kind::Letters => tokens[at].value > 26 && !tokens.get(at + 1).is_some_and(|next| next.is_adjacent()),
        _ => false,
    }
}

/// Whether it is what stands in no text that a person wrote.
fn is_broken(token: &Token) -> bool {
    token.kind() == Kind::Word && (token.value < 0xa0 || token.value == 0xfffd)
}

/// The longest stretch of tokens without a word.
pub fn without_prose(tokens: &[Token]) -> &[Token] {
    if tokens.iter().any(is_broken) {
        return tokens;
    }
    let (mut start, mut longest) = (0, 0..0);
    for at in 0..=tokens.len() {
        if at == tokens.len() || is_prose(tokens, at) {
            if at - start > longest.len() {
                longest = start..at;
            }
            start = at + 1;
        }
    }
    &tokens[longest]
}

/// The tokens of the lines without a word, if there are others.
pub fn without_lines_of_prose(tokens: &[Token]) -> Option<Vec<Token>> {
    if !(0..tokens.len()).any(|at| is_prose(tokens, at)) || tokens.iter().any(is_broken) {
        return None;
    }
    let mut kept = Vec::new();
    let mut start = 0;
    for end in 1..=tokens.len() {
        if end == tokens.len() || tokens[end].follows(before::LINE | before::ROW) {
            if (start..end).any(|at| is_prose(tokens, at)) {
                // A row in which something else stands is no title.
                if tokens[start..end].iter().filter(|token| token.kind() == Kind::Number).count() > 3 {
                    return None;
                }
            } else {
                kept.extend_from_slice(&tokens[start..end]);
            }
            start = end;
        }
    }
    Some(kept)
}

/// The digits of a text that is nothing else, each as a number.
pub fn single_digits(text: &str) -> Option<Vec<Token>> {
    let text = text.trim();
    // One digit is enough for boards of up to a hundred squares.
    let plain = (8..1000).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace());
    let long = plain && text.split_ascii_whitespace().any(|run| run.len() > 8);
    long.then(|| text.bytes().filter(u8::is_ascii_digit).map(|b| Token::digit(u32::from(b - b'0'))).collect())
}

/// Where a grid has a row of another length, in words.
pub fn ragged(text: &str, prefix: Option<&str>, tokens: &[Token]) -> Option<String> {
    let mut starts: Vec<usize> = (0..tokens.len()).filter(|&at| at == 0 || tokens[at].follows(before::LINE)).collect();
    if starts.len() < 2 || starts[1] < 2 {
        return None;
    }
    let first = starts[1];
    starts.push(tokens.len());
    let odd = starts.windows(2).find(|two| two[1] - two[0] != first)?;
    let here = super::count((odd[1] - odd[0]) as u64, "number");
    let at = line_and_column(text, tokens::find(text, prefix, odd[0]));
    Some(format!("{at}: {here}, but the first row has {first}"))
}

/// The tours of a text that holds several; the text itself if it holds one.
pub fn split<'a>(text: &'a str, given: &Given) -> Vec<Cow<'a, str>> {
    // What a line of our own says is said of all tours up to the next such line.
    let place = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let notes: Vec<usize> = lines(text).filter(|line| line.starts_with(note::BEGINNING)).map(place).collect();
    let Some(&first) = notes.first() else {
        return split_one(text, given).into_iter().map(Cow::Borrowed).collect();
    };
    let before = Some((0, first)).filter(|&(start, end)| !is_blank(&text[start..end]));
    let ends = notes.iter().skip(1).copied().chain([text.len()]);
    let mut parts = Vec::new();
    for (start, end) in before.into_iter().chain(notes.iter().copied().zip(ends)) {
        let section = &text[start..end];
        match note::take(section) {
            Some((said, rest)) => {
                let Ok(said) = said.onto(given) else {
                    parts.push(Cow::Borrowed(section));
                    continue;
                };
                let line = lines(section).next().unwrap_or_default();
                let several = split_one(&rest, &said);
                if several.len() == 1 {
                    parts.push(Cow::Borrowed(section));
                } else {
                    parts.extend(several.into_iter().map(|part| Cow::Owned(format!("{line}\n{part}"))));
                }
            }
            None => {
                parts.extend(split_one(section, given).into_iter().map(Cow::Borrowed));
            }
        }
    }
    parts
}

/// How well a part of a text is explained; a single number or name is a tour of one square, and no part.
fn weight(part: &str, given: &Given) -> f64 {
    let tokens = tokens::cut(part, None);
    if tokens.iter().filter(|token| token.kind() != Kind::Empty).count() < 3 { 0.0 } else { weigh(part, given).1 }
}

fn split_one<'a>(text: &'a str, given: &Given) -> Vec<&'a str> {
    let whole = weigh(text, given);
    // What no person writes is no text of several tours.
    let broken = |c: char| c.is_control() && !c.is_whitespace();
    if whole.0.is_ok() || text.contains(broken) {
        return vec![text];
    }
    let mut best = (whole.1, vec![text]);
    for parts in [by_blank_lines(text), by_form(text), by_line(text)] {
        if parts.len() < 2 {
            continue;
        }
        let looked: Vec<f64> = parts.iter().take(LOOKED_AT).map(|part| weight(part, given)).collect();
        let some = looked.iter().filter(|&&fit| fit > 0.3).count();
        let mean = looked.iter().sum::<f64>() / looked.len() as f64;
        if some > 0 && mean > best.0 + 0.05 {
            best = (mean, parts);
        }
    }
    best.1
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn by_line(text: &str) -> Vec<&str> {
    lines(text).filter(|line| !is_blank(line)).collect()
}

/// The stretches of lines for which `group` has the same answer; lines without one end them.
fn stretches(text: &str, group: impl Fn(&str) -> Option<u8>) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut open: Option<(usize, usize, u8)> = None;
    for line in lines(text) {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + line.len();
        match (group(line), &mut open) {
            (Some(here), Some((_, last, form))) if *form == here => *last = end,
            (here, open) => {
                if let Some((start, end, _)) = open.take() {
                    parts.push(&text[start..end]);
                }
                *open = here.map(|form| (start, end, form));
            }
        }
    }
    if let Some((start, end, _)) = open {
        parts.push(&text[start..end]);
    }
    parts
}

fn by_blank_lines(text: &str) -> Vec<&str> {
    let mut parts = stretches(text, |line| (!is_blank(line)).then_some(0));
    // Titles between them.
    let holds = |part: &&str| part.bytes().filter(u8::is_ascii_digit).count() > 1 || part.contains('#');
    if parts.iter().filter(|part| holds(part)).count() > 1 {
        parts.retain(|part| part.bytes().any(|b| b.is_ascii_digit()));
    }
    parts
}

/// Lines of numbers, of names, of JSON; prose and blank lines end a stretch, and are no part themselves.
fn by_form(text: &str) -> Vec<&str> {
    stretches(text, |line| {
        let start = line.trim_start();
        if start.starts_with('{') && line.contains('"') {
            return Some(2);
        }
        let tokens = tokens::cut(line, None);
        if tokens.is_empty() && !is_blank(line) {
            // A line that is drawn.
            return Some(0);
        }
        let named = tokens.windows(2).any(|two| two[0].kind() == Kind::Letters && two[1].is_adjacent());
        let prose = (0..tokens.len()).any(|at| is_prose(&tokens, at));
        if named { Some(1) } else { (!prose && !is_blank(line)).then_some(0) }
    })
}
