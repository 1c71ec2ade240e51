//! [`Graph`]: how a request becomes one, and what it tells of its vertices and edges.

use super::{VertexSet, two_colours};
use crate::board::Board;
use crate::board::moves::Wrap;
use crate::request::Request;
use crate::run::{Budget, NO_MACHINE, Pause, Watch};

/// The two colour classes of a connected two-coloured graph.
#[derive(Clone, Debug)]
pub struct Colouring {
    /// The vertices with the colour of vertex 0.
    pub first: VertexSet,
    /// How many those are.
    pub first_count: usize,
    /// How many the others are.
    pub second_count: usize,
}

/// The rectangle on which the vertices of a graph are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Its rows.
    pub rows: u32,
    /// Its columns.
    pub cols: u32,
    /// Whether edges lead round it.
    pub is_round: bool,
}

impl Drawing {
    fn of(board: &Board) -> Drawing {
        Drawing { rows: board.rows(), cols: board.cols(), is_round: board.wrap() != Wrap::None }
    }
}

/// A request as a graph.
#[derive(Clone, Debug)]
pub struct Graph {
    closed: bool,
    drawing: Drawing,
    /// Square number of each vertex; empty where the two are the same.
    squares: Vec<u32>,
    /// The neighbours of vertex v are `targets[offsets[v] .. offsets[v + 1]]`, rising.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    start: Option<u32>,
    end: Option<u32>,
    starts: VertexSet,
    ends: VertexSet,
    /// Edges that must be used, both ways round, sorted.
    required: Vec<(u32, u32)>,
    /// (step, vertex), sorted.
    steps: Vec<(u32, u32)>,
    /// Whether only some of the ends that the request allows are.
    is_part: bool,
    /// For each arc how many parallel edges it stands for, even ones and odd ones; empty: one even edge each.
    parallel: Vec<[u8; 2]>,
    /// Whether a cycle must have an odd number of odd edges, if that matters.
    parity: Option<bool>,
}

/// What [`Graph::of_parts`] makes a graph of.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Whether cycles are asked for.
    pub closed: bool,
    /// On what it is drawn.
    pub drawing: Drawing,
    /// The square at which each vertex is drawn, rising.
    pub squares: Vec<u32>,
    /// The neighbours of each vertex, rising, each with its parallel edges: even ones and odd ones.
    pub neighbours: Vec<Vec<(u32, [u8; 2])>>,
    /// Whether a cycle must have an odd number of odd edges, if that matters.
    pub parity: Option<bool>,
    /// The vertices on which a path may start.
    pub starts: VertexSet,
    /// The vertices on which a path may end.
    pub ends: VertexSet,
    /// Edges that must be used, each both ways round.
    pub required: Vec<(u32, u32)>,
    /// Vertices to visit at given steps, as (step, vertex).
    pub steps: Vec<(u32, u32)>,
}

impl Graph {
    /// The most vertices that a graph has. With up to eight moves from each, and an edge to each of two apexes that an
    /// engine may add, both ways round, the numbers of arcs are of 32 bits.
    pub const MOST: usize = 1 << 28;

    /// Bytes that building and keeping the graph of a request takes, from above; [`NO_MACHINE`] for more vertices than
    /// a graph has.
    #[must_use]
    pub fn bytes(request: &Request) -> u64 {
        let board = request.board();
        if board.len() > Graph::MOST {
            return NO_MACHINE;
        }
        // Where there are holes, a table of all squares is needed for a moment.
        let table = if board.is_rectangle() { 0 } else { 4 * board.squares() };
        // At most eight targets, an offset, a square number and two bits a vertex.
        board.len() as u64 * (8 * 4 + 4 + 4 + 1) + table
    }

    /// Builds the graph. Cost: linear in the board; memory [`Graph::bytes`]. [`Building`] pauses on the way.
    #[must_use]
    pub fn new(request: &Request) -> Graph {
        let mut building = Building::new(request);
        building.add(request, || Ok(())).unwrap_or_else(|pause| unreachable!("nothing paused it: {pause:?}"));
        building.finish(request)
    }

    /// A graph of its parts: one that is not a request's, with several edges between two vertices perhaps.
    pub(crate) fn of_parts(parts: Parts) -> Graph {
        let mut offsets = vec![0];
        let (mut targets, mut parallel) = (Vec::new(), Vec::new());
        for list in &parts.neighbours {
            targets.extend(list.iter().map(|&(to, _)| to));
            parallel.extend(list.iter().map(|&(_, edges)| edges));
            offsets.push(targets.len() as u32);
        }
        let Parts { closed, drawing, squares, parity, starts, ends, mut required, mut steps, .. } = parts;
        required.sort_unstable();
        required.dedup();
        steps.sort_unstable();
        let single = |set: &VertexSet| if set.count() == 1 { set.iter().next() } else { None };
        let (start, end) = if closed { (None, None) } else { (single(&starts), single(&ends)) };
        let is_part = false;
        Graph {
            closed,
            drawing,
            squares,
            offsets,
            targets,
            start,
            end,
            starts,
            ends,
            required,
            steps,
            parallel,
            parity,
            is_part,
        }
    }

    /// The graph of those open tours that start on one of some squares and end on one of some: a part of a collection.
    #[must_use]
    pub fn with_ends_among(mut self, starts: &[u32], ends: &[u32]) -> Graph {
        for (set, squares) in [(&mut self.starts, starts), (&mut self.ends, ends)] {
            let mut among = VertexSet::empty(self.offsets.len() - 1);
            for &square in squares {
                among.add(match &self.squares[..] {
                    [] => square,
                    list => list.partition_point(|&s| s < square) as u32,
                });
            }
            *set = set.and(&among);
        }
        self.is_part = true;
        self
    }

    /// The request as bytes, stable across versions, and what [`Graph::with_ends_among`] made of it.
    #[must_use]
    pub fn encode(&self, request: &Request) -> Vec<u8> {
        let mut bytes = request.encode();
        if self.is_part {
            bytes.extend(b"between");
            bytes.extend([&self.starts, &self.ends].iter().flat_map(|set| set.words()).flat_map(|w| w.to_le_bytes()));
        }
        bytes
    }

    /// Whether cycles are asked for.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The rectangle on which the vertices are drawn.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.drawing
    }

    /// Number of vertices, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a board is never empty")]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Neighbours of a vertex, rising.
    #[must_use]
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let (from, upto) = (self.offsets[vertex as usize], self.offsets[vertex as usize + 1]);
        &self.targets[from as usize..upto as usize]
    }

    /// The numbers of the arcs (edges one way round) from a vertex: one for each neighbour, in the same
    /// order. All arcs are numbered from 0, vertex by vertex.
    #[must_use]
    #[inline]
    pub fn arcs(&self, vertex: u32) -> std::ops::Range<u32> {
        self.offsets[vertex as usize]..self.offsets[vertex as usize + 1]
    }

    /// Number of arcs: twice that of the edges.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.targets.len()
    }

    /// Whether two vertices are joined.
    #[must_use]
    pub fn is_edge(&self, a: u32, b: u32) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// How many parallel edges an arc stands for, even ones and odd ones. Graphs of requests have one even edge
    /// each, and engines that find paths and cycles may take it for one; those that count must not.
    #[must_use]
    pub fn parallel(&self, arc: u32) -> [u8; 2] {
        if self.parallel.is_empty() { [1, 0] } else { self.parallel[arc as usize] }
    }

    /// Whether a cycle must have an odd number of odd edges (`Some(true)`), if that matters.
    #[must_use]
    pub fn parity(&self) -> Option<bool> {
        self.parity
    }

    /// The square number of a vertex.
    #[must_use]
    #[inline]
    pub fn square(&self, vertex: u32) -> u32 {
        if self.squares.is_empty() { vertex } else { self.squares[vertex as usize] }
    }

    /// The vertex of an open square.
    #[must_use]
    pub fn vertex(&self, square: u32) -> u32 {
        if self.squares.is_empty() { square } else { self.squares.partition_point(|&s| s < square) as u32 }
    }

    /// The vertex of a square, if it has one.
    #[must_use]
    pub fn find(&self, square: u32) -> Option<u32> {
        let vertex = self.vertex(square);
        ((vertex as usize) < self.len() && self.square(vertex) == square).then_some(vertex)
    }

    /// The given first vertex (of a closed request: where tours are listed from).
    #[must_use]
    pub fn start(&self) -> Option<u32> {
        self.start
    }

    /// The given last vertex.
    #[must_use]
    pub fn end(&self) -> Option<u32> {
        self.end
    }

    /// The vertices on which an open tour may start, as far as the request says; none for cycles.
    #[must_use]
    pub fn starts(&self) -> &VertexSet {
        &self.starts
    }

    /// The vertices on which an open tour may end, as far as the request says; none for cycles.
    #[must_use]
    pub fn ends(&self) -> &VertexSet {
        &self.ends
    }

    /// The edges that must be used, each both ways round, sorted.
    #[must_use]
    pub fn required(&self) -> &[(u32, u32)] {
        &self.required
    }

    /// The edges at a vertex that must be used, as (vertex, neighbour).
    #[must_use]
    pub fn required_at(&self, vertex: u32) -> &[(u32, u32)] {
        let from = self.required.partition_point(|&(a, _)| a < vertex);
        let upto = self.required.partition_point(|&(a, _)| a <= vertex);
        &self.required[from..upto]
    }

    /// Vertices to visit at given steps, as (step, vertex), sorted.
    #[must_use]
    pub fn steps(&self) -> &[(u32, u32)] {
        &self.steps
    }

    /// Whether the steps of a closed graph tell the direction of a tour: run the other way round, it has another vertex at
    /// some of them.
    #[must_use]
    pub fn has_direction(&self) -> bool {
        self.closed && self.steps.iter().any(|&(step, _)| 2 * step as usize != self.len())
    }

    /// The connected pieces: a number for each vertex, and how many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> (Vec<u32>, u32) {
        let mut piece = vec![u32::MAX; self.len()];
        let mut count = 0;
        let mut queue = Vec::new();
        for root in 0..self.len() as u32 {
            if piece[root as usize] != u32::MAX {
                continue;
            }
            piece[root as usize] = count;
            queue.push(root);
            while let Some(v) = queue.pop() {
                for &u in self.neighbours(v) {
                    if piece[u as usize] == u32::MAX {
                        piece[u as usize] = count;
                        queue.push(u);
                    }
                }
            }
            count += 1;
        }
        (piece, count)
    }

    /// The colours, if every edge joins vertices of different colour and the graph is connected.
    #[must_use]
    pub fn colouring(&self) -> Option<Colouring> {
        let (first, reached) = two_colours(self.len(), |v| self.neighbours(v).iter().copied())?;
        (reached == self.len()).then(|| {
            let first_count = first.count();
            Colouring { first, first_count, second_count: self.len() - first_count }
        })
    }
}

/// A graph being built, for boards that take longer than a slice of time. Resumable.
#[derive(Clone, Debug)]
pub struct Building {
    /// Square number of each vertex; empty where the two are the same.
    squares: Vec<u32>,
    /// The vertex of each square: a dense table is faster than searching, where there are holes.
    dense: Vec<u32>,
    required: Vec<(u32, u32)>,
    start: Option<u32>,
    end: Option<u32>,
    steps: Vec<(u32, u32)>,
    /// Those of the vertices so far.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Building {
    /// Begins. The memory of [`Graph::bytes`] is to be asked for first.
    ///
    /// # Panics
    /// If the board has more than [`Graph::MOST`] open squares.
    #[must_use]
    pub fn new(request: &Request) -> Building {
        let board = request.board();
        let count = board.len();
        assert!(count <= Graph::MOST, "the {} has more squares than a graph has vertices", board.describe());
        let squares: Vec<u32> = if board.is_rectangle() { Vec::new() } else { board.open_squares().collect() };
        let vertex = |square: u32| -> u32 {
            if squares.is_empty() { square } else { squares.partition_point(|&s| s < square) as u32 }
        };
        let mut dense: Vec<u32> = Vec::new();
        if !squares.is_empty() {
            dense = vec![u32::MAX; board.squares() as usize];
            for (v, &square) in squares.iter().enumerate() {
                dense[square as usize] = v as u32;
            }
        }
        let terms = request.terms();
        let mut required: Vec<(u32, u32)> = Vec::new();
        for &(a, b) in &terms.moves {
            let (a, b) = (vertex(a), vertex(b));
            required.extend([(a, b), (b, a)]);
        }
        required.sort_unstable();
        let (start, end) = (terms.start.map(vertex), terms.end.map(vertex));
        let steps = terms.steps.iter().map(|&(step, square)| (step, vertex(square))).collect();
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        Building { squares, dense, required, start, end, steps, offsets, targets: Vec::with_capacity(count * 8) }
    }

    /// Goes on with what is being built, or begins with it, to the graph. The request is the same each time.
    pub(crate) fn go_on(
        building: &mut Option<Box<Building>>,
        request: &Request,
        budget: &Budget,
    ) -> Result<Graph, Pause> {
        let mut watch = Watch::new(budget);
        let begun = building.get_or_insert_with(|| Box::new(Building::new(request)));
        begun.add(request, || watch.tick())?;
        let begun = building.take().map_or_else(|| Building::new(request), |begun| *begun);
        Ok(begun.finish(request))
    }

    fn required_at(&self, v: u32) -> &[(u32, u32)] {
        let from = self.required.partition_point(|&(a, _)| a < v);
        let upto = self.required.partition_point(|&(a, _)| a <= v);
        &self.required[from..upto]
    }

    fn is_saturated(&self, request: &Request, v: u32) -> bool {
        let is_given_end = !request.is_closed() && (self.start == Some(v) || self.end == Some(v));
        self.required_at(v).len() >= if is_given_end { 1 } else { 2 }
    }

    /// Adds the neighbours of the vertices.
    fn add(&mut self, request: &Request, mut tick: impl FnMut() -> Result<(), Pause>) -> Result<(), Pause> {
        let (board, excluded) = (request.board(), request.excluding());
        for v in self.offsets.len() as u32 - 1..board.len() as u32 {
            tick()?;
            let from = if self.squares.is_empty() { v } else { self.squares[v as usize] };
            for &to in board.moves(from).as_slice() {
                let u = if self.dense.is_empty() { to } else { self.dense[to as usize] };
                let avoided =
                    !excluded.is_empty() && excluded.binary_search(&crate::request::ordered(from, to)).is_ok();
                let needless = !self.required.is_empty()
                    && (self.is_saturated(request, v) || self.is_saturated(request, u))
                    && self.required.binary_search(&(v, u)).is_err();
                if !avoided && !needless {
                    self.targets.push(u);
                }
            }
            self.offsets.push(self.targets.len() as u32);
        }
        Ok(())
    }

    /// The graph, once all neighbours are there.
    fn finish(mut self, request: &Request) -> Graph {
        self.targets.shrink_to_fit();
        let count = self.offsets.len() - 1;
        let vertex = |square: u32| match &self.squares[..] {
            [] => square,
            list => list.partition_point(|&s| s < square) as u32,
        };
        let (mut starts, mut ends) = if request.is_closed() {
            (VertexSet::empty(count), VertexSet::empty(count))
        } else {
            (VertexSet::full(count), VertexSet::full(count))
        };
        if !request.is_closed() {
            let last = count as u32 - 1;
            restrict(&mut starts, self.start);
            restrict(&mut ends, self.end);
            for (step, v) in request.steps().iter().map(|&(step, square)| (step, vertex(square))) {
                if step == 0 {
                    restrict(&mut starts, Some(v))
                } else {
                    starts.discard(v)
                }
                if step == last { restrict(&mut ends, Some(v)) } else { ends.discard(v) }
            }
            if count > 1 {
                for v in self.required.iter().map(|&(v, _)| v).filter(|&v| self.required_at(v).len() >= 2) {
                    starts.discard(v);
                    ends.discard(v);
                }
                // A given start is not the end as well.
                if let (Some(v), None) = (self.start, self.end) {
                    ends.discard(v);
                }
                if let (None, Some(v)) = (self.start, self.end) {
                    starts.discard(v);
                }
            }
        }
        let Building { squares, required, start, end, steps, offsets, targets, .. } = self;
        Graph {
            closed: request.is_closed(),
            drawing: Drawing::of(request.board()),
            squares,
            offsets,
            targets,
            start,
            end,
            starts,
            ends,
            required,
            steps,
            parallel: Vec::new(),
            parity: None,
            is_part: false,
        }
    }
}

/// Leaves at most the one given vertex in the set.
fn restrict(set: &mut VertexSet, only: Option<u32>) {
    if let Some(only) = only {
        let kept = set.contains(only);
        set.words.fill(0);
        if kept {
            set.add(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::moves::Leaper;
    use crate::run::{Budget, Limits};

    #[test]
    fn holes_renumber_and_edges_vanish() {
        let board = Board::build(3, 4, [1], Leaper::KNIGHT, Wrap::None).unwrap();
        let graph = Graph::new(&Request::open(board.clone()));
        assert_eq!(graph.len(), 11);
        assert_eq!((graph.square(0), graph.square(1), graph.vertex(2)), (0, 2, 1));
        for v in 0..11 {
            let squares: Vec<u32> = graph.neighbours(v).iter().map(|&u| graph.square(u)).collect();
            assert_eq!(squares, board.moves(graph.square(v)).as_slice());
        }
        let request = Request::open(board).with_excluded(0, 6).unwrap();
        assert_eq!(Graph::new(&request).neighbours(0).iter().map(|&u| graph.square(u)).collect::<Vec<_>>(), [9]);
    }

    #[test]
    fn squares_with_both_moves_required_lose_the_others() {
        let request = Request::open(Board::new(5, 5).unwrap());
        let request = request.with_included(12, 1).and_then(|r| r.with_included(12, 3)).unwrap();
        let graph = Graph::new(&request);
        assert_eq!(graph.neighbours(12), [1, 3]);
        assert!(!graph.is_edge(5, 12) && graph.is_edge(1, 12));
        assert!(!graph.ends().contains(12) && graph.ends().contains(1));
        assert_eq!(graph.required_at(12), [(12, 1), (12, 3)]);
    }

    #[test]
    fn ends_follow_from_the_request() {
        let request = Request::open(Board::new(5, 5).unwrap());
        let from = Graph::new(&request.clone().with_start(3).unwrap());
        assert_eq!(from.starts().iter().collect::<Vec<_>>(), [3]);
        assert!(!from.ends().contains(3) && from.ends().count() == 24);
        let stepped = Graph::new(&request.with_step(7, 24).and_then(|r| r.with_step(8, 5)).unwrap());
        assert_eq!(stepped.ends().iter().collect::<Vec<_>>(), [7]);
        assert!(!stepped.starts().contains(7) && !stepped.starts().contains(8));
        assert_eq!(VertexSet::full(70).count(), 70);
        assert_eq!(VertexSet::full(128).count(), 128);
    }

    #[test]
    fn colours_come_from_the_graph() {
        let colouring = |rows, cols, wrap| {
            let board = Board::build(rows, cols, [], Leaper::KNIGHT, wrap).unwrap();
            Graph::new(&Request::open(board)).colouring().map(|c| (c.first_count, c.second_count))
        };
        assert_eq!(colouring(5, 5, Wrap::None), Some((13, 12)));
        assert_eq!(colouring(4, 5, Wrap::None), Some((10, 10)));
        assert_eq!(colouring(5, 6, Wrap::Both), None);
        assert_eq!(colouring(3, 3, Wrap::None), None);
        let (pieces, count) = Graph::new(&Request::open(Board::new(3, 3).unwrap())).pieces();
        assert_eq!(count, 2);
        assert_eq!(pieces.iter().filter(|&&p| p != pieces[4]).count(), 8);
    }

    #[test]
    fn a_board_with_more_arcs_than_32_bits_count_is_refused_whatever_the_limit() {
        let limits = Limits { memory: Some(u64::MAX), ..Limits::default() };
        for (side, is_refused) in [(16_384, false), (16_385, true), (46_340, true)] {
            let request = Request::open(Board::new(side, side).unwrap());
            assert_eq!(Budget::new(limits).check_memory(Graph::bytes(&request)).is_err(), is_refused, "{side}");
        }
    }
}
