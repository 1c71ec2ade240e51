//! What the board's size, colours and leaper tell.

use super::{Code, Reason, counted};
use crate::board::Board;
use crate::board::moves::{Leaper, Wrap, gcd};
use crate::request::Request;

/// A cycle has at least three squares, so a smaller board has no closed tour (by definition).
pub(super) fn too_small(request: &Request) -> Option<Reason> {
    let squares = request.board().len();
    (request.is_closed() && squares < 3).then(|| {
        let text = format!("a closed tour visits at least 3 squares; this board has {squares}");
        Reason::new(Code::TooSmall, text, request.board().open_squares())
    })
}

/// Whether every move changes the colour of the square on a chessboard (row + column, even or odd):
/// `a + b` odd, and no way round the board that has an odd number of squares.
fn alternates(board: &Board) -> bool {
    (board.leaper().a ^ board.leaper().b) & 1 == 1 && rounds_are_even(board)
}

/// Whether going round a joined edge keeps row + column even or odd.
fn rounds_are_even(board: &Board) -> bool {
    let wrap = board.wrap();
    !(wrap.joins_rows() && board.rows() % 2 == 1 || wrap.joins_cols() && board.cols() % 2 == 1)
}

/// 0 for squares of the top left corner's colour, 1 for the others.
fn colour_of(board: &Board, number: u32) -> usize {
    let square = board.square(number);
    ((square.row ^ square.col) & 1) as usize
}

/// How many open squares have the colour of the top left corner, and how many the other.
fn colour_counts(board: &Board) -> [u64; 2] {
    let mut counts = [board.squares().div_ceil(2), board.squares() / 2];
    for number in board.blocked_squares() {
        counts[colour_of(board, number)] -= 1;
    }
    counts
}

/// A tour alternates between two colours. So a closed one visits equally many squares of each; an
/// open one on an even number of squares too, and its ends differ in colour; on an odd number one
/// colour has one square more, and both ends have it. Squares at fixed steps differ in colour if the
/// steps differ by an odd number. Source: folklore; Euler, "Solution d'une question curieuse", 1759.
pub(super) fn colour(request: &Request, fixed: &[(u32, u32)]) -> Option<Reason> {
    let board = request.board();
    if !alternates(board) || board.len() == 1 {
        return None;
    }
    let (a, b) = (board.leaper().a, board.leaper().b);
    let piece = if board.leaper() == Leaper::KNIGHT { "a knight".to_owned() } else { format!("a ({a}, {b})-leaper") };
    let why = format!("{piece} changes colour with every move");
    balance(request, &why, colour_counts(board), fixed, |square| colour_of(board, square))
        .map(|(text, squares)| Reason::new(Code::Colour, text, squares))
}

/// The colour argument for any two-colouring in which every move changes the colour, which `why` says: `counts`
/// squares of colours 0 and 1, `fixed` (step, square) pairs, `colour_of` the colour of a square.
pub(super) fn balance(
    request: &Request,
    why: &str,
    counts: [u64; 2],
    fixed: &[(u32, u32)],
    colour_of: impl Fn(u32) -> usize,
) -> Option<(String, Vec<u32>)> {
    let board = request.board();
    let total = counts[0] + counts[1];
    let (most, fewest) = (counts[0].max(counts[1]), counts[0].min(counts[1]));
    let because = |rest: &str| format!("{}{}, so {rest}", why[..1].to_uppercase(), &why[1..]);
    let uneven = || format!("{} have one colour, {fewest} the other", counted(most, "open square"));
    if request.is_closed() {
        if total % 2 == 1 {
            let board = format!("There is an odd number of open squares, {total}");
            let rest = because("a closed tour visits as many squares of one colour as of the other");
            return Some((format!("{board}. {rest}."), Vec::new()));
        }
        if most != fewest {
            let rest = because("a closed tour visits as many squares of one as of the other");
            return Some((format!("{}. {rest}.", uneven()), Vec::new()));
        }
    } else if most > fewest + 1 {
        let rest = because("an open tour visits at most 1 square more of one than of the other");
        return Some((format!("{}. {rest}.", uneven()), Vec::new()));
    }
    // The colour of step 0, where the counts or an earlier square fix it.
    let mut first = (most > fewest).then_some((usize::from(counts[1] > counts[0]), None));
    for &(step, square) in fixed {
        let from = colour_of(square) ^ (step & 1) as usize;
        match first {
            None => first = Some((from, Some((step, square)))),
            Some((colour, _)) if colour == from => {}
            Some((_, None)) => {
                let (which, has) = if step % 2 == 0 { (most, fewest) } else { (fewest, most) };
                let name = board.name(square);
                let (none, must) = match place(request, step, square) {
                    Place::Start => (format!("starts at {name}"), "start".to_owned()),
                    Place::End => (format!("ends at {name}"), "end".to_owned()),
                    Place::Step => (format!("has step {step} on {name}"), format!("have step {step}")),
                };
                let (have, verb) = (counted(has, "open square"), if has == 1 { "has" } else { "have" });
                // One beside it, or else the first.
                let differs = |&other: &u32| board.is_open(other) && colour_of(other) != colour_of(square);
                let at = board.square(square);
                let up = (at.row > 0).then(|| square - board.cols());
                let left = (at.col > 0).then(|| square - 1);
                let right = (at.col + 1 < board.cols()).then(|| square + 1);
                let beside = [up, left, right].into_iter().flatten().find(differs);
                let other = beside.or_else(|| board.open_squares().find(differs));
                let such = other.map(|other| format!(", such as {}", board.name(other))).unwrap_or_default();
                let rest = because(&format!("a tour of {total} squares must {must} on the colour with {which}{such}"));
                return Some((
                    format!("No tour {none}: {have} {verb} its colour, {which} the other. {rest}."),
                    vec![square],
                ));
            }
            Some((_, Some((earlier, other)))) => {
                let same = if colour_of(square) == colour_of(other) { "the same colour" } else { "different colours" };
                let apart = counted(step.abs_diff(earlier), "move");
                let text = format!(
                    "{} and {} have {same} and are {apart} apart, but {why}",
                    role(request, earlier, other),
                    role(request, step, square),
                );
                return Some((text, vec![other, square]));
            }
        }
    }
    debug_assert!(board.len() as u64 == total);
    None
}

/// As what a square is asked for.
enum Place {
    Start,
    End,
    Step,
}

fn place(request: &Request, step: u32, square: u32) -> Place {
    let is = |end: Option<u32>| !request.is_closed() && end == Some(square);
    match step {
        0 if is(request.start()) => Place::Start,
        _ if step as usize + 1 == request.board().len() && is(request.end()) => Place::End,
        _ => Place::Step,
    }
}

/// `the start b3`, `the end c4`, `step 5 on d5`.
pub(super) fn role(request: &Request, step: u32, square: u32) -> String {
    let name = request.board().name(square);
    match place(request, step, square) {
        Place::Start => format!("the start {name}"),
        Place::End => format!("the end {name}"),
        Place::Step => format!("step {step} on {name}"),
    }
}

/// The sides of a plain knight's rectangle, shorter one first.
fn knights_sides(board: &Board) -> Option<(u32, u32)> {
    board.is_knights_rectangle().then(|| (board.rows().min(board.cols()), board.rows().max(board.cols())))
}

/// An m x n board, m at most n, has a closed knight's tour unless m and n are both odd, or m is 1, 2
/// or 4, or m is 3 and n is 4, 6 or 8. Source: A. J. Schwenk, "Which rectangular chessboards have a
/// knight's tour?", Mathematics Magazine 64 (1991).
pub(super) fn schwenk(request: &Request) -> Option<Reason> {
    let (m, n) = knights_sides(request.board())?;
    let none = m % 2 == 1 && n % 2 == 1 || matches!(m, 1 | 2 | 4) || m == 3 && matches!(n, 4 | 6 | 8);
    (request.is_closed() && none).then(|| {
        let why = match (m, n) {
            (3, 4 | 6 | 8) => format!("{m}x{n} is one of the exceptions 3x4, 3x6 and 3x8"),
            (1 | 2 | 4, _) => format!("no board with a side of 1, 2 or 4 has one, and the shorter side is {m}"),
            _ => format!("both sides, {m} and {n}, are odd"),
        };
        Reason::new(Code::Schwenk, format!("no closed knight's tour by Schwenk's theorem: {why}"), [])
    })
}

/// An m x n board, m at most n, has an open knight's tour exactly if it is 1x1 or 3x4, or m is 3
/// and n at least 7, or m is 4 and n at least 5, or both are at least 5. Source: P. Cull and J. De
/// Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978), for m at least 5; the strips
/// are older (Euler, Kraitchik).
pub(super) fn cull_de_curtins(request: &Request) -> Option<Reason> {
    let (m, n) = knights_sides(request.board())?;
    let some = (m, n) == (1, 1) || (m, n) == (3, 4) || m == 3 && n >= 7 || m == 4 && n >= 5 || m >= 5;
    (!request.is_closed() && !some).then(|| {
        let why = match m {
            1 | 2 => format!("a board with a shorter side of {m} has none"),
            3 => {
                format!("a board with a shorter side of 3 has one only for a longer side of 4, or 7 and more, not {n}")
            }
            _ => format!("a board with a shorter side of 4 needs a longer side of at least 5, not {n}"),
        };
        Reason::new(
            Code::CullDeCurtins,
            format!("no open knight's tour by the theorem of Cull and De Curtins: {why}"),
            [],
        )
    })
}

/// Whether the theorems on plain knight's rectangles leave nothing that a look at the moves could
/// add: with free ends they are complete, with both sides at least 6 and given ends the colour
/// decides (proven for squares by A. Conrad, T. Hindrichs, H. Morsy and I. Wegener, "Solution of
/// the knight's Hamiltonian path problem on chessboards", Discrete Applied Mathematics 50 (1994),
/// and found by exhaustion on small rectangles), and with both sides at least 5 and one given end
/// no exception but the colour is known. Nothing is claimed by it; it only saves time.
pub(super) fn is_settled(request: &Request) -> bool {
    let Some((m, _)) = knights_sides(request.board()) else { return false };
    let given = [request.start(), request.end()].into_iter().flatten().count();
    request.is_unconstrained() && (request.is_closed() || given == 0 || given == 1 && m >= 5 || m >= 6)
}

/// Both ends of an open knight's tour of 4 x n squares lie in the outer rows. The 2n squares of the
/// outer rows have moves only to the inner 2n. With e ends in the outer rows, 4n - e moves touch an
/// outer row and e - 1 do not; e = 1 would make the tour alternate between outer and inner rows as
/// it does between the colours, so each row would have one colour. Source: folklore, in the manner
/// of Pósa's proof that 4 x n has no closed tour.
pub(super) fn four_rows(request: &Request, fixed: &[(u32, u32)]) -> Option<Reason> {
    let board = request.board();
    let last = board.len() as u32 - 1;
    if request.is_closed() {
        return None;
    }
    fixed.iter().find(|&&(step, square)| (step == 0 || step == last) && !four_rows_allow(board, square)).map(
        |&(step, square)| {
            let lines = if board.rows() == 4 { "rows" } else { "columns" };
            let text = format!(
                "{} is in one of the two inner {lines}, but both ends of an open tour of the {} are in the outer ones",
                role(request, step, square),
                board.describe()
            );
            Reason::new(Code::FourRows, text, [square])
        },
    )
}

/// Whether [`four_rows`] lets a tour end on a square.
pub(super) fn four_rows_allow(board: &Board, number: u32) -> bool {
    let square = board.square(number);
    !board.is_knights_rectangle()
        || !(board.rows() == 4 && matches!(square.row, 1 | 2) || board.cols() == 4 && matches!(square.col, 1 | 2))
}

/// An (r, s)-leaper, r at most s, can get from every square of a plain m x n board, m at most n, to
/// every other exactly if r + s and s - r have no common divisor, n is at least 2s and m is at least
/// r + s (a single square apart). Source: D. E. Knuth, "Leaper graphs", Mathematical Gazette 78
/// (1994), theorem 1. With r + s even each move keeps the colour, also with holes and with joined
/// edges an even number of squares round.
pub(super) fn leaper(request: &Request) -> Option<Reason> {
    let board = request.board();
    if board.len() == 1 {
        return None;
    }
    let (r, s) = (u64::from(board.leaper().a), u64::from(board.leaper().b));
    let piece = format!("a ({r}, {s})-leaper");
    let reason = |text: String| Some(Reason::new(Code::Leaper, text, []));
    if (r + s) % 2 == 0 && rounds_are_even(board) {
        let counts = colour_counts(board);
        if counts[0] > 0 && counts[1] > 0 {
            return reason(format!("{piece} never changes colour, and this board has squares of both colours"));
        }
    }
    if !board.is_rectangle() || board.wrap() != Wrap::None {
        return None;
    }
    let (m, n) = (u64::from(board.rows().min(board.cols())), u64::from(board.rows().max(board.cols())));
    let divisor = gcd(r + s, s - r);
    if divisor != 1 {
        return reason(format!("{piece} cannot reach every square: {divisor} divides both {r} + {s} and {s} - {r}"));
    }
    if n < 2 * s || m < r + s {
        return reason(format!(
            "{piece} cannot reach every square of {m}x{n}: it needs sides of at least {} and {}",
            r + s,
            2 * s
        ));
    }
    None
}
