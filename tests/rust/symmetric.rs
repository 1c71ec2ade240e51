//! Symmetric tours and classes, judged by listing all tours and mapping them square by square.

use std::collections::BTreeSet;

use knightstour::answers::number::{Files, Prepare};
use knightstour::answers::{Count, CountOptions, Find, FindOptions, List, Listed, Outcome};
use knightstour::request::classes;
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::symmetry::list_cycle;
use knightstour::{Board, Budget, Leaper, Natural, Request, Symmetry, Wrap};

use crate::brute;

fn count(request: &Request) -> String {
    let options = CountOptions { threads: 2, ..CountOptions::default() };
    let mut count = Count::new(request.clone(), options).unwrap();
    count.advance(&Budget::unlimited()).unwrap().value.to_string()
}

fn list(request: &Request) -> Vec<Vec<u32>> {
    let mut list = List::new(request.clone());
    let mut tours = Vec::new();
    loop {
        match list.advance(&Budget::unlimited()) {
            Listed::Tour(tour) => tours.push(tour.squares().to_vec()),
            Listed::End => return tours,
            Listed::Paused(pause) => panic!("{pause:?}"),
            Listed::Refused(error) => panic!("{error}"),
        }
    }
}

/// The listed form from the first open square; an open tour as it is.
fn listed(request: &Request, mut squares: Vec<u32>) -> Vec<u32> {
    if request.is_closed() {
        list_cycle(&mut squares, None);
    }
    squares
}

fn image(request: &Request, symmetry: &Symmetry, tour: &[u32], backwards: bool) -> Vec<u32> {
    let board = request.board();
    let mut squares: Vec<u32> = tour.iter().map(|&s| symmetry.map(s, board.rows(), board.cols())).collect();
    if backwards {
        squares.reverse();
    }
    listed(request, squares)
}

/// Whether the squares that have a place in a closed tour have it after a map as well, begun elsewhere or run backwards.
fn is_turned(request: &Request, map: impl Fn(u32) -> u32) -> bool {
    let mut placed: BTreeSet<(u32, u32)> = request.steps().iter().copied().collect();
    if !placed.is_empty() {
        placed.extend(request.start().map(|start| (0, start)));
    }
    let count = request.board().len() as u32;
    let turned = |by: u32, backwards: bool| {
        let step = |step: u32| if backwards { count - step + by } else { step + by };
        placed.iter().map(|&(s, square)| (step(s) % count, map(square))).collect::<BTreeSet<_>>()
    };
    placed.len() < 2 || (0..count).any(|by| turned(by, false) == placed || turned(by, true) == placed)
}

/// Whether the symmetry, with or without running backwards, leaves the request as it is.
fn keeps(request: &Request, symmetry: &Symmetry, backwards: bool) -> bool {
    let board = request.board();
    let map = |s: u32| symmetry.map(s, board.rows(), board.cols());
    let edges = |edges: &[(u32, u32)]| edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect::<BTreeSet<_>>();
    let mapped = |list: &[(u32, u32)]| edges(&list.iter().map(|&(a, b)| (map(a), map(b))).collect::<Vec<_>>());
    if mapped(request.including()) != edges(request.including())
        || mapped(request.excluding()) != edges(request.excluding())
    {
        return false;
    }
    if request.is_closed() {
        return !backwards && is_turned(request, map);
    }
    let last = board.len() as u32 - 1;
    let steps: BTreeSet<_> =
        request.steps().iter().map(|&(s, at)| (if backwards { last - s } else { s }, map(at))).collect();
    let (start, end) = if backwards { (request.end(), request.start()) } else { (request.start(), request.end()) };
    start.map(map) == request.start()
        && end.map(map) == request.end()
        && steps == request.steps().iter().copied().collect()
}

/// Judges all of a request without symmetries: with each symmetry of the board, and its classes.
fn judge(request: &Request, tours: &[Vec<u32>]) -> usize {
    let all: BTreeSet<Vec<u32>> = tours.iter().map(|tour| listed(request, tour.clone())).collect();
    assert_eq!(all.len(), tours.len());
    let mut symmetries = request.board().symmetries();
    let is_kept = |symmetry: &Symmetry, tour: &[u32]| {
        image(request, symmetry, tour, false) == tour || image(request, symmetry, tour, true) == tour
    };
    // Of many some, the first ones and then here and there.
    let step = symmetries.len().div_ceil(12);
    symmetries =
        symmetries.into_iter().enumerate().filter(|(at, _)| *at < 4 || at % step == 1).map(|(_, s)| s).collect();
    let mut found = 0;
    for symmetry in &symmetries {
        let symmetric = request.clone().with_symmetric(*symmetry).unwrap();
        let kept: BTreeSet<Vec<u32>> = all.iter().filter(|tour| is_kept(symmetry, tour)).cloned().collect();
        found += kept.len();
        assert_eq!(count(&symmetric), kept.len().to_string(), "{symmetric:?}");
        let ours = list(&symmetric);
        assert_eq!(ours.len(), kept.len(), "{symmetric:?}");
        assert_eq!(ours.into_iter().map(|tour| listed(request, tour)).collect::<BTreeSet<_>>(), kept);
        let outcome = Find::new(symmetric.clone(), FindOptions::default()).unwrap().advance(&Budget::unlimited());
        match outcome.unwrap() {
            Outcome::Found(tour) => {
                assert!(kept.contains(&listed(request, tour.squares().to_vec())));
                assert_eq!(classes::is_member(&symmetric, &tour, &Budget::unlimited()), Ok(true));
            }
            Outcome::Impossible(_) => assert!(kept.is_empty()),
        }
        judge_numbers(&symmetric, &kept);
        judge_seeds(&symmetric, &kept);
        judge_classes(request, &symmetric, &kept);
    }
    judge_classes(request, request, &all);
    // Two symmetries at a time.
    for pair in symmetries.windows(2).skip(1).take(3) {
        let both = request.clone().with_symmetric(pair[0]).and_then(|r| r.with_symmetric(pair[1])).unwrap();
        let kept: BTreeSet<Vec<u32>> = all.iter().filter(|t| pair.iter().all(|s| is_kept(s, t))).cloned().collect();
        assert_eq!(count(&both), kept.len().to_string(), "{both:?}");
        assert_eq!(list(&both).into_iter().map(|tour| listed(request, tour)).collect::<BTreeSet<_>>(), kept);
        judge_classes(request, &both, &kept);
    }
    found
}

/// Each number is that of one tour, and each tour has one.
fn judge_numbers(request: &Request, tours: &BTreeSet<Vec<u32>>) {
    let budget = Budget::unlimited();
    let numbering = Prepare::new(request.clone(), 1, Files::default()).unwrap().advance(&budget).unwrap();
    assert_eq!(numbering.total().to_string(), tours.len().to_string(), "{request:?}");
    let mut numbered = BTreeSet::new();
    for number in (0..tours.len() as u64).map(Natural::from) {
        let tour = numbering.tour(&number).unwrap().unwrap();
        assert_eq!(numbering.number(&tour), Ok(Some(number)), "{request:?}");
        numbered.insert(listed(request, tour.squares().to_vec()));
    }
    assert_eq!(&numbered, tours, "{request:?}");
}

/// A seed finds a tour where there is one.
fn judge_seeds(request: &Request, tours: &BTreeSet<Vec<u32>>) {
    for seed in 0..3 {
        let options = FindOptions { seed: Some(seed), ..FindOptions::default() };
        match Find::new(request.clone(), options).unwrap().advance(&Budget::unlimited()).unwrap() {
            Outcome::Found(tour) => assert!(tours.contains(&listed(request, tour.squares().to_vec())), "{request:?}"),
            Outcome::Impossible(_) => assert!(tours.is_empty(), "{request:?}"),
        }
    }
}

fn judge_classes(plain: &Request, request: &Request, tours: &BTreeSet<Vec<u32>>) {
    let mut acts = Vec::new();
    let symmetries = plain.board().symmetries();
    for symmetry in &symmetries {
        for backwards in [false, true] {
            // What keeps the request may still map its symmetric tours to others; by definition it must not.
            let maps_to_itself = || tours.iter().all(|tour| tours.contains(&image(plain, symmetry, tour, backwards)));
            if keeps(plain, symmetry, backwards) && (request.symmetric().is_empty() || maps_to_itself()) {
                acts.push((*symmetry, backwards));
            }
        }
    }
    let mut left = tours.clone();
    let mut classes = 0;
    let mut least = BTreeSet::new();
    while let Some(tour) = left.pop_first() {
        let images: BTreeSet<Vec<u32>> = acts.iter().map(|(s, b)| image(plain, s, &tour, *b)).collect();
        least.extend(images.first().cloned());
        for image in images {
            left.remove(&image);
        }
        classes += 1;
    }
    let distinct = request.clone().with_distinct();
    // Where only a few tours are symmetric, more symmetries than those that leave the request may happen to keep them.
    if request.symmetric().is_empty() {
        assert_eq!(count(&distinct), classes.to_string(), "{distinct:?}");
        let ours: BTreeSet<Vec<u32>> = list(&distinct).into_iter().map(|tour| listed(plain, tour)).collect();
        assert_eq!(ours, least, "{distinct:?}");
        let outcome = Find::new(distinct.clone(), FindOptions::default()).unwrap().advance(&Budget::unlimited());
        match outcome.unwrap() {
            Outcome::Found(tour) => assert_eq!(classes::is_member(&distinct, &tour, &Budget::unlimited()), Ok(true)),
            Outcome::Impossible(_) => assert!(tours.is_empty()),
        }
    } else {
        let ours = list(&distinct);
        assert_eq!(count(&distinct), ours.len().to_string(), "{distinct:?}");
        assert!(ours.len() >= classes);
    }
}

#[test]
fn small_boards_are_judged() {
    let plain = |rows, cols| Board::new(rows, cols).unwrap();
    let wrapped = |rows, cols, wrap| Board::build(rows, cols, [], Leaper::KNIGHT, wrap).unwrap();
    let holed = |rows, cols, holes: &[u32]| {
        Board::build(rows, cols, holes.iter().copied(), Leaper::KNIGHT, Wrap::None).unwrap()
    };
    for board in [
        plain(1, 1),
        plain(3, 4),
        plain(5, 5),
        plain(3, 7),
        plain(5, 6),
        plain(4, 5),
        holed(3, 3, &[4]),
        holed(5, 5, &[12]),
        holed(5, 5, &[0, 4, 20, 24]),
        holed(6, 6, &[0, 5, 30, 35, 14, 15, 20, 21]),
        wrapped(4, 4, Wrap::Cols),
        wrapped(3, 4, Wrap::Both),
        wrapped(3, 5, Wrap::Cols),
        wrapped(1, 7, Wrap::Cols),
        wrapped(2, 6, Wrap::Both),
    ] {
        for request in [Request::open(board.clone()), Request::closed(board.clone())] {
            let mut tours = Vec::new();
            let whole = brute::each_tour(&request, 3_000_000, |tour| {
                tours.push(tour.to_vec());
                std::ops::ControlFlow::Continue(())
            });
            if whole && tours.len() < 3000 {
                judge(&request, &tours);
            } else {
                println!("not judged: {request:?}");
            }
        }
    }
}

#[test]
fn random_requests_are_judged() {
    let mut rng = Rng::seeded(2026);
    let (mut found, mut judged) = (0, 0);
    while judged < 100 {
        let board = brute::random_board(&mut rng, 16);
        let request = brute::random_request(&mut rng, board);
        let mut tours = Vec::new();
        let whole = brute::each_tour(&request, 20_000, |tour| {
            tours.push(tour.to_vec());
            std::ops::ControlFlow::Continue(())
        });
        if whole && tours.len() < 300 && !tours.is_empty() {
            found += judge(&request, &tours);
            judged += 1;
        }
    }
    assert!(found > 300, "{found}");
}
