//! Reasons why there is no tour: never given where there is one, and given where a theorem is complete.

use knightstour::run::rng::Rng;
use knightstour::theorems::{self, Code, Examination, Reason, check_board, check_graph, examine, narrow_ends};
use knightstour::{Board, Budget, Cancel, Graph, Leaper, Limit, Limits, Pause, Request, Wrap};

use crate::brute;

fn plain(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn knight(picture: &str) -> Board {
    Board::parse(picture, Leaper::KNIGHT, Wrap::None).unwrap()
}

fn reason(request: &Request) -> Option<Reason> {
    let graph = Graph::new(request);
    theorems::check(request, &graph).or_else(|| reason_of_pairs(request, &graph))
}

/// What pairs of squares tell, after all else that is known.
fn reason_of_pairs(request: &Request, graph: &Graph) -> Option<Reason> {
    if graph.len() > 1000 {
        // It takes longer than a pass over the board.
        return None;
    }
    let mut look = Examination::new(request, graph);
    let _ = look.run(request, graph, &Budget::unlimited()).unwrap();
    look.pairs().advance(request, graph, &Budget::unlimited()).unwrap()
}

fn code(request: &Request) -> Option<&'static str> {
    reason(request).map(|reason| reason.code.name())
}

/// Checks everything that is said of a request against one of its tours.
fn allows(request: &Request, tour: &[u32]) {
    let graph = Graph::new(request);
    let why = check_board(request).or_else(|| check_graph(request, &graph));
    // Pairs of squares are looked for among what is left, and among all moves.
    let why = why.or_else(|| reason_of_pairs(request, &graph));
    let all = Examination::new(request, &graph).pairs().advance(request, &graph, &Budget::unlimited()).unwrap();
    let why = why.or(all);
    assert!(why.is_none(), "{request:?}\nhas the tour {tour:?} in spite of\n{why:?}");
    let ends = examine(request, &graph).unwrap();
    if !request.is_closed() {
        let (start, end) = (graph.vertex(tour[0]), graph.vertex(tour[tour.len() - 1]));
        assert!(
            ends.starts.contains(start) && ends.ends.contains(end),
            "{request:?}\nhas the tour {tour:?} in spite of {:?} {:?}",
            ends.starts.iter().collect::<Vec<_>>(),
            ends.ends.iter().collect::<Vec<_>>()
        );
    }
}

/// A random part of what is true of a tour, as a request.
fn true_request(rng: &mut Rng, board: &Board, tour: &[u32], closed: bool) -> Request {
    let count = tour.len();
    let mut request = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
    if closed || rng.below(3) == 0 {
        request = request.with_start(tour[0]).unwrap();
    }
    if !closed && rng.below(3) == 0 {
        request = request.with_end(tour[count - 1]).unwrap();
    }
    if rng.below(8) == 0 {
        // Every move of the tour is to be used.
        for pair in tour.windows(2) {
            request = request.with_included(pair[0], pair[1]).unwrap();
        }
        if closed {
            request = request.with_included(tour[count - 1], tour[0]).unwrap();
        }
    }
    let some = rng.below(4) * rng.below(2 * count as u64) / 3;
    for _ in 0..some {
        let at = rng.below(count as u64) as usize;
        match rng.below(4) {
            0 if rng.below(4) == 0 => request = request.with_step(tour[at], at as u64).unwrap(),
            1 if closed || at + 1 < count => request = request.with_included(tour[at], tour[(at + 1) % count]).unwrap(),
            2 | 3 => {
                let moves = board.moves(tour[at]);
                let Some(&to) = moves.as_slice().get(rng.below(8) as usize) else { continue };
                let step = tour.iter().position(|&s| s == to).unwrap();
                let apart = step.abs_diff(at);
                if apart != 1 && !(closed && apart == count - 1) {
                    request = request.with_excluded(tour[at], to).unwrap();
                }
            }
            _ => {}
        }
    }
    request
}

#[test]
fn no_reason_is_given_where_a_small_board_has_a_tour() {
    let mut rng = Rng::seeded(2);
    let (mut with, mut without, mut explained) = (0, 0, 0);
    for _ in 0..20_000 {
        let board = brute::random_board(&mut rng, 18);
        let request = brute::random_request(&mut rng, board);
        match brute::first(&request, 20_000) {
            None => {}
            Some(Some(tour)) => {
                with += 1;
                allows(&request, &tour);
            }
            Some(None) => {
                without += 1;
                explained += u32::from(reason(&request).is_some());
            }
        }
    }
    println!("{with} with a tour, {without} without, {explained} of them explained");
    assert!(with > 1_000 && without > 5_000, "{with} {without}");
    assert!(explained * 100 >= without * 99, "{explained} of {without}");
}

#[test]
fn every_end_of_every_tour_is_allowed() {
    let mut rng = Rng::seeded(3);
    let mut tours = 0u64;
    for _ in 0..3_000 {
        let board = brute::random_board(&mut rng, 12);
        let request = brute::random_request(&mut rng, board);
        if request.is_closed() {
            continue;
        }
        let graph = Graph::new(&request);
        let ends = examine(&request, &graph);
        brute::each_tour(&request, 50_000, |tour| {
            let ends = ends.as_ref().unwrap();
            assert!(ends.starts.contains(graph.vertex(tour[0])), "{request:?} {tour:?}");
            assert!(ends.ends.contains(graph.vertex(tour[tour.len() - 1])), "{request:?} {tour:?}");
            tours += 1;
            std::ops::ControlFlow::Continue(())
        });
    }
    assert!(tours > 10_000, "{tours}");
}

/// The squares of a random walk, with all others blocked, are a board with a tour however odd its
/// shape; and few moves connect them, which is where a wrong theorem would show.
#[test]
fn no_reason_is_given_for_the_board_of_a_walk() {
    let mut rng = Rng::seeded(4);
    let (mut open, mut closed) = (0, 0);
    for trial in 0..1_000 {
        let (rows, cols) = (3 + rng.below(9) as u32, 3 + rng.below(9) as u32);
        let (a, b) = [(1, 2), (1, 2), (1, 2), (1, 3), (2, 3), (0, 1), (1, 1), (1, 4)][rng.below(8) as usize];
        let wrap = [Wrap::None, Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both][rng.below(5) as usize];
        let whole = Board::build(rows, cols, [], Leaper::new(a, b), wrap).unwrap();
        let mut walk = vec![rng.below(u64::from(rows * cols)) as u32];
        let most = 1 + rng.below(u64::from(rows * cols)) as usize;
        while walk.len() < most {
            let moves = whole.moves(walk[walk.len() - 1]);
            let free: Vec<u32> = moves.as_slice().iter().copied().filter(|s| !walk.contains(s)).collect();
            // Half of the walks keep to the rule of fewest moves, and so fill their space.
            let onward = |s: &u32| whole.moves(*s).as_slice().iter().filter(|t| !walk.contains(t)).count();
            let next = if trial % 2 == 0 { free.iter().copied().min_by_key(onward) } else { None };
            if free.is_empty() {
                break;
            }
            walk.push(next.unwrap_or_else(|| free[rng.below(free.len() as u64) as usize]));
        }
        let board = |squares: &[u32]| {
            let holes = (0..rows * cols).filter(|s| !squares.contains(s));
            Board::build(rows, cols, holes, Leaper::new(a, b), wrap).unwrap()
        };
        let path_board = board(&walk);
        for _ in 0..3 {
            allows(&true_request(&mut rng, &path_board, &walk, false), &walk);
            open += 1;
        }
        // The longest part of the walk that begins at its first square and closes.
        let meets = |&end: &usize| whole.is_move(walk[0], walk[end - 1]);
        if let Some(end) = (3..=walk.len()).rev().find(meets) {
            let mut cycle = walk[..end].to_vec();
            if cycle[1] > cycle[end - 1] {
                cycle[1..].reverse();
            }
            let cycle_board = board(&cycle);
            for _ in 0..3 {
                allows(&true_request(&mut rng, &cycle_board, &cycle, true), &cycle);
                closed += 1;
            }
        }
    }
    assert!(open > 2_500 && closed > 1_000, "{open} {closed}");
}

#[test]
fn knights_rectangles_with_free_ends_are_decided_completely() {
    for rows in 1..=6 {
        for cols in 1..=if rows == 3 { 9 } else { 6 } {
            for closed in [false, true] {
                let request =
                    if closed { Request::closed(plain(rows, cols)) } else { Request::open(plain(rows, cols)) };
                let tour = brute::first(&request, 30_000_000).expect("small enough for plain search");
                assert_eq!(check_board(&request).is_some(), tour.is_none(), "{rows}x{cols} closed: {closed}");
                assert_eq!(reason(&request).is_some(), tour.is_none(), "{rows}x{cols} closed: {closed}");
            }
        }
    }
}

#[test]
fn leapers_reach_every_square_exactly_where_knuth_says() {
    let mut both = [0, 0];
    for b in 1..=5 {
        for a in 0..=b {
            for rows in 1..=11 {
                for cols in 1..=11 {
                    let board = Board::build(rows, cols, [], Leaper::new(a, b), Wrap::None).unwrap();
                    let request = Request::open(board);
                    let (_, pieces) = Graph::new(&request).pieces();
                    // Earlier theorems may rule the tour out on other grounds, never where a leaper
                    // reaches every square.
                    let found = check_board(&request)
                        .is_some_and(|reason| matches!(reason.code, Code::Leaper | Code::CullDeCurtins | Code::Colour));
                    if pieces > 1 {
                        assert!(found, "({a}, {b}) on {rows}x{cols}");
                    } else if let Some(reason) = check_board(&request) {
                        assert_ne!(reason.code, Code::Leaper, "({a}, {b}) on {rows}x{cols}");
                    }
                    both[usize::from(pieces > 1)] += 1;
                }
            }
        }
    }
    assert!(both[0] > 300 && both[1] > 300, "{both:?}");
}

#[test]
fn the_largest_boards_are_judged_at_once() {
    let big = |rows, cols| plain(rows, cols);
    assert_eq!(check_board(&Request::closed(big(46_339, 46_339))).unwrap().code, Code::Colour);
    assert_eq!(check_board(&Request::closed(big(4, 1 << 29))).unwrap().code, Code::Schwenk);
    assert_eq!(check_board(&Request::open(big(2, 1 << 30))).unwrap().code, Code::CullDeCurtins);
    assert_eq!(check_board(&Request::open(big(1, 1 << 31))).unwrap().code, Code::CullDeCurtins);
    let inner = Request::open(big(4, 1 << 29)).with_start(1 << 30).unwrap();
    assert_eq!(check_board(&inner).unwrap().code, Code::FourRows);
    let wide = Request::open(big(46_339, 46_339)).with_start(1).unwrap();
    assert_eq!(check_board(&wide).unwrap().code, Code::Colour);
    let leaper = Board::build(1 << 16, 1 << 15, [], Leaper::new(u32::MAX, u32::MAX - 1), Wrap::None).unwrap();
    assert_eq!(check_board(&Request::open(leaper)).unwrap().code, Code::Leaper);
    assert!(check_board(&Request::open(big(1 << 16, 1 << 15))).is_none());
    assert!(check_board(&Request::closed(big(1 << 16, 1 << 15))).is_none());
}

/// Cases 6, 11, 17, 21 to 24 of cases.csv.
#[test]
fn known_cases() {
    let open = |rows, cols| Request::open(plain(rows, cols));
    // 6: 5x5 from (0, 1) is of the wrong colour.
    let wrong = reason(&open(5, 5).with_start(1).unwrap()).unwrap();
    assert_eq!((wrong.code.name(), wrong.squares), ("colour", vec![1]));
    assert!(wrong.text.contains("b5") && wrong.text.contains("12") && wrong.text.contains("13"), "{}", wrong.text);
    // 11: on 7x7 the 24 squares of one colour are no starts.
    let ruled_out = (0..49).filter(|&s| check_board(&open(7, 7).with_start(s).unwrap()).is_some());
    assert_eq!(ruled_out.collect::<Vec<_>>(), (0..49).filter(|s| s % 2 == 1).collect::<Vec<_>>());
    // 17: 3x10 and 3x12 have closed tours.
    for cols in [10, 12] {
        assert_eq!(reason(&Request::closed(plain(3, cols))), None);
    }
    // 21: 5x5 closed.
    let odd = reason(&Request::closed(plain(5, 5))).unwrap();
    assert!(odd.code == Code::Colour && odd.text.contains("25"), "{}", odd.text);
    // 22: 4x4 from each square, and closed.
    assert!((0..16).all(|s| check_board(&open(4, 4).with_start(s).unwrap()).is_some()));
    assert_eq!(code(&Request::closed(plain(4, 4))), Some("schwenk"));
    // 23: proven at once.
    for (rows, cols) in [(3, 3), (3, 5), (3, 6), (2, 8), (1, 5)] {
        assert!(check_board(&open(rows, cols)).is_some());
        assert!(check_board(&open(cols, rows)).is_some());
    }
    // 24: all 8 squares of 3x3 without its centre can start.
    let ring = knight("...\n.#.\n...");
    for start in ring.open_squares() {
        assert_eq!(reason(&Request::open(ring.clone()).with_start(start).unwrap()), None);
    }
}

/// How many squares an open tour can start on (published: 6, 10, 12, 14, 13, all of 5x6 and 6x6),
/// against the squares that the theorems leave; those are all of them on 3x4 and wherever a side is
/// 4 or both at least 5.
#[test]
fn starts_are_narrowed_to_the_published_ones() {
    for (rows, cols, starts) in [(3, 4, 6), (4, 5, 10), (4, 6, 12), (7, 4, 14), (5, 5, 13), (5, 6, 30), (6, 6, 36)] {
        let request = Request::open(plain(rows, cols));
        let ends = narrow_ends(&request, &Graph::new(&request));
        assert_eq!((ends.starts.count(), ends.ends.count()), (starts, starts), "{rows}x{cols}");
        let possible = |s: &u32| reason(&Request::open(plain(rows, cols)).with_start(*s).unwrap()).is_none();
        assert_eq!((0..rows * cols).filter(possible).count(), starts, "{rows}x{cols}");
    }
    // With the start given, the end has the other colour on an even board.
    let request = Request::open(plain(6, 6)).with_start(0).unwrap();
    let ends = narrow_ends(&request, &Graph::new(&request)).ends;
    assert_eq!((ends.count(), ends.contains(1), ends.contains(2)), (18, true, false));
}

#[test]
fn codes_are_named_once_and_listed_in_order() {
    assert!(Code::ALL.is_sorted());
    let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.last(), Some(&"exhausted"));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
    assert!(names.iter().all(|name| name.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())));
}

/// Open tours of a leaper on a plain rectangle.
fn leaper_board(a: u32, b: u32, rows: u32, cols: u32) -> Request {
    Request::open(Board::build(rows, cols, [], Leaper::new(a, b), Wrap::None).unwrap())
}

/// Moves to use that go round two by two squares, or all but the last of them.
fn around_four_squares(all: bool) -> Request {
    let request = leaper_board(0, 1, 4, 4).with_included(0, 1).and_then(|r| r.with_included(1, 5)).unwrap();
    let request = request.with_included(5, 4).unwrap();
    if all { request.with_included(4, 0).unwrap() } else { request }
}

/// A wazir on 2x3 that starts by going right and finishes on `end`.
fn from_the_corner(end: u32) -> Request {
    leaper_board(0, 1, 2, 3).with_start(0).and_then(|r| r.with_included(0, 1)).and_then(|r| r.with_end(end)).unwrap()
}

/// A (1, 1)-leaper on the squares of one colour of 5x7, one of them blocked; its moves alternate
/// between rows.
fn diagonals(hole: (u32, u32)) -> Request {
    let blocked = (0..35).filter(|s| (s / 7 + s % 7) % 2 == 0 || (s / 7, s % 7) == hole);
    Request::open(Board::build(5, 7, blocked, Leaper::new(1, 1), Wrap::None).unwrap())
}

/// Each code has a request that needs it, and one close to it that has a tour.
#[test]
fn each_code_has_a_board_that_needs_it_and_one_that_nearly_does() {
    let open = |picture: &str| Request::open(knight(picture));
    let closed = |picture: &str| Request::closed(knight(picture));
    let wazir_on = |picture| Request::open(Board::parse(picture, Leaper::new(0, 1), Wrap::None).unwrap());
    let free = || Request::open(plain(3, 4));
    let tour = brute::first(&free(), 1_000_000).unwrap().unwrap();
    let wazir = |rows, cols| leaper_board(0, 1, rows, cols).board().clone();
    let cases: Vec<(&str, Request, Request)> = vec![
        ("too-small", Request::closed(wazir(1, 2)), Request::closed(wazir(2, 2))),
        ("steps", free().with_start(tour[0]).and_then(|r| r.with_step(tour[1], 0)).unwrap(), {
            free().with_start(tour[0]).and_then(|r| r.with_step(tour[1], 1)).unwrap()
        }),
        // Squares two moves apart at neighbouring steps.
        ("steps", free().with_step(tour[4], 4).and_then(|r| r.with_step(tour[6], 5)).unwrap(), {
            free().with_step(tour[4], 4).and_then(|r| r.with_step(tour[5], 5)).unwrap()
        }),
        (
            "included-excluded",
            free().with_included(tour[0], tour[1]).and_then(|r| r.with_excluded(tour[1], tour[0])).unwrap(),
            free().with_included(tour[0], tour[1]).unwrap(),
        ),
        (
            "too-many-included",
            open("....\n....\n....\n....\n....")
                .with_included(9, 0)
                .unwrap()
                .with_included(9, 2)
                .unwrap()
                .with_included(9, 16)
                .unwrap(),
            open("....\n....\n....\n....\n....").with_included(9, 0).unwrap().with_included(9, 2).unwrap(),
        ),
        (
            "too-many-included",
            free()
                .with_start(tour[1])
                .unwrap()
                .with_included(tour[0], tour[1])
                .unwrap()
                .with_included(tour[1], tour[2])
                .unwrap(),
            free()
                .with_start(tour[0])
                .unwrap()
                .with_included(tour[0], tour[1])
                .unwrap()
                .with_included(tour[1], tour[2])
                .unwrap(),
        ),
        // Two by two squares of a wazir are a cycle of the moves to use.
        ("included-cycle", around_four_squares(true), around_four_squares(false)),
        ("ends-joined", from_the_corner(1), from_the_corner(3)),
        (
            "colour",
            Request::open(plain(5, 5)).with_start(1).unwrap(),
            Request::open(plain(5, 5)).with_start(2).unwrap(),
        ),
        ("colour", closed("..........\n..........\n.........#"), closed("..........\n..........\n..........")),
        ("schwenk", Request::closed(plain(3, 8)), Request::closed(plain(3, 10))),
        ("cull-de-curtins", Request::open(plain(3, 6)), Request::open(plain(3, 7))),
        ("four-rows", Request::open(plain(4, 5)).with_end(6).unwrap(), Request::open(plain(4, 5)).with_end(1).unwrap()),
        ("leaper", leaper_board(1, 3, 4, 4), leaper_board(0, 1, 4, 4)),
        ("leaper", leaper_board(2, 2, 3, 3), leaper_board(0, 1, 3, 3)),
        ("too-few-moves", open("...\n##.\n#.."), open("...\n.#.\n#..")),
        ("too-few-moves", closed("...\n##.\n#.."), closed("...\n.#.\n...")),
        ("pieces", open("#.##\n###.\n.##.\n#..#"), open("#.##\n#.#.\n.##.\n#..#")),
        ("pieces", closed("...##...\n.#.##.#.\n...##..."), closed("...##\n.#.##\n...##")),
        ("graph-colour", diagonals((1, 0)), diagonals((0, 3))),
        ("cut", open("#.#.\n.##.\n.#.#\n##.#"), open("#.##\n.##.\n.#.#\n##.#")),
        ("cut", closed("#.##.\n##..#\n.#..#\n#..#."), closed("####.\n.#..#\n.#..#\n#..#.")),
        // Two parts that meet in c2, each with one end.
        (
            "cut",
            wazir_on("...#\n...#\n....\n##..").with_start(10).unwrap(),
            wazir_on("...#\n...#\n....\n##..").with_start(11).unwrap(),
        ),
        ("forced", open("....\n.##.\n#..#"), open("#...\n.##.\n#..#")),
        ("forced", closed("..##\n##..\n..##\n##.."), closed("####\n##..\n..##\n##..")),
        ("shortage", open(".....\n.#.##\n....."), open(".....\n##.##\n.....")),
        ("shortage", closed("#..#\n....\n...#\n....\n....\n...#"), closed("#.##\n#...\n...#\n....\n....\n...#")),
    ];
    for (at, (expected, none, near)) in cases.iter().enumerate() {
        let why = reason(none).unwrap_or_else(|| panic!("case {at}, {expected}: no reason for {none:?}"));
        println!("{}: {}", why.code, why.text);
        assert_eq!(why.code.name(), *expected, "case {at}: {}", why.text);
        assert!(why.squares.iter().all(|&s| none.board().is_open(s)) && why.squares.len() <= 16, "case {at}");
        assert_eq!(brute::first(none, 10_000_000), Some(None), "case {at}: {none:?}");
        let tour = brute::first(near, 10_000_000).unwrap();
        allows(near, &tour.unwrap_or_else(|| panic!("case {at}: no tour of {near:?}")));
    }
    let shown: std::collections::HashSet<&str> = cases.iter().map(|case| case.0).collect();
    // The last two are no matter of the board: what symmetry forbids, and what a search found out.
    let others = [Code::Symmetry, Code::Exhausted];
    assert!(Code::ALL.iter().all(|code| others.contains(code) || shown.contains(code.name())), "{shown:?}");
}

#[test]
fn an_examination_can_be_stopped_and_goes_on() {
    let request = Request::closed(knight("#..#\n....\n...#\n....\n....\n...#"));
    let graph = Graph::new(&request);
    let cancel = Cancel::default();
    let stopped = Budget::unlimited().with_cancel(Some(cancel.clone()));
    let mut examination = Examination::new(&request, &graph);
    cancel.cancel();
    assert_eq!(examination.run(&request, &graph, &stopped), Err(Pause::Limit(Limit::Cancelled)));
    let budget = Budget::unlimited();
    for _ in 0..2 {
        let reason = examination.run(&request, &graph, &budget).unwrap().unwrap_err();
        assert_eq!(Some(reason), check_graph(&request, &graph));
    }
    assert_eq!(budget.spent(), 0);
    let request = Request::open(knight("....#\n.....\n....."));
    let graph = Graph::new(&request);
    let mut examination = Examination::new(&request, &graph);
    for _ in 0..2 {
        assert_eq!(examination.run(&request, &graph, &budget), Ok(examine(&request, &graph)));
    }
}

/// On a long path of squares every move follows from its neighbour, and every square but two is a
/// cut square.
#[test]
fn long_boards_need_no_deep_stack() {
    let length = 300_000;
    let line = Board::build(1, length, [], Leaper::new(0, 1), Wrap::None).unwrap();
    let open = Request::open(line.clone());
    assert_eq!(reason(&open), None);
    let ends = narrow_ends(&open, &Graph::new(&open));
    assert_eq!(ends.starts.iter().collect::<Vec<_>>(), [0, length - 1]);
    assert_eq!(ends.ends.iter().collect::<Vec<_>>(), [0, length - 1]);
    assert_eq!(code(&Request::open(line).with_start(6).unwrap()), Some("too-few-moves"));
    let round = Board::build(1, length, [], Leaper::new(0, 1), Wrap::Cols).unwrap();
    assert_eq!(reason(&Request::closed(round.clone())), None);
    assert_eq!(code(&Request::closed(round).with_excluded(7, 8).unwrap()), Some("too-few-moves"));
}

/// A wazir on three by three squares, whose middle row is no way from top to bottom: without its two outer squares there are
/// three pieces.
fn three_lanes() -> Request {
    leaper_board(0, 1, 3, 3).with_all_excluded([(1, 4), (4, 7)]).unwrap()
}

/// A wazir in two rooms of 4 x 3 squares with doors in two rows of the wall between them.
fn rooms(doors: [u32; 2], closed: bool) -> Request {
    let board = Board::build(4, 6, [], Leaper::new(0, 1), Wrap::None).unwrap();
    let wall: Vec<(u32, u32)> =
        (0..4).filter(|row| !doors.contains(row)).map(|row| (6 * row + 2, 6 * row + 3)).collect();
    let request = if closed { Request::closed(board) } else { Request::open(board) };
    request.with_all_excluded(wall).unwrap()
}

/// What a pair of squares tells, with nothing else known; each on a board that needs it, and on one that nearly does.
#[test]
fn pairs_of_squares_that_cut_a_board() {
    let open = |picture: &str| Request::open(knight(picture));
    let closed = |picture: &str| Request::closed(knight(picture));
    let from_to =
        |request: Request, start: u32, end: u32| request.with_start(start).and_then(|r| r.with_end(end)).unwrap();
    let cases: Vec<(&str, Request, Request)> = vec![
        (
            "so it visits at most 2 pieces",
            closed(".....#\n#.....\n..#...\n.#....\n......"),
            closed("......\n......\n......\n......\n......"),
        ),
        ("so it visits at most 3 pieces", open("#...\n..#.\n.#..\n...#"), open("#...\n....\n.#..\n...#")),
        ("two of them can hold no end", from_to(three_lanes(), 0, 2), from_to(three_lanes(), 0, 8)),
        ("a tour must cross one of them from one square to the other", rooms([0, 2], true), rooms([0, 1], true)),
        (
            "so a tour cannot change colour with every move there",
            from_to(rooms([0, 2], false), 4, 5),
            from_to(rooms([0, 1], false), 4, 5),
        ),
        (
            "but their colours and the ends do not allow that",
            Request::open(Board::parse("...\n...\n...\n#.#", Leaper::new(0, 1), Wrap::None).unwrap())
                .with_all_excluded([(1, 4), (4, 7)])
                .unwrap(),
            three_lanes(),
        ),
    ];
    for (at, (text, none, near)) in cases.iter().enumerate() {
        let graph = Graph::new(none);
        // Among all moves, or among those that are left by the other theorems.
        let all = Examination::new(none, &graph);
        let mut left = all.clone();
        let _ = left.run(none, &graph, &Budget::unlimited()).unwrap();
        let tell = |look: &Examination| look.pairs().advance(none, &graph, &Budget::unlimited()).unwrap();
        let look = if tell(&all).is_some() { all } else { left };
        let why = tell(&look).unwrap_or_else(|| panic!("case {at}: no reason for {none:?}"));
        println!("{}", why.text);
        assert!(why.code == Code::Cut && why.text.contains(text) && why.squares.len() == 2, "case {at}: {}", why.text);
        assert_eq!(brute::first(none, 50_000_000), Some(None), "case {at}: {none:?}");
        let tour = brute::first(near, 50_000_000).unwrap();
        allows(near, &tour.unwrap_or_else(|| panic!("case {at}: no tour of {near:?}")));
        // Bit by bit it says the same.
        let mut bits = look.pairs();
        let budget = || Budget::new(Limits { nodes: Some(1), ..Limits::default() });
        let again = std::iter::repeat_with(|| bits.advance(none, &graph, &budget())).find_map(Result::ok).unwrap();
        assert_eq!(again, Some(why), "case {at}");
    }
}

#[test]
fn theorems_are_gone_on_with_where_they_paused() {
    let mut rng = Rng::seeded(21);
    let (mut refused, mut paused) = (0, 0);
    for at in 0..120 {
        let (rows, cols) = (8 + rng.below(20) as u32, 8 + rng.below(20) as u32);
        let holes = rng.below(u64::from(rows * cols) / 8);
        let blocked: Vec<u32> = (0..holes).map(|_| rng.below(u64::from(rows * cols)) as u32).collect();
        let Ok(board) = Board::build(rows, cols, blocked, Leaper::KNIGHT, Wrap::None) else { continue };
        let request = if at % 2 == 0 { Request::closed(board) } else { Request::open(board) };
        let graph = Graph::new(&request);
        let whole = examine(&request, &graph);
        let mut examination = Examination::new(&request, &graph);
        let mut length = 0;
        let sliced = loop {
            let mut budget = Budget::unlimited();
            budget.begin_slice(std::time::Duration::from_micros(length));
            match examination.run(&request, &graph, &budget) {
                Ok(answer) => break answer,
                Err(why) => assert_eq!(why, Pause::Slice),
            }
            (length, paused) = (length + 1, paused + 1);
        };
        assert_eq!(sliced, whole, "{request:?}");
        refused += u32::from(whole.is_err());
    }
    assert!(refused > 20 && refused < 110 && paused >= 120, "{refused} {paused}");
}
