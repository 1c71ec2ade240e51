//! Laws that hold for every board, with proptest looking for the one that breaks them.

use std::sync::Arc;
use std::time::Duration;

use knightstour::answers::{Count, CountOptions, Find, FindOptions, List, Listed, Outcome};
use knightstour::engines::backtracking::{Counting, Options};
use knightstour::run::{Halt, Task};
use knightstour::{Board, Budget, Graph, Leaper, Pause, Request, Tour, Wrap};
use proptest::prelude::*;

fn boards() -> impl Strategy<Value = Board> {
    let leapers = prop_oneof![
        4 => Just(Leaper::KNIGHT),
        1 => Just(Leaper::new(0, 1)),
        1 => Just(Leaper::new(1, 1)),
        1 => Just(Leaper::new(1, 3)),
    ];
    let wraps = prop_oneof![3 => Just(Wrap::None), 1 => Just(Wrap::Cols), 1 => Just(Wrap::Rows), 1 => Just(Wrap::Both)];
    (1..5u32, 1..5u32, proptest::collection::vec(0..25u32, 0..4), leapers, wraps).prop_filter_map(
        "all squares are blocked",
        |(rows, cols, blocked, leaper, wrap)| {
            let blocked = blocked.into_iter().filter(|&number| number < rows * cols);
            Board::build(rows, cols, blocked, leaper, wrap).ok().filter(|board| board.len() <= 12)
        },
    )
}

fn count(request: &Request) -> u128 {
    let graph = Arc::new(Graph::new(request));
    Counting::new(request, graph, Options::EXHAUSTIVE, 1, false).advance(&Budget::unlimited()).unwrap().value
}

fn tours(request: &Request) -> Vec<Tour> {
    let mut list = List::new(request.clone());
    let budget = Budget::unlimited();
    std::iter::from_fn(|| match list.advance(&budget) {
        Listed::Tour(tour) => Some(tour),
        Listed::End => None,
        Listed::Paused(pause) => panic!("{pause:?} without a limit"),
        Listed::Refused(error) => panic!("{error}"),
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_picture_is_read_as_the_board_it_was_made_of(board in boards()) {
        prop_assert_eq!(Board::parse(&board.to_string(), board.leaper(), board.wrap()).unwrap(), board);
    }

    #[test]
    fn a_move_goes_both_ways_and_symmetries_keep_it(board in boards()) {
        let (rows, cols) = (board.rows(), board.cols());
        for from in board.open_squares() {
            for &to in board.moves(from).as_slice() {
                prop_assert!(board.is_move(to, from));
                for symmetry in board.symmetries() {
                    prop_assert!(board.is_move(symmetry.map(from, rows, cols), symmetry.map(to, rows, cols)));
                }
            }
        }
    }

    #[test]
    fn counts_listings_and_finds_agree(board in boards(), closed in any::<bool>(), pick in any::<prop::sample::Index>()) {
        let request = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
        let all = count(&request);
        let listed = tours(&request);
        prop_assert_eq!(listed.len() as u128, all);
        let mut find = Find::new(request.clone(), FindOptions::default()).unwrap();
        match find.advance(&Budget::unlimited()) {
            Ok(Outcome::Found(_)) => prop_assert!(all > 0),
            Ok(Outcome::Impossible(_)) => prop_assert_eq!(all, 0),
            outcome => prop_assert!(false, "{:?}", outcome),
        }
        // A move is used or avoided.
        let edges: Vec<(u32, u32)> = board
            .open_squares()
            .flat_map(|from| board.moves(from).as_slice().iter().map(move |&to| (from, to)).collect::<Vec<_>>())
            .collect();
        if !edges.is_empty() {
            let (a, b) = *pick.get(&edges);
            let with = count(&request.clone().with_included(a, b).unwrap());
            let without = count(&request.with_excluded(a, b).unwrap());
            prop_assert_eq!(with + without, all);
        }
        // All images of a tour have one canonical form, and it is read from its own text. (Tiny cylinders may be
        // turned into cylinders the other way round, which are other boards with the same moves.)
        if let Some(tour) = listed.first() {
            for symmetry in board.symmetries() {
                let image = tour.transformed(&symmetry);
                if image.board() == &board {
                    prop_assert_eq!(image.canonical(), tour.canonical());
                }
            }
            let again = Tour::parse(&tour.to_string(), Some(&board)).unwrap();
            prop_assert_eq!(again.squares(), tour.squares());
        }
    }
}

/// The end of a slice, wherever it falls, is not taken for a limit.
#[test]
fn a_count_in_slices_changes_engines_as_one_in_a_piece_does() {
    let request = Request::open(Board::new(5, 6).unwrap());
    for micros in (10..2000).step_by(37) {
        let mut count = Count::new(request.clone(), CountOptions { threads: 1, ..CountOptions::default() }).unwrap();
        let mut budget = Budget::unlimited();
        let counted = loop {
            budget.begin_slice(Duration::from_micros(micros));
            match count.advance(&budget) {
                Err(Halt::Pause(Pause::Slice)) => {}
                result => break result.unwrap(),
            }
        };
        assert_eq!(counted.value.to_string(), "37568");
    }
}
