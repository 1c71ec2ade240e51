//! Measures of tours, against definitions taken at their word.

use std::f64::consts::PI;

use knightstour::answers::{Find, FindOptions, Outcome};
use knightstour::board::measures::{Column, Crossings, Geometry, Sums, Table, crossings};
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Leaper, Pause, Request, Tour, Wrap};

fn tour(board: &Board, closed: bool, seed: u64) -> Option<Tour> {
    let request = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
    let options = FindOptions { seed: Some(seed), ..FindOptions::default() };
    let limits = knightstour::Limits { nodes: Some(200_000), ..Default::default() };
    match Find::new(request, options).unwrap().advance(&Budget::new(limits)) {
        Ok(Outcome::Found(tour)) => Some(tour),
        _ => None,
    }
}

/// The move between two squares, where joined edges have all its images; the shortest is meant.
fn delta(board: &Board, from: u32, to: u32) -> (i64, i64) {
    let (from, to) = (board.square(from), board.square(to));
    let images = |from: u32, to: u32, side: u32, joined: bool| {
        let way = i64::from(to) - i64::from(from);
        let side = if joined { i64::from(side) } else { 0 };
        [way - side, way, way + side].into_iter().min_by_key(|way| way.abs()).unwrap()
    };
    (
        images(from.row, to.row, board.rows(), board.wrap().joins_rows()),
        images(from.col, to.col, board.cols(), board.wrap().joins_cols()),
    )
}

fn moves(tour: &Tour) -> Vec<((i64, i64), (i64, i64))> {
    let squares = tour.squares();
    let count = squares.len() - usize::from(!tour.is_closed());
    let pair = |step: usize| (squares[step], squares[(step + 1) % squares.len()]);
    let place = |number| {
        let square = tour.board().square(number);
        (i64::from(square.row), i64::from(square.col))
    };
    (0..count).map(pair).map(|(from, to)| (place(from), delta(tour.board(), from, to))).collect()
}

/// Every pair of moves, with all images of the second that could be near.
fn crossings_by_pairs(tour: &Tour) -> u64 {
    let board = tour.board();
    let images = |side: u32, joined: bool| if joined { vec![-i64::from(side), 0, i64::from(side)] } else { vec![0] };
    let side =
        |a: (i64, i64), b: (i64, i64), p: (i64, i64)| ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).signum();
    let moves = moves(tour);
    let mut found = 0;
    for (i, &(a, by)) in moves.iter().enumerate() {
        let b = (a.0 + by.0, a.1 + by.1);
        for &(c, by) in &moves[i + 1..] {
            for down in images(board.rows(), board.wrap().joins_rows()) {
                for right in images(board.cols(), board.wrap().joins_cols()) {
                    let c = (c.0 + down, c.1 + right);
                    let d = (c.0 + by.0, c.1 + by.1);
                    let apart = side(a, b, c) * side(a, b, d) == -1 && side(c, d, a) * side(c, d, b) == -1;
                    found += u64::from(apart);
                }
            }
        }
    }
    found
}

#[test]
fn turns_angles_and_slopes_by_their_definitions() {
    for (board, closed) in boards() {
        let Some(tour) = tour(&board, closed, 3) else { continue };
        let geometry = Geometry::new(&board).unwrap();
        let shape = geometry.shape(tour.squares(), closed);
        let moves = moves(&tour);
        let mut turns = 0;
        let mut angles = vec![0; geometry.angles().len()];
        for step in usize::from(!closed)..moves.len() {
            let before = moves[(step + moves.len() - 1) % moves.len()].1;
            let after = moves[step].1;
            turns += u64::from(before != after);
            let way = |(down, right): (i64, i64)| (down as f64).atan2(right as f64);
            let mut angle = (way((-before.0, -before.1)) - way(after)).abs();
            if angle > PI {
                angle = 2.0 * PI - angle;
            }
            let near = geometry.angles().iter().position(|known| (known - angle.to_degrees()).abs() < 0.006);
            angles[near.unwrap()] += 1;
        }
        assert_eq!((shape.turns, shape.angles), (turns, angles), "{board:?}");
        let slope = |&(down, right): &(i64, i64)| {
            moves.iter().filter(|(_, by)| *by == (down, right) || *by == (-down, -right)).count() as u64
        };
        assert_eq!(shape.slopes, geometry.slopes().iter().map(slope).collect::<Vec<_>>());
    }
}

#[test]
fn crossings_by_all_pairs() {
    let mut seen = 0;
    for (board, closed) in boards() {
        for seed in 0..3 {
            let Some(tour) = tour(&board, closed, seed) else { continue };
            assert_eq!(crossings(&tour).unwrap(), crossings_by_pairs(&tour), "{board:?}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

fn boards() -> Vec<(Board, bool)> {
    let knight = Leaper::KNIGHT;
    let mut boards = Vec::new();
    for (rows, cols) in [(1, 1), (3, 4), (5, 5), (3, 10), (6, 6), (8, 8), (10, 17), (23, 12)] {
        boards.push(Board::new(rows, cols).unwrap());
    }
    for (rows, cols, leaper) in [
        (10, 10, Leaper::new(2, 3)),
        (11, 10, Leaper::new(1, 4)),
        (5, 6, Leaper::new(0, 1)),
        (14, 14, Leaper::new(2, 5)),
    ] {
        boards.push(Board::build(rows, cols, [], leaper, Wrap::None).unwrap());
    }
    for wrap in [Wrap::Cols, Wrap::Rows, Wrap::Both] {
        for (rows, cols) in [(5, 5), (6, 7), (8, 8), (5, 12)] {
            boards.push(Board::build(rows, cols, [], knight, wrap).unwrap());
        }
        boards.push(Board::build(9, 8, [], Leaper::new(2, 3), wrap).unwrap());
        // A king that moves along one axis or both: its moves may lie along one line.
        boards.push(Board::build(7, 9, [], Leaper::new(0, 3), wrap).unwrap());
        boards.push(Board::build(9, 9, [], Leaper::new(2, 4), wrap).unwrap());
    }
    let mut rng = Rng::seeded(7);
    for _ in 0..12 {
        let holes: Vec<u32> = (0..4).map(|_| rng.below(64) as u32).collect();
        boards.push(Board::build(8, 8, holes, knight, Wrap::None).unwrap());
    }
    boards
        .into_iter()
        .filter(|board| Geometry::new(board).is_ok())
        .flat_map(|b| [(b.clone(), false), (b, true)])
        .collect()
}

#[test]
fn short_joined_sides_have_no_definite_directions() {
    let board = Board::build(4, 9, [], Leaper::KNIGHT, Wrap::Both).unwrap();
    let message = Geometry::new(&board).unwrap_err().to_string();
    assert!(message.contains("more than 4 squares") && message.contains("4x9"), "{message}");
    assert!(Geometry::new(&Board::build(4, 9, [], Leaper::KNIGHT, Wrap::Cols).unwrap()).is_ok());
}

#[test]
fn a_known_magic_square() {
    // William Beverley, 1848: the first semimagic tour; its diagonals sum to 210 and 282.
    let text = "1 30 47 52 5 28 43 54\n48 51 2 29 44 53 6 27\n31 46 49 4 25 8 55 42\n50 3 32 45 56 41 26 7\n\
                33 62 15 20 9 24 39 58\n16 19 34 61 40 57 10 23\n63 14 17 36 21 12 59 38\n18 35 64 13 60 37 22 11";
    let tour = Tour::parse(text, None).unwrap();
    let sums = Sums::new(tour.board(), tour.squares());
    assert_eq!((sums.rows.clone(), sums.cols.clone()), (vec![260; 8], vec![260; 8]));
    assert!(sums.is_semimagic() && !sums.is_magic());
    let small = Tour::parse("1", None).unwrap();
    assert!(Sums::new(small.board(), small.squares()).is_magic());
    // Numbers alone decide: a magic square of order 4 in place of a tour.
    let board = Board::new(4, 4).unwrap();
    let square = [[16, 3, 2, 13], [5, 10, 11, 8], [9, 6, 7, 12], [4, 15, 14, 1]];
    let mut order = vec![0; 16];
    for (place, number) in square.iter().flatten().enumerate() {
        order[*number as usize - 1] = place as u32;
    }
    let sums = Sums::new(&board, &order);
    assert!(sums.is_magic() && sums.diagonals == Some([34, 34]));
}

#[test]
fn many_tours_are_measured_as_each_alone() {
    let board = Board::new(6, 6).unwrap();
    let tours: Vec<Tour> = (0..20).filter_map(|seed| tour(&board, true, seed)).collect();
    let numbers: Vec<u32> = tours.iter().flat_map(|tour| tour.squares()).copied().collect();
    let mut table = Table::new(&board, true, numbers.clone(), Column::ALL.to_vec()).unwrap();
    assert_eq!(table.advance(&Budget::unlimited()), Ok(Ok(())));
    assert_eq!(table.done(), 20);
    let geometry = Geometry::new(&board).unwrap();
    for (column, width, values) in table.into_values() {
        let expected: Vec<u64> = tours
            .iter()
            .flat_map(|tour| {
                let shape = geometry.shape(tour.squares(), true);
                let sums = Sums::new(&board, tour.squares());
                match column {
                    Column::Turns => vec![shape.turns],
                    Column::Angles => shape.angles,
                    Column::Slopes => shape.slopes,
                    Column::Crossings => vec![crossings(tour).unwrap()],
                    Column::RowSums => sums.rows,
                    Column::ColumnSums => sums.cols,
                    Column::IsSemimagic => vec![sums.is_semimagic().into()],
                    Column::IsMagic => vec![sums.is_magic().into()],
                }
            })
            .collect();
        assert_eq!(values, expected, "{column:?}");
        assert_eq!(values.len(), 20 * width);
    }
    let mut wrong = numbers;
    wrong.swap(36 * 7 + 3, 36 * 7 + 4);
    let mut table = Table::new(&board, true, wrong, vec![Column::Turns]).unwrap();
    let fault = table.advance(&Budget::unlimited()).unwrap().unwrap_err();
    assert_eq!((fault.row, fault.fault.step), (7, Some(3)));
}

#[test]
fn counting_crossings_pauses_and_goes_on() {
    let board = Board::new(50, 50).unwrap();
    let tour = tour(&board, true, 0).unwrap();
    let mut counting = Crossings::new(&Geometry::new(&board).unwrap());
    let whole = counting.count(tour.squares(), true);
    let mut budget = Budget::unlimited();
    let (mut pauses, mut nodes) = (0, 0);
    loop {
        let part = budget.part(100);
        match counting.advance(tour.squares(), true, &part) {
            Ok(count) => {
                assert_eq!(count, whole);
                break;
            }
            Err(Pause::Limit(_)) => pauses += 1,
            Err(pause) => panic!("{pause:?}"),
        }
        nodes += part.spent();
        budget = Budget::unlimited();
    }
    assert!(pauses > 100 && nodes < 2500 * 60, "{pauses} {nodes}");
}
