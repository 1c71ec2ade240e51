//! Lists of numbers: pairs (row, column), with or without a number of their own, and square numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::judge::{Candidate, Judge};
use super::tokens::{Kind, Token, before, letters, word};
use super::words::{Squares, Words, broken_chain, chain, closing};

/// A number beyond any board.
const HUGE: u32 = u32::MAX;

/// What a word says of the numbers that it stands above or before.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    Step,
    Row,
    /// Counted from the bottom.
    Rank,
    Col,
}

/// Words for rows, ranks, columns and steps.
const ROLES: [(Role, &[&str]); 4] = [
    (Role::Col, &["x", "col", "cols", "column", "columns", "c", "j", "file"]),
    (Role::Row, &["y", "row", "rows", "r", "i", "line"]),
    (Role::Rank, &["rank"]),
    (Role::Step, &["step", "move", "number", "nr", "no", "n", "index", "idx", "order", "k", "t"]),
];

/// The same in other languages.
const ELSEWHERE: [(Role, &[&str]); 3] = [
    (Role::Col, &["spalte", "colonne", "columna", "colonna", "coluna", "kolom", "столбец", "列"]),
    (Role::Row, &["zeile", "reihe", "ligne", "fila", "riga", "linha", "rij", "строка", "行"]),
    (Role::Step, &["schritt", "zug"]),
];

/// The role of a word.
fn role(token: Token) -> Option<Role> {
    static KNOWN: LazyLock<HashMap<(bool, u32), Role>> = LazyLock::new(|| {
        let short = |name: &str| name.is_ascii() && name.len() <= 6;
        let value = |name: &str| if short(name) { letters(name.as_bytes()) } else { word(name) };
        let all = ROLES.into_iter().chain(ELSEWHERE);
        all.flat_map(|(role, names)| names.iter().map(move |name| ((short(name), value(name)), role))).collect()
    });
    KNOWN.get(&(token.kind() == Kind::Letters, token.value)).copied()
}

/// The numbers of a text, and what its words say of them.
struct Stream {
    numbers: Vec<u32>,
    roles: Vec<Role>,
    words: Words,
    two_digits: bool,
    explained: usize,
    /// Whether there are brackets, as around pairs.
    brackets: bool,
    /// Pairs of which one word stands before all first, another before all second numbers: `x: [0, 1, ...], y: ...`.
    sides: Option<Vec<[u32; 2]>>,
}

impl Stream {
    fn new(tokens: &[Token]) -> Option<Stream> {
        let mut stream = Stream {
            numbers: Vec::new(),
            roles: Vec::new(),
            words: Words::default(),
            two_digits: true,
            explained: 0,
            brackets: false,
            sides: None,
        };
        // How many numbers stand before each word for a side.
        let mut before_side = Vec::new();
        for (at, &token) in tokens.iter().enumerate() {
            stream.brackets |= token.follows(before::CLOSE);
            match token.kind() {
                Kind::Number => {
                    stream.two_digits &= token.has_two_digits();
                    stream.numbers.push(token.value);
                }
                Kind::NoStep => {
                    stream.two_digits = false;
                    stream.numbers.push(HUGE);
                }
                Kind::Letters | Kind::Word => match role(token) {
                    Some(role) => {
                        // Numbers before the heading belong to no square.
                        if stream.roles.is_empty() && stream.numbers.len() < 4 {
                            stream.numbers.clear();
                        }
                        if role != Role::Step && before_side.len() < 3 {
                            before_side.push(stream.numbers.len());
                        }
                        if stream.roles.len() < 3 && !stream.roles.contains(&role) {
                            stream.roles.push(role);
                        }
                    }
                    None => stream.words.add(token),
                },
                Kind::Dash => {}
                Kind::Empty if token.is_edge() => {}
                // -1 ends a tour of TSPLIB.
                Kind::Nothing if at + 1 == tokens.len() => {}
                Kind::Blocked | Kind::Nothing | Kind::Empty => return None,
            }
        }
        let half = stream.numbers.len() / 2;
        if half > 1 && half * 2 == stream.numbers.len() && before_side == [0, half] {
            let (first, second) = stream.numbers.split_at(half);
            stream.sides = Some(first.iter().zip(second).map(|(&one, &two)| [one, two]).collect());
        }
        stream.explained = tokens.len() - stream.words.distinct().min(tokens.len());
        Some(stream)
    }
}

/// Tries the tokens as pairs (row, column).
pub fn read_pairs(tokens: &[Token], judge: &mut Judge<'_>) {
    let Some(stream) = Stream::new(tokens) else { return };
    let numbers = &stream.numbers;
    if numbers.len() < 2 || !stream.words.are_few(numbers.len() / 2) {
        return;
    }
    let roles = &stream.roles;
    let sides: Vec<Role> = roles.iter().copied().filter(|&role| role != Role::Step).collect();
    let step = roles.iter().position(|&role| role == Role::Step);
    let (mut orders, upward) = match sides[..] {
        [Role::Col, Role::Rank] => (vec![true], true),
        [Role::Rank, Role::Col] => (vec![false], true),
        [Role::Col, ..] => (vec![true], false),
        [_, Role::Col] => (vec![false], false),
        _ => (vec![false, true], false),
    };
    let mut groups: Vec<Vec<[u32; 2]>> = Vec::new();
    let three = numbers.len() % 3 == 0;
    if let Some(sides) = &stream.sides {
        groups.push(sides.clone());
    }
    // A heading may call the number of the step anything.
    let any = sides.len() != 1;
    if three && (step.is_some() || any && are_steps(numbers.iter().step_by(3))) {
        groups.extend(numbered(numbers, step.unwrap_or(0)));
    } else if three && any && are_steps(numbers.iter().skip(2).step_by(3)) {
        groups.extend(numbered(numbers, 2));
    }
    if numbers.len() % 2 == 0 {
        groups.push(numbers.as_chunks().0.to_vec());
    }
    if stream.two_digits && numbers.len() > 2 {
        groups.push(numbers.iter().map(|&both| [both / 10, both % 10]).collect());
    }
    if roles.is_empty() && numbers.len() < 2 {
        orders.clear();
    }
    for group in groups {
        for &swapped in &orders {
            paired(&group, swapped, upward, &stream, judge);
            if judge.is_done() {
                return;
            }
        }
    }
}

/// Whether numbers count up by ones, nearly all of them.
fn counts<'a>(numbers: impl Iterator<Item = &'a u32> + Clone) -> bool {
    let first = numbers.clone().next().copied().unwrap_or(HUGE);
    let (mut right, mut all) = (0, 0);
    for (&number, expected) in numbers.zip(u64::from(first)..) {
        all += 1;
        right += usize::from(u64::from(number) == expected);
    }
    first <= 1 && all > 1 && right * 4 >= all * 3
}

/// Whether numbers are all those from 0 or from 1 on, in any order, or nearly count up.
fn are_steps<'a>(numbers: impl Iterator<Item = &'a u32> + Clone) -> bool {
    let first = numbers.clone().min().copied().unwrap_or(HUGE);
    let mut seen = vec![false; numbers.clone().count()];
    let permuted = first <= 1
        && seen.len() > 1
        && numbers.clone().all(|&number| {
            let place = seen.get_mut((number - first) as usize);
            place.is_some_and(|place| !std::mem::replace(place, true))
        });
    permuted || counts(numbers)
}

/// The pairs of triples of which one number is that of the step.
fn numbered(numbers: &[u32], at: usize) -> Option<Vec<[u32; 2]>> {
    let [one, two] = [[1, 2], [0, 2], [0, 1]][at];
    let triples = numbers.as_chunks::<3>().0;
    let first = triples.iter().map(|triple| triple[at]).min()?;
    let mut sorted = vec![None; triples.len()];
    for triple in triples {
        match sorted.get_mut((triple[at] - first) as usize) {
            Some(place @ None) => *place = Some([triple[one], triple[two]]),
            // Not in any order: as they stand.
            _ => return Some(triples.iter().map(|triple| [triple[one], triple[two]]).collect()),
        }
    }
    Some(sorted.into_iter().flatten().collect())
}

fn paired(group: &[[u32; 2]], swapped: bool, upward: bool, stream: &Stream, judge: &mut Judge<'_>) {
    let pairs: Vec<(u32, u32)> =
        group.iter().map(|&[one, two]| if swapped { (two, one) } else { (one, two) }).collect();
    let (_, joined, broken) = chain(&pairs);
    let mut list = Squares { items: joined, closed: None };
    closing(&mut list, judge.given);
    let count = list.items.len();
    let most = |side: fn(&(u32, u32)) -> u32| list.items.iter().map(side).filter(|&at| at != HUGE).max().unwrap_or(0);
    let (rows, cols) = (most(|pair| pair.0), most(|pair| pair.1));
    let zero = list.items.iter().any(|&(row, col)| row == 0 || col == 0);
    let names = if swapped { "(x, y), which are column and row," } else { "(row, column)" };
    let mut bases = vec![u32::from(!zero)];
    if let Some(board) = &judge.given.board {
        bases = if zero {
            vec![0]
        } else if rows >= board.rows() || cols >= board.cols() {
            vec![1]
        } else {
            vec![0, 1]
        };
    } else if zero && list.items.iter().filter(|&&(row, col)| row == 0 || col == 0).count() * 8 < count {
        // One 0 among pairs from 1 is more likely to be wrong than all the others.
        bases.push(1);
    }
    for first in bases {
        let size = |most: u32| (most + 1).saturating_sub(first);
        let board = match judge.given.board_around(size(rows), size(cols), count) {
            Ok(board) => board,
            Err(error) if stream.brackets || !stream.roles.is_empty() => return judge.unreadable(error),
            Err(_) => return,
        };
        let place = |&(row, col): &(u32, u32)| {
            let (row, col) = (row.checked_sub(first)?, col.checked_sub(first)?);
            let inside = row < board.rows() && col < board.cols();
            let row = if upward && inside { board.rows() - 1 - row } else { row };
            inside.then(|| row * board.cols() + col)
        };
        let squares: Vec<u32> = list.items.iter().map_while(place).collect();
        let mut candidate = Candidate {
            read_as: format!("read as pairs {names} counted from {first}"),
            explained: stream.explained,
            closed: list.closed,
            items: count,
            sure: (stream.brackets && judge.given.board.is_some() || !stream.roles.is_empty()).then_some(true),
            ..Candidate::new(board.clone())
        };
        if squares.len() < count {
            let (row, col) = list.items[squares.len()];
            let written = |at: u32| if at == HUGE { "?".to_owned() } else { at.to_string() };
            let given = format!("({}, {})", written(row), written(col));
            candidate.problem =
                Some(crate::board::tour::words::off_board(&board, &squares, squares.len(), &given, None));
        } else if let Some(step) = broken {
            candidate.problem = broken_chain(&board, &squares, step);
        }
        candidate.squares = squares;
        judge.offer(candidate);
    }
}

/// Tries the tokens as square numbers in reading order.
pub fn read_squares(tokens: &[Token], judge: &mut Judge<'_>) {
    let Some(stream) = Stream::new(tokens) else { return };
    if stream.numbers.len() < 2 || !stream.words.are_few(stream.numbers.len()) || !stream.roles.is_empty() {
        return;
    }
    let mut list = Squares { items: stream.numbers.clone(), closed: None };
    closing(&mut list, judge.given);
    let numbers = &list.items;
    let zero = numbers.contains(&0);
    let most = numbers.iter().copied().filter(|&number| number != HUGE).max().unwrap_or(0);
    let shapes = match &judge.given.board {
        Some(board) => vec![(board.rows(), board.cols())],
        None => super::sizes(numbers.len() + judge.given.blocked.len())
            .map(|rows| (rows as u32, (numbers.len() + judge.given.blocked.len()) as u32 / rows as u32))
            .collect(),
    };
    for (rows, cols) in shapes {
        let area = u64::from(rows) * u64::from(cols);
        let bases: &[u32] = if zero {
            &[0]
        } else if u64::from(most) >= area {
            &[1]
        } else {
            &[0, 1]
        };
        for &first in bases {
            let Ok(board) = judge.given.board_of(rows, cols, []) else { continue };
            // Far more numbers than squares are something else.
            if numbers.len() > 2 * board.len() {
                continue;
            }
            let place = |&number: &u32| number.checked_sub(first).filter(|&at| u64::from(at) < area);
            let squares: Vec<u32> = numbers.iter().map_while(place).collect();
            let mut candidate = Candidate {
                read_as: format!("read as square numbers of the {rows}x{cols} board counted from {first}"),
                explained: stream.explained,
                closed: list.closed,
                items: numbers.len(),
                sure: if judge.given.is_data && judge.given.board.is_some() {
                    Some(true)
                } else {
                    // In brackets they are rather pairs.
                    (stream.brackets && numbers.len() != board.len()).then_some(false)
                },
                ..Candidate::new(board.clone())
            };
            if squares.len() < numbers.len() {
                let number = numbers[squares.len()];
                let given = if number == HUGE { "a number".to_owned() } else { format!("square number {number}") };
                candidate.problem =
                    Some(crate::board::tour::words::off_board(&board, &squares, squares.len(), &given, None));
            }
            candidate.squares = squares;
            judge.offer(candidate);
            if judge.is_done() {
                return;
            }
        }
    }
}
