//! A text cut into tokens, once: what can be a number, a square or a word, each with what stands before it.
//!
//! Separators are no tokens but flags of the token that follows, so that a text of brackets takes no memory. A token
//! is eight bytes; where it stands in the text is found by cutting the text again, which only messages need.

use super::super::words::lines;
use super::signs;
pub use super::signs::letters;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number that may be one of a board.
    Number,
    /// A number beyond any board, negative, or not whole.
    NoStep,
    /// Up to six letters: their value is that of a column, `a` being 1.
    Letters,
    /// A longer word, or what is neither letter nor number; its value tells words apart.
    Word,
    /// `#`.
    Blocked,
    /// A sign or word for "no number", such as `.` or `nan`.
    Nothing,
    /// Dashes that stand by themselves: no number in a grid, a separator elsewhere.
    Dash,
    /// Nothing between two commas, or at the edge of a line with one.
    Empty,
}

/// What stands before a token.
pub mod before {
    pub const SPACE: u32 = 1 << 8;
    pub const LINE: u32 = 1 << 9;
    pub const BLANK: u32 = 1 << 10;
    pub const COMMA: u32 = 1 << 11;
    pub const SEMICOLON: u32 = 1 << 12;
    pub const BAR: u32 = 1 << 13;
    pub const SLASH: u32 = 1 << 14;
    pub const CLOSE: u32 = 1 << 15;
    /// `\\` of LaTeX, or a row of HTML.
    pub const ROW: u32 = 1 << 16;
    /// Anything else.
    pub const OTHER: u32 = 1 << 17;
    pub const ALL: u32 = 0x3ff << 8;
}

/// A token.
#[derive(Clone, Copy)]
pub struct Token {
    pub value: u32,
    /// Kind, flags of what stands before, and marks.
    tag: u32,
}

/// Two digits, as `07` or `12`.
const TWO_DIGITS: u32 = 1 << 24;
/// Empty at the end of a line: perhaps only a comma too many.
const EDGE: u32 = 1 << 25;
/// Empty between tabs, which may only be wide spaces.
const TAB: u32 = 1 << 26;

impl Token {
    pub fn kind(self) -> Kind {
        use Kind::*;
        [Number, NoStep, Letters, Word, Blocked, Nothing, Dash, Empty][(self.tag & 7) as usize]
    }

    /// Whether one of these stands before it.
    pub fn follows(self, flags: u32) -> bool {
        self.tag & flags != 0
    }

    /// Whether nothing stands between it and the token before.
    pub fn is_adjacent(self) -> bool {
        self.tag & before::ALL == 0
    }

    pub fn has_two_digits(self) -> bool {
        self.tag & TWO_DIGITS != 0
    }

    pub fn is_edge(self) -> bool {
        self.tag & EDGE != 0
    }

    pub fn is_between_tabs(self) -> bool {
        self.tag & TAB != 0
    }

    /// All that stands before it.
    pub fn flags(self) -> u32 {
        self.tag & before::ALL
    }

    /// The token after something that is left out.
    pub fn after(self, flags: u32) -> Token {
        Token { tag: self.tag | flags, ..self }
    }

    /// A number that is not in the text as one.
    pub fn digit(value: u32) -> Token {
        Token { value, tag: Kind::Number as u32 | before::SPACE }
    }
}

/// The value of a longer word.
pub fn word(text: &str) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    for c in text.chars().take(40).flat_map(char::to_lowercase) {
        hash = (hash ^ c as u32).wrapping_mul(0x0100_0193);
    }
    hash
}

/// The tokens of a text, each line without its first `prefix` sign.
pub fn cut(text: &str, prefix: Option<&str>) -> Vec<Token> {
    let mut tokens = Vec::new();
    each(text, prefix, |token, _| {
        tokens.push(token);
        true
    });
    tokens
}

/// Where a token stands, in bytes, and how long it is at most.
pub fn find(text: &str, prefix: Option<&str>, index: usize) -> usize {
    let (mut left, mut found) = (index, text.len());
    each(text, prefix, |_, at| {
        found = at;
        left = left.wrapping_sub(1);
        left != usize::MAX
    });
    found
}

/// The first numbers that are none of a board, as they are written.
pub fn beyond(text: &str, prefix: Option<&str>, tokens: &[Token]) -> Vec<String> {
    const SHOWN: usize = 20;
    let mut found = Vec::new();
    if tokens.iter().any(|token| token.kind() == Kind::NoStep) {
        each(text, prefix, |token, at| {
            if token.kind() == Kind::NoStep {
                let is_part = |c: char| c.is_ascii_digit() || "-.+e".contains(c);
                let word = &text[at..];
                let word = &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())];
                let more = if word.len() > 40 { "..." } else { "" };
                found.push(format!("{}{more}", &word[..word.len().min(40)]));
            }
            found.len() < SHOWN
        });
    }
    found
}

fn each(text: &str, prefix: Option<&str>, put: impl FnMut(Token, usize) -> bool) {
    let mut cutter =
        Cutter { put, flags: before::LINE, state: State::Start, going: true, start: text.as_ptr() as usize };
    for line in lines(text) {
        let line = match prefix {
            Some(prefix) => line.trim_start().trim_start_matches(prefix),
            None => line,
        };
        if line.trim_ascii().is_empty() {
            cutter.flags |= before::LINE | before::BLANK;
            continue;
        }
        if !signs::is_ruler(line) {
            cutter.line(line);
        }
        if !cutter.going {
            return;
        }
        cutter.flags |= before::LINE;
    }
}

/// What stands last in a line, as far as empty cells are concerned.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    Content,
    Delimiter(u8),
    Bracket,
}

struct Cutter<F> {
    put: F,
    flags: u32,
    state: State,
    going: bool,
    start: usize,
}

impl<F: FnMut(Token, usize) -> bool> Cutter<F> {
    fn push(&mut self, kind: Kind, value: u32, marks: u32, at: &str) {
        if self.going {
            let token = Token { value, tag: kind as u32 | self.flags | marks };
            self.going = (self.put)(token, at.as_ptr() as usize - self.start);
        }
        self.flags = 0;
        self.state = State::Content;
    }

    fn line(&mut self, line: &str) {
        self.state = State::Start;
        let is_list = line.trim_start().starts_with(['[', '{', '(']);
        let mut rest = line;
        // The character before `rest`, if it is a letter or a digit.
        let mut glued = false;
        while let Some(&byte) = rest.as_bytes().first() {
            if !self.going {
                return;
            }
            let length = match byte {
                b' ' => {
                    self.flags |= before::SPACE;
                    1
                }
                b'0'..=b'9' => self.number(rest),
                b'a'..=b'z' | b'A'..=b'Z' => self.letters(rest),
                b',' | b';' | b'\t' | b'|' => self.delimiter(byte, rest),
                b'&' => match signs::entity(rest) {
                    0 => self.delimiter(b'&', rest),
                    length => self.other(length),
                },
                b'[' if signs::bracketed_tag(rest) > 0 => self.less(rest),
                b'(' | b'[' | b'{' => {
                    self.state = State::Bracket;
                    self.other(1)
                }
                b')' | b']' | b'}' => {
                    self.state = State::Bracket;
                    self.flags |= before::CLOSE;
                    1
                }
                b'\\' => self.backslash(rest),
                b'<' => self.less(rest),
                b'/' => {
                    self.flags |= before::SLASH;
                    1
                }
                b'-' | b'.' | b'*' | b'?' | b'#' | b'_' => self.sign(rest, glued),
                // An empty text in a list is a cell.
                b'"' | b'\'' if is_list && matches!(rest.as_bytes(), [_, again, b',' | b']', ..] if *again == byte) => {
                    self.push(Kind::Nothing, 0, 0, rest);
                    2
                }
                b'"' | b'\'' | b'`' | b':' | b'=' | b'>' | b'+' | b'!' | b'%' | b'$' | b'^' | b'~' | b'@' => {
                    self.other(1)
                }
                _ => self.uncommon(rest, glued),
            };
            glued = rest[..length].ends_with(|c: char| c.is_alphanumeric());
            rest = &rest[length..];
        }
        if let State::Delimiter(last @ (b',' | b';' | b'\t' | b'&')) = self.state {
            self.push(Kind::Empty, 0, if last == b'\t' { EDGE | TAB } else { EDGE }, rest);
        }
    }

    fn other(&mut self, length: usize) -> usize {
        self.flags |= before::OTHER;
        length
    }

    fn delimiter(&mut self, byte: u8, at: &str) -> usize {
        let again = match self.state {
            State::Delimiter(last) => last == byte,
            State::Start => byte != b'|',
            _ => false,
        };
        if again {
            self.push(Kind::Empty, 0, if byte == b'\t' { TAB } else { 0 }, at);
        }
        self.state = if self.state == State::Bracket { State::Bracket } else { State::Delimiter(byte) };
        self.flags |= match byte {
            b',' => before::COMMA,
            b';' => before::SEMICOLON,
            b'|' => before::BAR,
            _ => before::OTHER,
        };
        // A wiki parts cells by two bars.
        if byte == b'|' && at.starts_with("||") { 2 } else { 1 }
    }

    /// Digits: whole, with a fraction of zeros, or as `1.0e+01`.
    fn number(&mut self, at: &str) -> usize {
        let bytes = at.as_bytes();
        let run = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let digits = run(0);
        let mut value =
            bytes[..digits].iter().fold(0u64, |value, b| value.saturating_mul(10).saturating_add(u64::from(b - b'0')));
        let mut length = digits;
        let mut whole = true;
        if bytes.get(digits) == Some(&b'.') && run(digits + 1) > 0 {
            let fraction = run(digits + 1);
            length += 1 + fraction;
            whole = bytes[digits + 1..length].iter().all(|&b| b == b'0');
        }
        // np.savetxt writes 1.000000000000000000e+00.
        if matches!(bytes.get(length), Some(b'e' | b'E')) && matches!(bytes.get(length + 1), Some(b'+' | b'-')) {
            let exponent = run(length + 2);
            if exponent > 0 {
                length += 2 + exponent;
                let number = at[..length].parse::<f64>().unwrap_or(-1.0);
                whole = number >= 0.0 && number.fract() == 0.0;
                value = number as u64;
            }
        }
        let marks = if length == 2 { TWO_DIGITS } else { 0 };
        match u32::try_from(value) {
            Ok(number) if whole && number <= 1 << 31 => self.push(Kind::Number, number, marks, at),
            _ => self.push(Kind::NoStep, u32::MAX, 0, at),
        }
        length
    }

    fn letters(&mut self, at: &str) -> usize {
        let ascii = at.bytes().take_while(u8::is_ascii_alphabetic).count();
        let end = at[ascii..].find(|c: char| !c.is_alphabetic()).map_or(at.len(), |more| ascii + more);
        let text = &at[..end];
        let rest = &at.as_bytes()[end..];
        // np.int64(1): the numbers of programs.
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let is_module = rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_alphabetic);
        if is_module || digits > 0 && ["int", "uint", "float"].contains(&text) {
            self.flags |= before::OTHER;
            return end + if is_module { 1 } else { digits };
        }
        let next = rest.first();
        // `A = [1, 2; ...]`, `c(1, 2)`: a name that a program gives. Matlab writes the value below.
        let named = at[end + digits..].trim_start().strip_prefix('=').map(str::trim_start);
        let is_given = named.is_some_and(|value| value.is_empty() || value.starts_with(['[', '{', '(', '"', '\'']));
        if is_given && digits > 0 {
            self.push(Kind::Word, word(text), 0, at);
            return end + digits;
        }
        if ascii == end && end <= 6 && !is_given && next != Some(&b'(') {
            let is_word = signs::NOTHING.contains(&letters(text.as_bytes()));
            if is_word && !next.is_some_and(u8::is_ascii_digit) {
                self.push(Kind::Nothing, 0, 0, at);
            } else {
                self.push(Kind::Letters, letters(text.as_bytes()), 0, at);
            }
        } else {
            self.push(Kind::Word, word(text), 0, at);
        }
        end
    }

    /// A sign that is a cell where it stands by itself, and a separator beside letters and digits.
    fn sign(&mut self, at: &str, glued: bool) -> usize {
        let first = at.chars().next().unwrap_or(' ');
        let is_same = |c: char| c == first || signs::is_dash(first) && signs::is_dash(c);
        let length = at.find(|c: char| !is_same(c)).unwrap_or(at.len());
        let count = at[..length].chars().count();
        let next = at[length..].chars().next();
        let dashes = signs::is_dash(first);
        if dashes && !glued && count == 1 && next.is_some_and(|c| c.is_ascii_digit()) {
            let digits = at[length..].bytes().take_while(u8::is_ascii_digit).count();
            let end = length + digits;
            let fraction =
                at[end..].strip_prefix('.').map_or(0, |more| 1 + more.bytes().take_while(|&b| b == b'0').count());
            let kind = if &at[length..end] == "1" { Kind::Nothing } else { Kind::NoStep };
            self.push(kind, u32::MAX, 0, at);
            return end + fraction;
        }
        let alone = !glued && !next.is_some_and(char::is_alphanumeric);
        // After a bracket that closes, and before another sign, it ends a sentence.
        let ends = self.flags & (before::CLOSE | before::OTHER) == before::CLOSE;
        // An arrow, the item of a list in YAML, a comment of C, a line.
        let is_item = at[length..].trim_start().starts_with(['[', '(']);
        let part = dashes && (next == Some('>') || is_item)
            || first == '*' && self.flags & before::SLASH != 0
            || first == '.' && self.state == State::Bracket && (count > 1 || ends)
            || count > if first == '_' { 2 } else { 4 };
        if !alone || part {
            self.flags |= before::OTHER;
        } else {
            let kind = if dashes {
                Kind::Dash
            } else if first == '#' {
                Kind::Blocked
            } else {
                Kind::Nothing
            };
            self.push(kind, 0, 0, at);
        }
        length
    }

    fn backslash(&mut self, at: &str) -> usize {
        let next = at.as_bytes().get(1).copied().unwrap_or(b' ');
        if next == b'\\' {
            if self.state == State::Delimiter(b'&') {
                self.push(Kind::Empty, 0, EDGE, at);
            }
            self.flags |= before::ROW;
            self.state = State::Start;
            // `\\[2pt]`
            return 2 + if at[2..].starts_with('[') { at.find(']').map_or(0, |end| end - 1) } else { 0 };
        }
        let command = at[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        if command == 1 && matches!(next, b'n' | b'r') {
            // A line's end as a programmer's text has it.
            self.flags |= before::LINE;
            self.state = State::Start;
            return 2;
        }
        self.flags |= before::OTHER;
        1 + command + signs::arguments(&at[1..], command)
    }

    /// A tag of HTML, or an arrow.
    fn less(&mut self, at: &str) -> usize {
        if at.starts_with("<NA>") {
            self.push(Kind::Nothing, 0, 0, at);
            return 4;
        }
        let Some((name, length)) = signs::tag(at) else { return self.other(1) };
        match &*name.to_ascii_lowercase() {
            "tr" => {
                self.flags |= before::ROW;
                self.state = State::Start;
            }
            "td" | "th" if at[1..].starts_with('/') => {
                if self.state == State::Delimiter(b'|') {
                    self.push(Kind::Empty, 0, 0, at);
                }
            }
            "td" | "th" => {
                self.delimiter(b'|', at);
            }
            _ => self.flags |= before::OTHER,
        }
        length
    }

    fn uncommon(&mut self, at: &str, glued: bool) -> usize {
        let c = at.chars().next().unwrap_or(' ');
        let length = c.len_utf8();
        if c.is_whitespace() || signs::is_invisible(c) {
            self.flags |= before::SPACE;
        } else if signs::is_upright(c) {
            self.delimiter(b'|', at);
        } else if signs::is_dash(c) || signs::is_mark(c) {
            return self.sign(at, glued);
        } else if c.is_alphabetic() {
            return self.letters(at);
        } else if c.is_control() || c == char::REPLACEMENT_CHARACTER {
            let end = at.find(|other| other != c).unwrap_or(at.len());
            self.push(Kind::Word, c as u32, 0, at);
            return end;
        } else {
            self.flags |= before::OTHER;
        }
        length
    }
}
