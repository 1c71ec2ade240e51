//! The rotation and extension of a path.

use std::sync::Arc;

use knightstour::answers::{Find, FindOptions, Outcome};
use knightstour::engines::backtracking::{self, Restarts};
use knightstour::engines::cycle_merging::Merging;
use knightstour::engines::rotation::{Rotation, Step};
use knightstour::run::Task;
use knightstour::{Board, Graph, Leaper, Request, Wrap};

use crate::improving::{self, Improving, holed, nodes};

#[test]
fn what_rotation_finds_is_asked_for_and_it_finds_nearly_all() {
    improving::finds_nearly_all::<Rotation>(12, 98);
}

#[test]
fn large_odd_boards_take_nodes_in_proportion() {
    let torus = |a, b, rows, cols| Board::build(rows, cols, [], Leaper::new(a, b), Wrap::Both).unwrap();
    let leaper = |a, b, size| Board::build(size, size, [], Leaper::new(a, b), Wrap::None).unwrap();
    let boards = [
        holed(30, 44, 1),
        holed(60, 180, 2),
        holed(100, 500, 3),
        torus(2, 3, 31, 40),
        torus(1, 2, 45, 45),
        leaper(2, 3, 40),
        leaper(1, 4, 40),
        leaper(3, 4, 40),
    ];
    for board in boards {
        for request in [Request::closed(board.clone()), Request::open(board.clone())] {
            improving::finds_within::<Rotation>(&request, 2_000);
        }
    }
}

#[test]
fn a_search_that_is_paused_goes_on_where_it_was() {
    improving::goes_on_where_it_was::<Rotation>();
}

#[test]
fn given_moves_are_used_and_given_steps_are_left_to_others() {
    let board = Board::new(12, 12).unwrap();
    let edges = [(0, 14), (25, 50), (77, 54), (100, 75), (14, 24)];
    for request in [Request::closed(board.clone()), Request::open(board.clone()).with_start(0).unwrap()] {
        let request = request.with_all_included(edges).unwrap().with_excluded(54, 79).unwrap();
        improving::finds_within::<Rotation>(&request, 7_000);
    }
    improving::leaves_given_steps_to_others::<Rotation>();
}

/// What the portfolio took many times as long over before this engine was one of it: merging cycles takes several times the
/// nodes, and backtracking on some a hundred times as many.
#[test]
fn it_decides_large_boards_of_many_leapers_in_fewer_nodes_than_the_others() {
    let board = |a, b, rows, cols, wrap| Board::build(rows, cols, [], Leaper::new(a, b), wrap).unwrap();
    let boards = [
        board(1, 2, 27, 33, Wrap::Both),
        board(1, 2, 36, 36, Wrap::Cols),
        board(1, 8, 30, 30, Wrap::Cols),
        board(3, 4, 31, 26, Wrap::Cols),
        board(2, 3, 31, 33, Wrap::Cols),
        board(2, 3, 40, 40, Wrap::None),
    ];
    let mut hopeless = 0;
    for board in boards {
        let request = Request::closed(board);
        let graph = Arc::new(Graph::new(&request));
        let (mut rotation, mut merging) = (Rotation::over(&request, None), Merging::new(Arc::clone(&graph), None));
        assert_eq!(rotation.advance(&nodes(1_000_000)), Step::Found);
        merging.advance(&nodes(1_000_000));
        let (ours, other) = (rotation.stats().nodes, merging.stats().nodes);
        assert!(ours * 3 < other * 2, "{}: {ours} {other}", request.board().describe());
        let mut restarts = Restarts::new(&request, graph, None);
        hopeless += u32::from(restarts.advance(&nodes(100 * ours)) != backtracking::Step::Found);
        // And so it is it that answers.
        let mut find = Find::new(request.clone(), FindOptions::default()).unwrap();
        assert!(matches!(find.advance(&nodes(100_000_000)), Ok(Outcome::Found(_))));
        let method = find.report().method;
        assert!(method == "rotation" || method == "backtracking", "{}: {method}", request.board().describe());
    }
    assert!(hopeless >= 1, "{hopeless}");
}
