//! The merging of cycles, and the engines that take turns.

use std::time::Duration;

use knightstour::answers::{Find, FindOptions, Outcome, Report};
use knightstour::engines::cycle_merging::Merging;
use knightstour::run::{Halt, Task};
use knightstour::{Board, Budget, Leaper, Limits, Request, Wrap};

use crate::improving::{self, holed};

#[test]
fn what_merging_finds_is_asked_for_and_it_finds_nearly_all() {
    improving::finds_nearly_all::<Merging>(11, 95);
}

#[test]
fn large_boards_with_holes_take_nodes_in_proportion() {
    for (size, seed) in [(30, 1), (60, 2), (100, 3)] {
        let board = holed(size, size * size / 20 / 2 * 2, seed);
        let open: Vec<u32> = board.open_squares().collect();
        let (first, last) = (open[0], open[open.len() - 1]);
        let is_legal = (board.square(first).row + board.square(first).col) % 2
            != (board.square(last).row + board.square(last).col) % 2;
        let mut requests = vec![Request::closed(board.clone()), Request::open(board.clone())];
        if is_legal {
            requests.push(Request::open(board.clone()).with_start(first).and_then(|r| r.with_end(last)).unwrap());
        }
        for request in requests {
            improving::finds_within::<Merging>(&request, 1500);
        }
    }
}

#[test]
fn a_search_that_is_paused_goes_on_where_it_was() {
    improving::goes_on_where_it_was::<Merging>();
}

#[test]
fn given_moves_are_used_and_given_steps_are_left_to_others() {
    improving::leaves_given_steps_to_others::<Merging>();
}

fn run(
    request: &Request,
    options: FindOptions,
    limit: Option<u64>,
    slice: Option<Duration>,
) -> (Result<Outcome, Halt>, Report) {
    let mut find = Find::new(request.clone(), options).unwrap();
    let mut budget = Budget::new(Limits { nodes: limit, ..Limits::default() });
    loop {
        if let Some(slice) = slice {
            budget.begin_slice(slice);
        }
        let outcome = find.advance(&budget);
        if outcome != Err(Halt::SLICE) {
            return (outcome, find.report());
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_threads_or_slices() {
    let zebra = Board::build(12, 8, [], Leaper::new(2, 3), Wrap::Cols).unwrap();
    let giraffe = Board::build(10, 10, [], Leaper::new(1, 4), Wrap::None).unwrap();
    let requests = [
        Request::open(zebra).with_start(0).and_then(|r| r.with_end(95)).unwrap(),
        Request::closed(giraffe),
        Request::closed(holed(24, 58, 8)),
        Request::open(Board::new(6, 7).unwrap()).with_step(20, 13).and_then(|r| r.with_step(2, 30)).unwrap(),
    ];
    for request in requests {
        for seed in [None, Some(9)] {
            let options = |threads| FindOptions { seed, threads, ..FindOptions::default() };
            // Some of them are stopped by it, in one of the later rounds.
            let limit = Some(400_000);
            let (outcome, report) = run(&request, options(1), limit, None);
            for threads in [2, 5] {
                let (again, other) = run(&request, options(threads), limit, Some(Duration::from_millis(1)));
                assert_eq!((&again, other.method), (&outcome, report.method), "{request:?} {threads}");
                assert_eq!(other.search, report.search, "{request:?} {threads}");
            }
        }
    }
}
