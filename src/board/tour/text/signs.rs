//! Signs of texts that are neither numbers nor names: lines that are drawn, dashes, marks, tags, commands.

/// The value of a word of up to six letters: as a column, in either case.
#[must_use]
pub const fn letters(word: &[u8]) -> u32 {
    let (mut value, mut at) = (0, 0);
    while at < word.len() {
        value = value * 26 + (word[at] | 32) as u32 - 96;
        at += 1;
    }
    value
}

/// Words for "no number".
pub const NOTHING: [u32; 6] =
    [letters(b"nan"), letters(b"none"), letters(b"null"), letters(b"na"), letters(b"nil"), letters(b"nul")];

/// A dash of any length.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{30fc}')
}

/// A sign that stands for a square without a number.
pub fn is_mark(c: char) -> bool {
    matches!(c, '.' | '*' | '?' | '_' | '·' | '•' | '∙' | '×' | '✗' | '□' | '■' | '▪' | '▫' | '█' | '░' | '▒' | '▓')
        || matches!(c, '☐' | '⬜' | '⬛' | '◻' | '◼' | '○' | '●' | '∅' | '…')
}

/// A bar between cells.
pub fn is_upright(c: char) -> bool {
    matches!(c, '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '¦' | '｜')
}

/// Marks of order and width that nobody sees.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

/// Whether a line is drawn, as between the rows of a table, and holds no cells.
pub fn is_ruler(line: &str) -> bool {
    let is_drawn = |c: char| {
        c.is_whitespace()
            || is_dash(c)
            || is_upright(c)
            || "+=|:_~^'`".contains(c)
            || ('\u{2500}'..='\u{257f}').contains(&c)
    };
    if !line.chars().all(is_drawn) {
        return false;
    }
    // Cells with a dash each are a row; of Markdown's `|--|--|` and of longer dashes a line is made.
    let mut cells =
        line.split(|c: char| c.is_whitespace() || c == '|' || is_upright(c)).filter(|cell| !cell.is_empty());
    let Some(first) = cells.next() else { return true };
    let bars = line.contains(|c: char| c == '|' || is_upright(c));
    let longest = if bars { 2 } else { 4 };
    let padded = !bars || !line.contains("|-");
    let is_cell = first.chars().all(|c| is_dash(c) || c == '_') && first.chars().count() <= longest && padded;
    let mut more = 0;
    let same = is_cell
        && cells.all(|cell| {
            more += 1;
            cell == first
        });
    !(same && more > 0)
}

/// The length of an entity of HTML at the beginning of a text; 0 if there is none.
pub fn entity(at: &str) -> usize {
    let body = at[1..].bytes().take(8).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    if body > 1 && at[1 + body..].starts_with(';') { body + 2 } else { 0 }
}

/// Name and length of a tag of HTML.
pub fn tag(at: &str) -> Option<(&str, usize)> {
    let name = at[1..].trim_start_matches('/');
    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if length == 0 || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let close = if at.starts_with('[') { b']' } else { b'>' };
    // Another one does not begin within it.
    let end = at.bytes().skip(1).take(500).take_while(|&b| b != b'<').position(|b| b == close)? + 1;
    Some((&name[..length], end + 1))
}

/// The length of a tag that forums write in brackets, such as `[td]`; 0 if there is none.
pub fn bracketed_tag(at: &str) -> usize {
    const NAMES: [&str; 10] = ["table", "tr", "td", "th", "code", "pre", "quote", "center", "b", "tt"];
    tag(at).filter(|(name, _)| NAMES.contains(name)).map_or(0, |(_, length)| length)
}

/// The length of a LaTeX command's arguments where they are no cells.
pub fn arguments(at: &str, command: usize) -> usize {
    const WITH: [&str; 9] =
        ["begin", "end", "cline", "cmidrule", "usepackage", "documentclass", "caption", "label", "setlength"];
    // The colour of a cell; its number may be in braces, too.
    const COLOURS: [&str; 4] = ["cellcolor", "rowcolor", "color", "textcolor"];
    let colour = COLOURS.contains(&&at[..command]);
    if !colour && !WITH.contains(&&at[..command]) {
        return 0;
    }
    let mut length = 0;
    loop {
        let rest = &at[command + length..];
        let close = match rest.as_bytes().first() {
            Some(b'{') => b'}',
            Some(b'[') => b']',
            Some(b'(') => b')',
            _ => return length,
        };
        match rest.bytes().take(200).position(|b| b == close) {
            Some(end) if colour && close == b'}' => return length + end + 1,
            Some(end) => length += end + 1,
            None => return length,
        }
    }
}
