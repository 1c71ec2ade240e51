//! How fast tours are made, without the checker's pass over them: a name, how many were counted, and the seconds,
//! the best of a few rounds (after them, where they may be of the processor, those of the clock).
//! `tests/python/benchmarks/test_construct.py` reads it.
//!
//! cargo bench --bench construct

use std::hint::black_box;
use std::time::Instant;

use knightstour::engines::construction::{Construction, Outcome, Tidy};
use knightstour::engines::warnsdorff::{Run, Ties, Trials};
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Limits, Request, Tour};

fn main() {
    for side in [1000, 5000] {
        let rounds = if side == 1000 { 25 } else { 7 };
        let board = Board::new(side, side).unwrap();
        let closed = Request::closed(board.clone());
        best(&format!("closed {side}"), rounds, |_| made(&closed));
        // Other ends each round.
        let mut rng = Rng::seeded(side.into());
        let ends: Vec<Request> = (0..rounds).map(|_| legal_ends(&board, &mut rng)).collect();
        best(&format!("open {side}"), rounds, |round| made(&ends[round as usize]));
        best(&format!("tidy {side}"), rounds, |_| {
            let squares = Tidy::new(&closed, None).unwrap().advance(&Budget::unlimited()).unwrap();
            black_box(squares.unwrap()).len() as u64
        });
        walks(&board);
    }
    let huge = Request::closed(Board::new(10_000, 10_000).unwrap());
    best("closed 10000", 2, |_| made(&huge));
    for threads in [1, 2] {
        trials(threads);
        spin(threads);
    }
    pairs();
    for rows in [3, 4, 5] {
        for cols in [25_000, 50_000, 100_000] {
            let board = Board::new(rows, cols).unwrap();
            let open = Request::open(board.clone());
            best(&format!("strip {rows} {cols}"), 5, |_| made(&open));
        }
    }
    let board = Board::new(5, 100_000).unwrap();
    let ends = Request::open(board).with_start(100_007).unwrap().with_end(444_445).unwrap();
    best("strip ends", 5, |_| made(&ends));
}

/// Many walks, by the clock.
fn trials(threads: usize) {
    let board = Board::new(200, 200).unwrap();
    let (mut seconds, mut steps) = (f64::INFINITY, 0);
    for _ in 0..5 {
        let mut trials = Trials::new(&board, 300, None, Ties::Random, 1, threads).unwrap();
        let began = Instant::now();
        trials.advance(&Budget::unlimited()).unwrap();
        seconds = seconds.min(began.elapsed().as_secs_f64());
        steps = trials.lengths().iter().map(|&length| u64::from(length)).sum::<u64>();
    }
    println!("trials {threads},{steps},{seconds}");
}

/// Steps of a random generator, by the clock: what as many threads can do on this machine just now.
fn spin(threads: usize) {
    const STEPS: u64 = 60_000_000;
    let mut seconds = f64::INFINITY;
    for _ in 0..5 {
        let began = Instant::now();
        std::thread::scope(|scope| {
            for thread in 0..threads as u64 {
                scope.spawn(move || {
                    let mut rng = Rng::seeded(thread);
                    black_box((0..STEPS / threads as u64).fold(0, |sum: u64, _| sum.wrapping_add(rng.below(64))));
                });
            }
        });
        seconds = seconds.min(began.elapsed().as_secs_f64());
    }
    println!("spin {threads},{STEPS},{seconds}");
}

/// Makes a tour, which is checked only where that is not timed.
fn squares(request: &Request) -> Vec<u32> {
    match Construction::new(request, None).unwrap().advance(&Budget::unlimited()).unwrap() {
        Outcome::Squares(squares) => squares,
        Outcome::Impossible => panic!("no tour"),
    }
}

fn made(request: &Request) -> u64 {
    black_box(squares(request)).len() as u64
}

/// Warnsdorff's rule with ties at random, once the board is set up: the walk with the shortest time a step. Few
/// get to the end of a large board.
fn walks(board: &Board) {
    let (mut fastest, mut seen) = ((1, f64::INFINITY), 0);
    for seed in 0..1000 {
        let mut run = Run::new(board, Some(0), Ties::Random, seed).unwrap();
        let first = Budget::new(Limits { nodes: Some(1), ..Limits::default() });
        assert!(run.advance(&first).is_err());
        let clock = Clock::new();
        run.advance(&Budget::unlimited()).unwrap();
        let (seconds, steps) = (clock.seconds(), run.squares().len() as u64 - 1);
        if steps > 50_000 {
            seen += 1;
            if seconds / (steps as f64) < fastest.1 / fastest.0 as f64 {
                fastest = (steps, seconds);
            }
        }
        if seen == 20 {
            break;
        }
    }
    println!("warnsdorff {},{},{}", board.rows(), fastest.0, fastest.1);
}

fn is_odd(board: &Board, square: u32) -> bool {
    let square = board.square(square);
    (square.row + square.col) % 2 == 1
}

/// An open tour with random ends of different colours.
fn legal_ends(board: &Board, rng: &mut Rng) -> Request {
    loop {
        let mut square = || rng.below(board.squares()) as u32;
        let (start, end) = (square(), square());
        if is_odd(board, start) != is_odd(board, end) {
            return Request::open(board.clone()).with_start(start).unwrap().with_end(end).unwrap();
        }
    }
}

/// Every legal pair of ends on 6x6 to 12x12, once warm: the slowest, the best of three rounds each.
fn pairs() {
    let (mut slowest, mut count) = (0.0, 0u64);
    for side in 6..=12u32 {
        let board = Board::new(side, side).unwrap();
        let legal = |a: u32, b: u32| {
            a != b
                && if side % 2 == 0 {
                    is_odd(&board, a) != is_odd(&board, b)
                } else {
                    !is_odd(&board, a) && !is_odd(&board, b)
                }
        };
        for start in 0..side * side {
            for end in (0..side * side).filter(|&end| legal(start, end)) {
                let request = Request::open(board.clone()).with_start(start).unwrap().with_end(end).unwrap();
                let mut seconds = f64::INFINITY;
                for _ in 0..3 {
                    let began = Instant::now();
                    let squares = squares(&request);
                    seconds = seconds.min(began.elapsed().as_secs_f64());
                    assert!(Tour::new(board.clone(), squares, Some(false)).is_ok());
                }
                slowest = f64::max(slowest, seconds);
                count += 1;
            }
        }
    }
    println!("pairs,{count},{slowest}");
}

fn best(name: &str, rounds: u32, make: impl Fn(u32) -> u64) {
    let (mut seconds, mut elapsed) = (f64::INFINITY, f64::INFINITY);
    let mut count = 0;
    for round in 0..rounds {
        let clock = Clock::new();
        count = make(round);
        seconds = seconds.min(clock.seconds());
        elapsed = elapsed.min(clock.began.elapsed().as_secs_f64());
    }
    println!("{name},{count},{seconds},{elapsed}");
}

/// Time on the clock, or where it says so, of this thread on a processor: the machine may do other things
/// as well. That is counted in ticks, and so serves for what takes many of them.
struct Clock {
    began: Instant,
    spent: Option<f64>,
}

impl Clock {
    fn new() -> Clock {
        Clock { spent: Clock::spent(), began: Instant::now() }
    }

    fn spent() -> Option<f64> {
        let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
    }

    fn seconds(&self) -> f64 {
        let clock = self.began.elapsed().as_secs_f64();
        match (self.spent, Clock::spent()) {
            (Some(before), Some(after)) if clock > 0.05 => clock.min(after - before),
            _ => clock,
        }
    }
}
