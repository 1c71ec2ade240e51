//! Reading tours that people and programs write.
//!
//! A text is cut into [`tokens`] once. Then each reading ([`grid`]; [`names`], with moves between them; pairs and
//! square [`numbers`]) makes of them what it can, and the [`judge`] takes the first that is a tour. If there is none,
//! the fault of the reading that comes nearest to a tour is what is said, beginning with how the text was read. A text
//! that no reading explains is no wrong tour: it cannot be read. Where a text holds several tours, [`parts`] finds
//! them; JSON with our keys is read by its own room, and a line of our own ([`note`]) says what a grid cannot.
//!
//! Time and memory are linear in the text, whatever it is.

mod grid;
mod judge;
mod names;
pub(super) mod note;
mod numbers;
pub(super) mod parts;
mod repeats;
mod signs;
mod tokens;
mod words;

use std::borrow::Cow;

use self::judge::{Judge, Verdict};
use self::tokens::{Kind, Token};
use super::given::{Given, Reading, count};
use super::words::{place as line_and_column, quoted};
use super::{ParseTourError, json};
use crate::board::square::Square;

pub(super) use super::place;

/// The numbers of rows of the boards with this many squares: first of the square one, then of those nearest to it. A
/// line of squares has no tour.
fn sizes(squares: usize) -> impl Iterator<Item = usize> {
    let root = squares.isqrt();
    // Of a long list, those that are nearly square: each is tried in turn.
    let most = if squares > 1 << 14 { 4 } else { usize::MAX };
    (2..=root)
        .rev()
        .filter(move |rows| squares.is_multiple_of(*rows))
        .flat_map(move |rows| {
            let other = (rows * rows != squares).then_some(squares / rows);
            [Some(rows), other].into_iter().flatten()
        })
        .take(most)
}

/// Reads the tour that a text is.
pub(super) fn read(text: &str, given: &Given) -> Result<Reading, ParseTourError> {
    let reading = weigh(text, given).0?;
    let board = reading.tour.board();
    match given.blocked.iter().find(|name| Square::from_name(name, board.rows(), board.cols()).is_none()) {
        Some(name) => {
            let message = format!("the blocked square {} is not on the {}", quoted(name), board.describe());
            Err(ParseTourError::Unreadable(super::UnreadableText { message }))
        }
        None => Ok(reading),
    }
}

/// Reads a text, and says how well that explains it: from 0, not at all, to 1, a tour.
fn weigh(text: &str, given: &Given) -> (Result<Reading, ParseTourError>, f64) {
    let text = &*folded(text, given);
    let text = text.trim_start_matches('\u{feff}');
    let mut given = Cow::Borrowed(given);
    let mut rest = Cow::Borrowed(text);
    if let Some((noted, without)) = note::take(text) {
        match noted.onto(&given) {
            Ok(said) => given = Cow::Owned(said),
            Err(error) => return (Err(error), 0.0),
        }
        rest = Cow::Owned(without);
    }
    let (text, given) = (&*rest, &*given);
    if text.trim_start().starts_with('{')
        && let Some((result, fit)) = json::attempt(text, given)
    {
        return (result, fit);
    }
    let prefix = comment(text);
    let mut prefixes = vec![prefix];
    if prefix == Some("#") {
        // The first column may be blocked.
        prefixes.push(None);
    }
    let mut best: Option<(Result<Reading, ParseTourError>, f64)> = None;
    for prefix in prefixes {
        let weighed = weigh_tokens(text, prefix, given);
        if best.as_ref().is_none_or(|best| weighed.1 > best.1) {
            best = Some(weighed);
        }
        if best.as_ref().is_some_and(|best| best.0.is_ok()) {
            break;
        }
    }
    if best.as_ref().is_some_and(|best| best.0.is_err())
        && let Some(bare) = repeats::without_keys(text)
    {
        let weighed = weigh_tokens(&bare, prefix, given);
        if best.as_ref().is_none_or(|best| weighed.1 > best.1) {
            best = Some(weighed);
        }
    }
    if text.trim_start().starts_with("{\"")
        && let Some((Err(ParseTourError::Unreadable(_)), _)) = best
        && let Err(error) = json::read(text, given)
    {
        return (Err(error), 0.0);
    }
    best.unwrap_or_else(|| (Err(unreadable(text, None, &[], Verdict::Nothing)), 0.0))
}

fn weigh_tokens(text: &str, prefix: Option<&str>, given: &Given) -> (Result<Reading, ParseTourError>, f64) {
    let tokens = tokens::cut(text, prefix);
    let mut judge = Judge::new(given, tokens.len());
    judge.beyond = tokens::beyond(text, prefix, &tokens);
    try_all(&tokens, &mut judge);
    let is_kept = |tokens: &[Token], all: usize| tokens.len() >= 4 && tokens.len() * 2 >= all;
    if !judge.has_tour() {
        // A title above, "Solution:" before, "dtype=int64" behind.
        let bare = parts::without_prose(&tokens);
        if bare.len() < tokens.len() && is_kept(bare, tokens.len()) {
            try_all(bare, &mut judge);
        }
    }
    if !judge.has_tour() && tokens.iter().any(|token| token.is_between_tabs()) {
        // Tabs that are nothing but wide spaces.
        let mut flags = 0;
        let mut cells = Vec::new();
        for &token in &tokens {
            flags |= token.flags();
            if !token.is_between_tabs() {
                cells.push(token.after(std::mem::take(&mut flags)));
            }
        }
        let mut spaced = Judge::new(given, cells.len());
        grid::read(&cells, &mut spaced);
        if spaced.has_tour() {
            judge = spaced;
        }
    }
    if !judge.has_tour()
        && let Some(lines) = parts::without_lines_of_prose(&tokens)
        && is_kept(&lines, tokens.len())
    {
        try_all(&lines, &mut judge);
    }
    for bare in [&tokens[..], parts::without_prose(&tokens)] {
        for without in [repeats::without_word, repeats::without_columns, repeats::without_index] {
            if !judge.has_tour()
                && let Some(bare) = without(bare)
            {
                let mut other = Judge::new(given, bare.len());
                try_all(&bare, &mut other);
                if other.has_tour() || judge.is_at_a_loss() {
                    judge = other;
                }
            }
        }
    }
    if judge.is_at_a_loss()
        && let Some(digits) = parts::single_digits(text)
    {
        // Pairs run together without a blank: 00122436...
        let mut pairs = Judge::new(given, digits.len());
        numbers::read_pairs(&digits, &mut pairs);
        judge = pairs;
    }
    let (decision, fit) = judge.decide();
    (
        decision.map_err(|verdict| match verdict {
            Verdict::NotATour(fault) => fault.into(),
            Verdict::NoBoard(error) => error.into(),
            other => unreadable(text, prefix, &tokens, other),
        }),
        fit,
    )
}

/// Tries all readings, in the order in which one is taken if several are tours.
fn try_all(tokens: &[Token], judge: &mut Judge<'_>) {
    let zero = || tokens.iter().any(|token| token.kind() == Kind::Number && token.value == 0);
    // Steps and square numbers differ; of coordinates there are as many pairs as there are squares, at most.
    let (numbers, different) = different(tokens);
    let are_steps = different * 4 >= numbers;
    if are_steps {
        grid::read(tokens, judge);
        if judge.is_done() {
            return;
        }
    }
    names::read(tokens, judge);
    // Numbers from 0 in a row are rather square numbers, those from 1 rather steps.
    let squares_first = judge.given.is_data || zero();
    if are_steps && squares_first {
        numbers::read_squares(tokens, judge);
    }
    if are_steps {
        grid::read_flat(tokens, judge);
    }
    if are_steps && !squares_first {
        numbers::read_squares(tokens, judge);
    }
    if numbers <= 8 * (different + 1).saturating_mul(different + 1) {
        numbers::read_pairs(tokens, judge);
    }
}

/// How many numbers there are but 0, and how many different ones.
fn different(tokens: &[Token]) -> (usize, usize) {
    let values =
        || tokens.iter().filter(|token| token.kind() == Kind::Number && token.value > 0).map(|token| token.value);
    let numbers = values().count();
    let mut seen = vec![0u64; numbers / 16 + 1];
    let mut different = 0;
    for value in values() {
        // Four times as many as a grid has are told apart.
        let at = value as usize;
        match seen.get_mut(at / 64) {
            Some(word) => {
                different += usize::from(*word >> (at % 64) & 1 == 0);
                *word |= 1 << (at % 64);
            }
            None => different += 1,
        }
    }
    (numbers, different)
}

/// Letters and digits of other scripts and styles as the usual ones, and a terminal's colours left out.
fn folded<'a>(text: &'a str, given: &Given) -> Cow<'a, str> {
    // The frame around the digits of a keycap.
    let keycaps = text.contains('\u{20e3}');
    let text = if keycaps { Cow::Owned(text.replace(['\u{20e3}', '\u{fe0f}'], "")) } else { Cow::Borrowed(text) };
    let text = if text.contains("\x1b[") { Cow::Owned(uncoloured(&text)) } else { text };
    // Pairs with a 0 each lie on one column.
    let is_wide = given.leaper.is_none() && given.board.as_ref().is_none_or(|board| board.cols() > 1);
    let text = match whole_numbers(&text) {
        Some(whole) if is_wide => Cow::Owned(whole),
        _ => text,
    };
    let is_other = |c: char| !c.is_ascii() && narrow(c) != c;
    if text.is_ascii() || !text.contains(is_other) {
        return text;
    }
    Cow::Owned(text.chars().map(narrow).collect())
}

fn narrow(c: char) -> char {
    /// The zeros of scripts and styles.
    const ZEROS: [u32; 14] =
        [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xe50, 0x2080, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6];
    let code = c as u32;
    if c.is_ascii() {
        return c;
    }
    let other = match code {
        0xff01..=0xff5e => Some(code - 0xfee0),
        _ => ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code)).map(|zero| code - zero + 0x30),
    };
    other.and_then(char::from_u32).unwrap_or(c)
}

/// A text without the signs by which a terminal changes its colours.
fn uncoloured(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        left.push_str(&rest[..at]);
        rest = &rest[at + 2..];
        let end = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
        rest = rest[end..].strip_prefix('m').unwrap_or(rest);
    }
    left.push_str(rest);
    left
}

/// Whole numbers with a comma before their fraction, as spreadsheets write them in many countries: `1,00;48,00`.
fn whole_numbers(text: &str) -> Option<String> {
    if !text.contains(",0") || !text.contains([';', '\t']) {
        return None;
    }
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(',') {
        let zeros = rest[at + 1..].bytes().take_while(|&b| b == b'0').count();
        let after = &rest[at + 1 + zeros..];
        let before = rest[..at].ends_with(|c: char| c.is_ascii_digit());
        if zeros == 0 || !before || after.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        left.push_str(&rest[..at]);
        rest = after;
    }
    left.push_str(rest);
    Some(left)
}

/// The sign of a comment that each line begins with.
fn comment(text: &str) -> Option<&'static str> {
    const SIGNS: [&str; 7] = ["//", "--", ">", "*", "%", ";", "#"];
    let begins = |line: &str, sign: &str| {
        let rest = line.trim_start().strip_prefix(sign);
        let parted = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']) || !["*", "--"].contains(&sign);
        rest.is_some_and(parted)
    };
    let first = super::words::lines(text).find(|line| !line.trim().is_empty())?;
    let sign = SIGNS.into_iter().find(|sign| begins(first, sign))?;
    let every = super::words::lines(text).all(|line| line.trim().is_empty() || begins(line, sign));
    // A blocked first column is written `#`, too; where numbers are wider, it is not at the edge.
    let edge = || {
        super::words::lines(text).all(|line| line.trim().is_empty() || line.starts_with('#'))
            && super::words::lines(text).all(|line| !line.starts_with("#,"))
            && tokens::cut(text, Some("#")).iter().any(|token| token.kind() != Kind::Number || token.value > 9)
    };
    (every && (sign != "#" || edge())).then_some(sign)
}

/// What can be read, for those whose text could not be.
pub(super) const READABLE: &str =
    "a tour is a numbered grid, names such as a1 b3, pairs (row, column), square numbers, or JSON";

/// That a text cannot be read: what was found, where reading stopped, what can be read.
fn unreadable(text: &str, prefix: Option<&str>, tokens: &[Token], verdict: Verdict) -> ParseTourError {
    let found = match verdict {
        Verdict::Unreadable(message) => message,
        _ if tokens.is_empty() => {
            let nothing = text.trim().is_empty();
            if nothing { "the text is empty".to_owned() } else { "the text has no number and no square".to_owned() }
        }
        _ => {
            let is_word = |token: &Token| matches!(token.kind(), Kind::Word | Kind::NoStep);
            let letters = |at: usize| {
                tokens[at].kind() == Kind::Letters && !tokens.get(at + 1).is_some_and(|next| next.is_adjacent())
            };
            let numbers = tokens.iter().filter(|token| token.kind() == Kind::Number).count() as u64;
            match (0..tokens.len()).find(|&at| is_word(&tokens[at]) || letters(at)) {
                Some(at) => {
                    let start = tokens::find(text, prefix, at);
                    let word = text[start..]
                        .split(|c: char| c.is_whitespace() || ",;|)]}:\"".contains(c))
                        .next()
                        .unwrap_or_default();
                    let what = match tokens[at].kind() {
                        Kind::NoStep => "is not the number of a step or a square",
                        _ => "is neither a number nor a square",
                    };
                    format!("{}: {} {what}", line_and_column(text, start), quoted(word))
                }
                None => parts::ragged(text, prefix, tokens).unwrap_or_else(|| {
                    format!(
                        "found {}, but they are not a grid or squares in order; if the text does not say which board, give it",
                        count(numbers, "number")
                    )
                }),
            }
        }
    };
    ParseTourError::Unreadable(super::UnreadableText { message: format!("{found}; {READABLE}") })
}
