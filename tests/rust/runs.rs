//! Runs as such: how they begin, stop and end.

use knightstour::answers::number::{Files, Prepare};
use knightstour::answers::{Count, CountOptions, Find, FindOptions, FindPath, Method, Outcome, PathOutcome};
use knightstour::engines::frontier::{Course, Forecasting, Starts, Sweep, SweepOptions};
use knightstour::engines::paths::{PathCount, PathRequest};
use knightstour::request::classes;
use knightstour::run::{Halt, Misuse, Task};
use knightstour::symmetry::group::Places;
use knightstour::{Board, Budget, Cancel, Graph, Leaper, Limit, Limits, Pause, Request, Symmetry, Wrap};

#[test]
fn a_run_that_is_over_says_so_and_not_that_somebody_cancelled_it() {
    let budget = Budget::unlimited();
    let is_answered = |error: &Misuse| matches!(error, Misuse::Answered(_));
    let requests = [
        Request::open(Board::new(3, 4).unwrap()),
        Request::open(Board::new(5, 5).unwrap()).with_distinct(),
        Request::closed(Board::new(3, 3).unwrap()),
    ];
    for request in requests {
        for method in [Method::Auto, Method::Frontier] {
            let options = CountOptions { method, threads: 1, ..CountOptions::default() };
            let mut count = Count::new(request.clone(), options).unwrap();
            assert!(count.advance(&budget).is_ok());
            let again = count.advance(&budget);
            assert!(matches!(&again, Err(Halt::Misuse(error)) if is_answered(error)), "{again:?}");
        }
        let mut prepare = Prepare::new(request.clone(), 1, Files::default()).unwrap();
        assert!(prepare.advance(&budget).is_ok());
        let again = prepare.advance(&budget);
        assert!(matches!(&again, Err(Halt::Misuse(error)) if is_answered(error)), "{again:?}");
        let mut find = Find::new(request.plain(), FindOptions::default()).unwrap();
        assert!(find.advance(&budget).is_ok());
        match find.advance(&budget) {
            Err(Halt::Misuse(error)) if is_answered(&error) => {}
            // Where theorems say it, they say it again.
            Ok(Outcome::Impossible(_)) => {}
            again => panic!("{again:?}"),
        }
    }
    // A path that is too long is so however often it is asked for.
    let request = PathRequest::new(Request::open(Board::new(3, 3).unwrap()), 9).unwrap();
    let mut find = FindPath::new(request, None);
    let first = find.advance(&budget);
    assert!(matches!(first, Ok(PathOutcome::Impossible(_))), "{first:?}");
    assert_eq!(find.advance(&budget), first);
}

#[test]
fn what_goes_before_the_first_step_stops_when_the_run_is_cancelled() {
    let cancel = Cancel::default();
    cancel.cancel();
    let budget = Budget::unlimited().with_cancel(Some(cancel));
    let cancelled = Pause::Limit(Limit::Cancelled);
    let request = Request::open(Board::new(3, 2000).unwrap());
    let graph = Graph::new(&request);
    let torus = Request::open(Board::build(6, 300, [], Leaper::KNIGHT, Wrap::Both).unwrap());
    assert_eq!(Sweep::begin(&request, &graph, SweepOptions::on(1), &budget).map(|_| ()), Err(cancelled.into()));
    assert_eq!(Course::new(&graph, &budget).map(|_| ()), Err(cancelled.into()));
    assert_eq!(Starts::new(&request, 1, &budget).map(|_| ()), Err(cancelled.into()));
    for samples in [None, Some(10)] {
        let mut outlook = Forecasting::new(request.clone(), None, samples, 1);
        assert_eq!(outlook.advance(&budget).map(|_| ()), Err(cancelled.into()));
    }
    assert_eq!(classes::stabiliser(&torus, &budget), Err(cancelled));
    let paths = PathRequest::new(torus.clone(), 5).unwrap();
    assert_eq!(PathCount::new(paths, &budget).map(|_| ()), Err(cancelled));
    let (places, shift) = (Places::new(torus.board()), Symmetry::from_name("translation(1,1)").unwrap());
    let shifted = Request::closed(torus.board().clone()).with_symmetric(shift).unwrap();
    assert_eq!(classes::asked(&shifted, &places, &budget), Err(cancelled));
}

/// The powers of one long shift are as many as the squares, and each has an image for every square.
#[test]
fn groups_of_long_shifts_are_within_the_memory_limit() {
    let board = Board::build(60, 61, [], Leaper::KNIGHT, Wrap::Both).unwrap();
    let shift = Symmetry::from_name("translation(1,1)").unwrap();
    let request = Request::closed(board).with_symmetric(shift).unwrap();
    let budget = Budget::new(Limits { memory: Some(20 << 20), ..Limits::default() });
    let memory = Pause::Limit(Limit::Memory);
    assert_eq!(classes::asked(&request, &Places::new(request.board()), &budget), Err(memory));
    let mut count = Count::new(request.clone(), CountOptions { threads: 1, ..CountOptions::default() }).unwrap();
    assert_eq!(count.advance(&budget), Err(memory.into()));
    let mut find = Find::new(request, FindOptions::default()).unwrap();
    assert_eq!(find.advance(&budget), Err(Limit::Memory.into()));
}

/// On a torus where many squares are blocked in a pattern, each of its symmetries is a look at all of them.
#[test]
fn symmetries_come_one_by_one_and_are_those_of_the_list() {
    for (wrap, blocked) in
        [(Wrap::Both, vec![0, 3, 12, 15]), (Wrap::Cols, vec![1, 4]), (Wrap::None, vec![0]), (Wrap::Rows, vec![])]
    {
        let board = Board::build(6, 6, blocked, Leaper::KNIGHT, wrap).unwrap();
        let mut kept = classes::stabiliser(&Request::open(board.clone()), &Budget::unlimited()).unwrap();
        kept.sort_by_key(|symmetry| (symmetry.down, symmetry.right, symmetry.point));
        let mut listed = board.symmetries();
        listed.sort_by_key(|symmetry| (symmetry.down, symmetry.right, symmetry.point));
        assert_eq!(kept, listed);
        assert!(listed.len() > 1);
    }
}
