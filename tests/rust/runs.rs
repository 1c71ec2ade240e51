//! Runs as such: how they begin, stop and end.

use knightstour::frontier::Halt;
use knightstour::number::{Files, Prepare};
use knightstour::paths::PathRequest;
use knightstour::solve::{Count, CountOptions, Find, FindOptions, FindPath, Method, Outcome, PathOutcome};
use knightstour::{Board, Budget, Request, RequestError};

#[test]
fn a_run_that_is_over_says_so_and_not_that_somebody_cancelled_it() {
    let budget = Budget::unlimited();
    let is_answered = |error: &RequestError| matches!(error, RequestError::Answered(_));
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
            assert!(matches!(&again, Err(Halt::Request(error)) if is_answered(error)), "{again:?}");
        }
        let mut prepare = Prepare::new(request.clone(), 1, Files::default()).unwrap();
        assert!(prepare.advance(&budget).is_ok());
        let again = prepare.advance(&budget);
        assert!(matches!(&again, Err(Halt::Request(error)) if is_answered(error)), "{again:?}");
        let mut find = Find::new(request.plain(), FindOptions::default()).unwrap();
        assert!(find.advance(&budget).is_some());
        match find.advance(&budget) {
            Some(Outcome::Refused(error)) if is_answered(&error) => {}
            // Where theorems say it, they say it again.
            Some(Outcome::Impossible(_)) => {}
            again => panic!("{again:?}"),
        }
    }
    // A path that is too long is so however often it is asked for.
    let request = PathRequest::new(Request::open(Board::new(3, 3).unwrap()), 9).unwrap();
    let mut find = FindPath::new(request, None);
    let first = find.advance(&budget);
    assert!(matches!(first, Some(PathOutcome::Impossible(_))), "{first:?}");
    assert_eq!(find.advance(&budget), first);
}
