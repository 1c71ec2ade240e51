//! Numbers of tours against the judge: each tour has one, each number has a tour, all draws are as likely as the other, and no
//! file makes it say anything else.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use knightstour::answers::number::{Draw, Files, Numbering, Prepare};
use knightstour::answers::{List, Listed};
use knightstour::run::rng::Rng;
use knightstour::run::{Halt, Task};
use knightstour::store::{Kind, Seal, StoreError, Unfinished, Writer};
use knightstour::{Board, Budget, Cancel, Leaper, Limit, Limits, Natural, Pause, Request, Tour, Wrap};

use crate::brute;
use crate::place::Place;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn prepare(request: &Request, files: Files) -> Numbering {
    Prepare::new(request.clone(), 2, files).unwrap().advance(&Budget::unlimited()).unwrap()
}

fn numbering(request: &Request) -> Numbering {
    prepare(request, Files::default())
}

fn in_file(place: &Place) -> Files {
    Files { index: Some(place.file()), ..Files::default() }
}

/// The tours by number, all of them, each of which must have that number.
fn all(numbering: &Numbering) -> Vec<Vec<u32>> {
    let total: u64 = numbering.total().to_string().parse().unwrap();
    let tour = |number: u64| {
        let number = Natural::from(number);
        let tour = numbering.tour(&number).unwrap().unwrap();
        assert_eq!(numbering.number(&tour), Ok(Some(number)), "{:?}", numbering.request());
        assert_eq!(numbering.request().listed(&tour).as_ref(), Some(&tour));
        tour.squares().to_vec()
    };
    assert_eq!(numbering.tour(&Natural::from(total)), Ok(None));
    (0..total).map(tour).collect()
}

fn sorted(mut tours: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    tours.sort_unstable();
    tours
}

/// Requests of each kind, with few tours.
fn requests() -> Vec<Request> {
    let build = |rows, cols, blocked: &[u32], leaper: (u32, u32), wrap| {
        Board::build(rows, cols, blocked.iter().copied(), Leaper::new(leaper.0, leaper.1), wrap).unwrap()
    };
    let ring = build(3, 3, &[4], (1, 2), Wrap::None);
    let holes = build(5, 6, &[12, 17], (1, 2), Wrap::None);
    let torus = build(3, 4, &[], (1, 2), Wrap::Both);
    vec![
        Request::open(board(1, 1)),
        Request::closed(board(1, 1)),
        Request::open(board(1, 2)),
        Request::open(board(3, 3)),
        Request::open(board(3, 4)),
        Request::open(board(5, 5)),
        Request::open(board(5, 5)).with_start(0).unwrap(),
        Request::open(board(4, 5)).with_end(12).unwrap(),
        Request::open(board(5, 5)).with_start(4).and_then(|r| r.with_end(20)).unwrap(),
        Request::open(board(5, 5)).with_included(0, 7).and_then(|r| r.with_excluded(12, 1)).unwrap(),
        Request::open(board(5, 5)).with_step(0, 0).and_then(|r| r.with_step(4, 24)).unwrap(),
        Request::open(board(5, 5)).with_step(0, 0).and_then(|r| r.with_step(4, 12)).unwrap(),
        Request::open(board(5, 5)).with_included(0, 7).and_then(|r| r.with_excluded(0, 7)).unwrap(),
        Request::closed(board(5, 6)),
        Request::closed(board(3, 10)),
        Request::closed(ring.clone()).with_start(5).unwrap(),
        Request::closed(torus.clone()).with_start(7).and_then(|r| r.with_included(7, 0)).unwrap(),
        Request::closed(torus.clone()).with_start(7).and_then(|r| r.with_step(0, 3)).unwrap(),
        Request::open(ring.clone()),
        Request::closed(ring),
        Request::open(holes.clone()).with_start(0).unwrap(),
        Request::closed(holes),
        Request::open(torus.clone()).with_start(0).unwrap(),
        Request::closed(torus),
        Request::closed(build(4, 4, &[], (0, 1), Wrap::None)),
        Request::open(build(3, 5, &[3], (0, 1), Wrap::Cols)),
        Request::closed(build(4, 4, &[], (1, 2), Wrap::Both)),
    ]
}

#[test]
fn every_tour_has_a_number_and_every_number_a_tour() {
    for request in requests() {
        let numbering = numbering(&request);
        assert_eq!(sorted(all(&numbering)), sorted(brute::tours(&request)), "{request:?}");
    }
}

#[test]
fn random_collections_are_numbered_as_a_whole() {
    let mut rng = Rng::seeded(5);
    let mut some = 0;
    for _ in 0..2000 {
        let board = brute::random_board(&mut rng, 14);
        let request = brute::random_request(&mut rng, board);
        let mut expected = Vec::new();
        let is_whole = brute::each_tour(&request, 300_000, |tour| {
            expected.push(tour.to_vec());
            if expected.len() < 3000 { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
        });
        if is_whole {
            some += usize::from(!expected.is_empty());
            assert_eq!(sorted(all(&numbering(&request))), sorted(expected), "{request:?}");
        }
    }
    assert!(some > 200, "{some}");
}

#[test]
fn all_closed_tours_of_6x6_are_there_once() {
    let request = Request::closed(board(6, 6));
    let mut listed = Vec::new();
    let mut list = List::new(request.clone());
    while let Listed::Tour(tour) = list.advance(&Budget::unlimited()) {
        listed.push(tour.squares().to_vec());
    }
    assert_eq!(listed.len(), 9862);
    assert_eq!(sorted(all(&numbering(&request))), sorted(listed));
}

#[test]
fn a_closed_tour_is_found_from_any_square_and_either_way() {
    let request = Request::closed(board(5, 6));
    let numbering = numbering(&request);
    for squares in all(&numbering) {
        let tour = |squares: Vec<u32>| Tour::new(board(5, 6), squares, Some(true)).unwrap();
        let number = numbering.number(&tour(squares.clone())).unwrap().unwrap();
        for turn in 0..30 {
            let mut turned = squares.clone();
            turned.rotate_left(turn);
            assert_eq!(numbering.number(&tour(turned.clone())), Ok(Some(number.clone())));
            turned.reverse();
            assert_eq!(numbering.number(&tour(turned)), Ok(Some(number.clone())));
        }
    }
}

#[test]
fn foreign_tours_have_no_number() {
    let numbering = numbering(&Request::open(board(5, 5)).with_start(0).and_then(|r| r.with_excluded(0, 7)).unwrap());
    let mut refused = 0;
    for squares in all(&self::numbering(&Request::open(board(5, 5)).with_start(0).unwrap())) {
        let tour = Tour::new(board(5, 5), squares.clone(), Some(false)).unwrap();
        let number = numbering.number(&tour).unwrap();
        assert_eq!(number.is_none(), squares[1] == 7);
        assert_eq!(numbering.number(&tour.reversed()), Ok(None));
        refused += usize::from(number.is_none());
    }
    assert!(refused > 0);
    let closed = Request::closed(board(5, 6));
    let numbering = self::numbering(&closed);
    let open = Tour::new(board(5, 6), all(&numbering).swap_remove(0), Some(false)).unwrap();
    assert_eq!(numbering.number(&open), Ok(None));
}

#[test]
fn numbers_of_any_size() {
    for (request, bits) in [
        (Request::open(board(4, 80)), 128..400),
        (Request::closed(board(6, 16)), 65..129),
        (Request::closed(board(3, 60)), 30..128),
    ] {
        let numbering = numbering(&request);
        let total = numbering.total();
        assert!(bits.contains(&total.bits()), "{total} {}", total.bits());
        let mut draws = Draw::new(Arc::new(numbering), 40, 3, 1);
        let tours = draws.advance(&Budget::unlimited()).unwrap();
        let mut numbers = HashSet::new();
        for tour in &tours {
            let number = draws.numbering().number(tour).unwrap().unwrap();
            assert_eq!(draws.numbering().tour(&number).unwrap().as_ref(), Some(tour));
            assert!(number < total);
            numbers.insert(number.to_string());
        }
        assert!(numbers.len() > 35);
        let mut last = total.clone();
        assert!(last.take(&Natural::from(1)));
        for number in [Natural::default(), last] {
            let tour = draws.numbering().tour(&number).unwrap().unwrap();
            assert_eq!(draws.numbering().number(&tour), Ok(Some(number)));
        }
        assert_eq!(draws.numbering().tour(&total), Ok(None));
    }
}

#[test]
fn draws_are_even_and_repeatable() {
    for (request, classes) in [
        (Request::open(board(5, 5)), 1728),
        (Request::closed(Board::build(4, 4, [], Leaper::KNIGHT, Wrap::Both).unwrap()), 1344),
        (Request::open(Board::build(5, 5, [2], Leaper::KNIGHT, Wrap::None).unwrap()), 0),
        (Request::open(board(5, 5)).with_step(0, 0).and_then(|r| r.with_step(22, 12)).unwrap(), 0),
    ] {
        let numbering = Arc::new(numbering(&request));
        let total: usize = numbering.total().to_string().parse().unwrap();
        assert!(total > 0 && (classes == 0 || total == classes), "{total}");
        let draw = |count, threads, seed| {
            Draw::new(Arc::clone(&numbering), count, seed, threads).advance(&Budget::unlimited()).unwrap()
        };
        let mut counts = vec![0u32; total];
        let drawn = draw(20 * total, 1, 11);
        for tour in &drawn {
            let number: usize = numbering.number(tour).unwrap().unwrap().to_string().parse().unwrap();
            counts[number] += 1;
        }
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 20.0).powi(2) / 20.0).sum();
        let (mean, deviation) = ((total - 1) as f64, (2.0 * (total - 1) as f64).sqrt());
        assert!((chi - mean).abs() < 3.5 * deviation, "{request:?}: {chi}, expected {mean} +- {deviation}");
        assert_eq!(draw(100, 3, 11), drawn[..100]);
        assert_ne!(draw(100, 1, 12), drawn[..100]);
    }
    let none = Arc::new(numbering(&Request::closed(board(5, 5))));
    assert!(none.total().is_zero() && Draw::new(none, 3, 1, 1).advance(&Budget::unlimited()).unwrap().is_empty());
}

#[test]
fn a_file_says_what_memory_says() {
    for request in requests() {
        let place = Place::new("says");
        let Ok(mut prepare) = Prepare::new(request.clone(), 2, in_file(&place)) else { continue };
        let expected = all(&numbering(&request));
        assert_eq!(all(&prepare.advance(&Budget::unlimited()).unwrap()), expected, "{request:?}");
        assert_eq!(place.names().len(), 1);
        let opened = Numbering::open(&place.file(), &Budget::unlimited()).unwrap();
        assert_eq!((opened.request(), all(&opened)), (&request, expected.clone()));
        // What is there already is used; what is another's is not touched.
        let before = fs::read(place.file()).unwrap();
        assert_eq!(all(&self::prepare(&request, in_file(&place))), expected);
        let other = Request::closed(board(6, 6));
        let refused = Prepare::new(other, 1, in_file(&place)).unwrap().advance(&Budget::unlimited());
        assert_eq!(refused.unwrap_err(), Halt::Store(StoreError::Request { path: place.file() }));
        assert_eq!(fs::read(place.file()).unwrap(), before);
    }
}

#[test]
fn a_file_is_walked_over_as_memory_is() {
    // Many at once or one alone, looked at before or not.
    let place = Place::new("walked");
    let request = Request::open(board(6, 6)).with_start(0).unwrap();
    let memory = Arc::new(numbering(&request));
    prepare(&request, in_file(&place));
    let draw = |numbering: &Arc<Numbering>, count, threads| {
        Draw::new(Arc::clone(numbering), count, 4, threads).advance(&Budget::unlimited()).unwrap()
    };
    let expected = draw(&memory, 200, 1);
    for (count, threads) in [(1, 1), (3, 2), (63, 1), (64, 1), (65, 3), (200, 2)] {
        let opened = Arc::new(Numbering::open(&place.file(), &Budget::unlimited()).unwrap());
        assert_eq!(draw(&opened, count, threads), expected[..count]);
        for tour in &expected {
            assert_eq!(opened.number(tour), memory.number(tour));
        }
        assert_eq!(draw(&opened, 200, threads), expected);
    }
    let opened = Numbering::open(&place.file(), &Budget::unlimited()).unwrap();
    for tour in expected {
        let number = opened.number(&tour).unwrap().unwrap();
        assert_eq!(opened.tour(&number), Ok(Some(tour)));
    }
}

#[test]
fn layers_and_states_in_a_directory() {
    let place = Place::new("spilled");
    let request = Request::closed(board(6, 6));
    let files = Files { spill_dir: Some(place.0.clone()), ..Files::default() };
    let budget = Budget::new(Limits { memory: Some(500_000), ..Limits::default() });
    let mut small = Prepare::new(request.clone(), 1, Files::default()).unwrap();
    assert_eq!(small.advance(&budget).unwrap_err(), Halt::Pause(Pause::Limit(Limit::Memory)));
    assert!(small.report().memory > 500_000);
    let mut spilled = Prepare::new(request.clone(), 1, files).unwrap();
    let spilled = spilled.advance(&Budget::new(Limits { memory: Some(1_150_000), ..Limits::default() })).unwrap();
    assert_eq!(all(&spilled), all(&numbering(&request)));
    if cfg!(unix) {
        assert_eq!(place.names().len(), 0);
    }
    drop(spilled);
    assert_eq!(place.names().len(), 0);
}

#[test]
fn interrupted_and_gone_on_with() {
    let request = Request::open(board(5, 5));
    let place = Place::new("interrupted");
    let expected = all(&numbering(&request));
    let mut prepare = Prepare::new(request.clone(), 1, in_file(&place)).unwrap();
    let mut pauses = 0;
    let numbering = loop {
        let mut budget = Budget::new(Limits { nodes: Some(60), ..Limits::default() });
        budget.begin_slice(Duration::from_micros(if pauses % 2 == 0 { 20 } else { 200_000 }));
        match prepare.advance(&budget) {
            Ok(numbering) => break numbering,
            // A limit of nodes would end it; here it only begins again.
            Err(Halt::Pause(Pause::Slice)) => pauses += 1,
            Err(Halt::Pause(Pause::Limit(Limit::Nodes))) => {
                prepare = Prepare::new(request.clone(), 1, in_file(&place)).unwrap();
                let mut budget = Budget::unlimited();
                budget.begin_slice(Duration::from_micros(300));
                match prepare.advance(&budget) {
                    Ok(numbering) => break numbering,
                    Err(why) => assert_eq!(why, Halt::Pause(Pause::Slice)),
                }
                pauses += 1;
                let rest = loop {
                    let mut budget = Budget::unlimited();
                    budget.begin_slice(Duration::from_micros(300));
                    match prepare.advance(&budget) {
                        Ok(numbering) => break numbering,
                        Err(why) => assert_eq!(why, Halt::Pause(Pause::Slice)),
                    }
                    pauses += 1;
                };
                break rest;
            }
            Err(why) => panic!("{why:?}"),
        }
    };
    assert!(pauses > 0);
    assert_eq!(all(&numbering), expected);
    // Cancelled, or simply dropped: nothing of the file stays.
    let other = Place::new("cancelled");
    let cancel = Cancel::default();
    let mut prepare = Prepare::new(Request::closed(board(6, 6)), 1, in_file(&other)).unwrap();
    let mut budget = Budget::unlimited().with_cancel(Some(cancel.clone()));
    budget.begin_slice(Duration::from_millis(1));
    assert_eq!(prepare.advance(&budget).unwrap_err(), Halt::Pause(Pause::Slice));
    cancel.cancel();
    assert_eq!(prepare.advance(&budget).unwrap_err(), Halt::Pause(Pause::Limit(Limit::Cancelled)));
    assert_eq!(other.names().len(), 0);
    // Draws go on where they were.
    let numbering = Arc::new(numbering);
    let whole = Draw::new(Arc::clone(&numbering), 500, 9, 1).advance(&Budget::unlimited()).unwrap();
    let mut draw = Draw::new(numbering, 500, 9, 2);
    let parts = loop {
        let mut budget = Budget::unlimited();
        budget.begin_slice(Duration::from_micros(200));
        match draw.advance(&budget) {
            Ok(tours) => break tours,
            Err(why) => assert_eq!(why, Halt::Pause(Pause::Slice)),
        }
    };
    assert_eq!(parts, whole);
}

/// What an index says now: nothing but errors and what it said before.
fn check_damaged(path: &Path, expected: &[Vec<u32>], is_resealed: bool) -> bool {
    let Ok(numbering) = Numbering::open(path, &Budget::unlimited()) else { return true };
    let mut is_noticed = false;
    for (number, squares) in expected.iter().enumerate() {
        let tour = numbering.tour(&Natural::from(number as u64));
        let other = Tour::new(board(4, 5), squares.clone(), Some(false)).unwrap();
        let found = numbering.number(&other);
        if is_resealed {
            // A tour of the board all the same, or an error.
            is_noticed |= tour.is_err() || found.is_err();
            continue;
        }
        match tour {
            Ok(tour) => assert_eq!(tour.unwrap().squares(), squares),
            Err(error) => {
                assert_eq!(error, StoreError::Damaged { path: path.to_owned() });
                is_noticed = true;
            }
        }
        match found {
            Ok(found) => assert_eq!(found, Some(Natural::from(number as u64))),
            Err(error) => assert_eq!(error, StoreError::Damaged { path: path.to_owned() }),
        }
    }
    is_noticed
}

/// Makes the checks of an index right again, whatever is in it.
fn reseal(bytes: &mut [u8]) {
    let length = bytes.len();
    let body = u64::from_le_bytes(bytes[length - 16..length - 8].try_into().unwrap()) as usize;
    let block = |i: usize| &bytes[(i << 14).max(96)..((i + 1) << 14).min(96 + body)];
    let checks: Vec<u8> =
        (0..(96 + body).div_ceil(1 << 14)).flat_map(|i| crc32fast::hash(block(i)).to_le_bytes()).collect();
    bytes[96 + body..96 + body + checks.len()].copy_from_slice(&checks);
    let mut hash = blake3::Hasher::new();
    hash.update(blake3::hash(&bytes[96 + body..]).as_bytes());
    hash.update(&bytes[..64]);
    bytes[64..96].copy_from_slice(hash.finalize().as_bytes());
}

#[test]
fn damaged_files_are_refused() {
    let place = Place::new("damaged");
    let request = Request::open(board(4, 5));
    let expected = all(&prepare(&request, in_file(&place)));
    assert_eq!(expected.len(), 164);
    let path = place.file();
    let good = fs::read(&path).unwrap();
    assert!(!check_damaged(&path, &expected, false));
    let write = |bytes: &[u8]| {
        // Not in place: an index that is open may be mapped.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).unwrap();
    };
    let mut rng = Rng::seeded(2);
    let mut places: Vec<usize> = (0..96).chain(good.len() - 80..good.len()).collect();
    places.extend((0..150).map(|_| rng.below(good.len() as u64) as usize));
    for place in places {
        let mut bad = good.clone();
        bad[place] ^= 1 << rng.below(8);
        write(&bad);
        assert!(check_damaged(&path, &expected, false), "byte {place}");
    }
    for length in (0..good.len()).step_by(257).chain([8, 95, 96, 97, good.len() - 1]) {
        write(&good[..length]);
        assert!(Numbering::open(&path, &Budget::unlimited()).is_err(), "cut off at {length}");
    }
    write(&[&good[..], b"x"].concat());
    assert!(matches!(
        Numbering::open(&path, &Budget::unlimited()).unwrap_err(),
        Halt::Store(StoreError::Length { .. })
    ));
    // Bytes that make no sense and pass all checks: never a panic.
    let mut noticed = 0;
    for round in 0..400 {
        let mut bad = good.clone();
        for _ in 0..1 + round % 3 {
            let place = 96 + rng.below(good.len() as u64 - 96) as usize;
            bad[place] = rng.bits() as u8;
        }
        let length = bad.len();
        let body = u64::from_le_bytes(bad[length - 16..length - 8].try_into().unwrap()) as usize;
        if body == u64::from_le_bytes(good[length - 16..length - 8].try_into().unwrap()) as usize {
            reseal(&mut bad);
        }
        write(&bad);
        noticed += usize::from(check_damaged(&path, &expected, true));
    }
    assert!(noticed > 100, "{noticed}");
}

#[test]
fn files_of_others_are_refused() {
    let place = Place::new("foreign");
    let request = Request::closed(board(5, 6));
    prepare(&request, in_file(&place));
    let path = place.file();
    let good = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).unwrap();
        match Numbering::open(&path, &Budget::unlimited()) {
            Err(Halt::Store(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    for (at, what) in [(8, "format"), (16, "engine")] {
        let mut other = good.clone();
        other[at] += 1;
        assert!(matches!(refused(&other), StoreError::Version { what: w, .. } if w == what));
    }
    assert!(matches!(refused(b"not one of ours, but of some length: it has more than ninety-six bytes, so that a header could be in it, and there is none"), StoreError::Foreign { .. }));
    // A fingerprint that is not the request's.
    let mut other = good.clone();
    other[30] ^= 1;
    reseal(&mut other);
    assert!(matches!(refused(&other), StoreError::Damaged { .. }));
    // A file of another kind.
    let _ = fs::remove_file(&path);
    let mut writer =
        Writer::create(&path, Seal::new(Kind::Checkpoint, 1, &request.encode()), &Unfinished::default()).unwrap();
    writer.number(7).unwrap();
    writer.finish().unwrap();
    let opened = Numbering::open(&path, &Budget::unlimited());
    assert!(matches!(opened.unwrap_err(), Halt::Store(StoreError::Kind { wanted: "an index of tours", .. })));
    let _ = fs::remove_file(&path);
    assert!(matches!(
        Numbering::open(&path, &Budget::unlimited()).unwrap_err(),
        Halt::Store(StoreError::Io { kind: std::io::ErrorKind::NotFound, .. })
    ));
    assert!(Numbering::open(&place.0, &Budget::unlimited()).is_err());
    let nowhere = Files { index: Some(place.0.join("none").join("file")), ..Files::default() };
    let refused = Prepare::new(request, 1, nowhere).unwrap().advance(&Budget::unlimited());
    assert!(matches!(refused.unwrap_err(), Halt::Store(StoreError::Io { .. })));
}

#[test]
fn misuse_and_what_is_too_large() {
    let stepped = Request::open(board(5, 5)).with_step(0, 3).unwrap();
    let files = Files { spill_dir: Some(std::env::temp_dir()), ..Files::default() };
    assert!(Prepare::new(stepped, 1, files.clone()).unwrap_err().to_string().contains("given steps"));
    assert!(Prepare::new(Request::open(board(1, 1)), 1, files).is_err());
    // Too many tours to be listed.
    let stepped = Request::open(board(6, 6)).with_step(0, 0).and_then(|r| r.with_step(8, 17)).unwrap();
    let budget = Budget::new(Limits { memory: Some(400_000), ..Limits::default() });
    let mut prepare = Prepare::new(stepped, 1, Files::default()).unwrap();
    assert_eq!(prepare.advance(&budget).unwrap_err(), Halt::Pause(Pause::Limit(Limit::Memory)));
    assert!(prepare.report().memory > 400_000);
    let mut drawn = Draw::new(Arc::new(numbering(&Request::closed(board(5, 6)))), usize::MAX, 1, 1);
    assert_eq!(drawn.advance(&Budget::unlimited()).unwrap_err(), Halt::Pause(Pause::Limit(Limit::Memory)));
}
