//! How fast tours are listed, the best of a few rounds: a name, the tours, the seconds.
//!
//! cargo bench --bench listing

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use knightstour::answers::{Filled, List};
use knightstour::{Board, Budget, EdgeForcing, Graph, Request};

fn main() {
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    let free = |request: &Request| EdgeForcing::new(Arc::new(Graph::new(request)), &Budget::unlimited()).unwrap();
    let closed = Request::closed(board(6, 6));
    best("closed 6x6", 25, || {
        let mut tours = 0;
        free(&closed).visit(&Budget::unlimited(), |path| count(path, &mut tours, u64::MAX));
        tours
    });
    let wide = Request::closed(board(6, 8));
    best("first closed 6x8", 3, || {
        let mut tours = 0;
        free(&wide).visit(&Budget::unlimited(), |path| count(path, &mut tours, 10_000_000));
        tours
    });
    let open = Request::open(board(6, 6));
    best("open 6x6, undirected", 5, || {
        let mut tours = 0;
        free(&open).visit(&Budget::unlimited(), |path| {
            // Each tour is followed by its reverse.
            if path[0] < path[35] { count(path, &mut tours, u64::MAX) } else { ControlFlow::Continue(()) }
        });
        tours
    });
    best("open 6x6 in batches, each checked", 3, || {
        let mut list = List::new(open.clone());
        let (mut rows, mut tours) = (Vec::new(), 0);
        loop {
            rows.clear();
            let filled = list.fill(&mut rows, 1 << 16, &Budget::unlimited());
            tours += rows.len() as u64 / 36;
            if filled == Filled::End {
                return tours;
            }
        }
    });
}

/// Counts a tour that was written out, up to a number of them.
fn count(path: &[u32], tours: &mut u64, most: u64) -> ControlFlow<()> {
    std::hint::black_box(path);
    *tours += 1;
    if *tours < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

fn best(name: &str, rounds: u32, list: impl Fn() -> u64) {
    let mut seconds = f64::INFINITY;
    let mut tours = 0;
    for _ in 0..rounds {
        let began = Instant::now();
        tours = list();
        seconds = seconds.min(began.elapsed().as_secs_f64());
    }
    println!("{name}\t{tours}\t{seconds:.6}");
}
