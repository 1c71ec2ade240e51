//! Tidy tours: verified, with few turns and crossings, on every board that they are for.

use knightstour::answers::{Find, FindOptions, Method, Outcome};
use knightstour::board::measures::{Geometry, crossings};
use knightstour::engines::construction::Tidy;
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Limits, Pause, Request, Tour};

fn tidy(rows: u32, cols: u32, seed: Option<u64>) -> Tour {
    let board = Board::new(rows, cols).unwrap();
    let mut tidy = Tidy::new(&Request::closed(board.clone()), seed).unwrap();
    let squares = tidy.advance(&Budget::unlimited()).unwrap();
    let squares = squares.unwrap_or_else(|| panic!("no tidy tour of {rows}x{cols}"));
    Tour::new(board, squares, Some(true)).unwrap()
}

fn turns(tour: &Tour) -> u64 {
    Geometry::new(tour.board()).unwrap().shape(tour.squares(), tour.is_closed()).turns
}

/// Four turns for each column of the longer side and five for each row of the shorter one, if that is
/// even; five and 5.75 crossings likewise.
fn check(tour: &Tour, most_turns: i64, most_crossings: i64) {
    let (rows, cols) = (i64::from(tour.board().rows()), i64::from(tour.board().cols()));
    let (short, long) = (rows.min(cols), rows.max(cols));
    let (even, other) = if short % 2 == 0 { (short, long) } else { (long, short) };
    let turns = turns(tour) as i64;
    assert!(turns <= 4 * other + 5 * even + most_turns, "{rows}x{cols}: {turns} turns");
    let crossings = crossings(tour).unwrap() as i64;
    assert!(4 * crossings <= 20 * other + 23 * even + 4 * most_crossings, "{rows}x{cols}: {crossings} crossings");
}

#[test]
fn every_board_up_to_48_a_side() {
    for rows in 12..=48 {
        for cols in rows..=48 {
            if rows * cols % 2 == 0 {
                check(&tidy(rows, cols, None), 0, 40);
            }
        }
    }
}

#[test]
fn random_boards_and_seeds() {
    let mut rng = Rng::seeded(5);
    let mut made = 0;
    while made < 100 {
        let (rows, cols) = (12 + rng.below(500) as u32, 12 + rng.below(500) as u32);
        if rows * cols % 2 == 0 {
            check(&tidy(rows, cols, (made % 2 == 0).then(|| rng.bits())), 60, 120);
            made += 1;
        }
    }
    assert_ne!(tidy(30, 40, Some(1)), tidy(30, 40, Some(2)));
    assert_eq!(tidy(30, 40, Some(1)), tidy(30, 40, Some(1)));
    assert_eq!(tidy(30, 40, None), tidy(30, 40, None));
}

#[test]
fn turns_and_crossings_grow_with_the_side() {
    for side in [100, 200, 400, 800] {
        let tour = tidy(side, side, None);
        assert!(turns(&tour) <= 9 * u64::from(side), "{side}: {}", turns(&tour));
        assert!(4 * crossings(&tour).unwrap() <= 43 * u64::from(side) + 120, "{side}");
    }
}

#[test]
fn tours_begin_where_they_are_asked_to() {
    let board = Board::new(24, 17).unwrap();
    for start in 0..board.squares() as u32 {
        let request = Request::closed(board.clone()).with_start(start).unwrap();
        let options = FindOptions { method: Method::Tidy, ..FindOptions::default() };
        let mut find = Find::new(request, options).unwrap();
        let Ok(Outcome::Found(tour)) = find.advance(&Budget::unlimited()) else { panic!("{start}") };
        assert_eq!(tour.start(), start);
        assert!(tour.squares()[1] < tour.end());
        assert_eq!(find.report().method, "tidy");
    }
}

#[test]
fn pausing_at_every_turn_makes_the_same_tour() {
    let board = Board::new(20, 30).unwrap();
    let request = Request::closed(board.clone());
    let whole = tidy(20, 30, None);
    let mut tidy = Tidy::new(&request, None).unwrap();
    let mut pauses = 0;
    let squares = loop {
        match tidy.advance(&Budget::unlimited().part(100)) {
            Ok(squares) => break squares.unwrap(),
            Err(Pause::Limit(_)) => pauses += 1,
            Err(pause) => panic!("{pause:?}"),
        }
    };
    assert_eq!(squares, whole.squares());
    assert!(pauses > 3, "{pauses}");
    let small = Budget::new(Limits { memory: Some(1000), ..Limits::default() });
    assert!(Tidy::new(&request, None).unwrap().advance(&small).is_err());
}

#[test]
fn other_boards_are_refused_with_what_was_given() {
    for (request, quoted) in [
        (Request::closed(Board::new(11, 20).unwrap()), "11x20"),
        (Request::closed(Board::new(13, 15).unwrap()), "13x15"),
        (Request::open(Board::new(20, 20).unwrap()), "open tours of the 20x20"),
        (
            Request::closed(Board::build(20, 20, [3], knightstour::Leaper::KNIGHT, knightstour::Wrap::None).unwrap()),
            "blocked",
        ),
    ] {
        let message = Tidy::new(&request, None).unwrap_err().to_string();
        assert!(message.contains(quoted) && message.contains("at least 12"), "{message}");
    }
}
