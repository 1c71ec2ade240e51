//! [`Sampled`]: about how many groups a sweep has, from samples of each layer.
//!
//! A key is that of a group if the vertices swept so far can have two edges each and those of the frontier as
//! many as the key says, among the edges that are decided; and if what they lack, they and the rest, can be had from
//! the other edges. (So far as pairings do not matter; nor do they to the groups of the sweep.) Each is a question about
//! a subgraph with given degrees, a factor (`factor.rs`), and takes some microseconds where moves change the colour
//! of the square, as leapers' moves do on most boards.
//!
//! Keys with a number of ends are drawn evenly among those in which, colour by colour, as many edges arrive as leave.
//! There are so few others to refuse that a few dozen draws tell the share. Closed 10x10, whose groups nobody has
//! listed, takes a second.

use super::factor::Factor;
use super::forecast::{Course, Forecast, LayerForecast};
use super::state::pairings;
use crate::run::rng::Rng;
use crate::run::{Budget, Pause};

/// A forecast by samples, under way.
#[derive(Debug)]
pub struct Sampled {
    course: Course,
    /// The colour of each square, 1 or -1; of each vertex 0 where moves do not change the colour.
    colours: Vec<i32>,
    samples: u32,
    done: Vec<LayerForecast>,
}

/// A vertex of the frontier: which numbers of edges it may have, and its colour, 0 for an apex.
#[derive(Clone, Copy, Debug)]
struct Place {
    vertex: u32,
    colour: i32,
    least: u32,
    most: u32,
}

/// A stratum with less than this share of the layer is left out.
const SMALL: f64 = 1e-3;

/// Keys looked at for each group that is wanted, at most.
const TRIES: u32 = 20;

impl Sampled {
    /// Looks for this many groups for each number of ends in each layer. `None` where moves do not change the colour.
    ///
    /// Cost: some microseconds for each key that is looked at, at most `TRIES` times `samples` for each number of ends.
    #[must_use]
    pub fn new(course: Course, samples: u32) -> Option<Sampled> {
        let is_known = course.is_simple && course.first.is_some();
        is_known.then(|| Sampled::roughly(course, samples))
    }

    /// The same for any sweep. Where moves do not change the colour it is not asked whether the edges on either side can be
    /// had, but whether those of two copies of the graph, joined crosswise, can: that is almost always so for both or for
    /// neither, and the copies are two-coloured.
    #[must_use]
    pub fn roughly(course: Course, samples: u32) -> Sampled {
        let colours = match &course.first {
            Some(first) => (0..course.squares as u32).map(|v| if first.contains(v) { 1 } else { -1 }).collect(),
            None => vec![0; course.near.len()],
        };
        Sampled { course, colours, samples: samples.max(1), done: Vec::new() }
    }

    fn is_coloured(&self) -> bool {
        self.course.first.is_some()
    }

    /// Goes on until all layers are looked at or the budget refuses. It takes no nodes of the budget.
    pub fn advance(&mut self, budget: &Budget) -> Result<Forecast, Pause> {
        if self.done.is_empty() && !self.has_factor() {
            return Ok(self.course.forecast(Vec::new()));
        }
        while let Some(&swept) = self.course.swept.get(self.done.len()) {
            budget.take(0)?;
            self.done.push(self.look(swept));
        }
        Ok(self.course.forecast(std::mem::take(&mut self.done)))
    }

    /// Whether the whole graph has a subgraph in which each vertex has two edges. Without one no layer has a group, and each
    /// of its samples would find that out anew.
    fn has_factor(&self) -> bool {
        let mut degrees = vec![0; self.course.near.len()];
        // Without colours an apex is a vertex as the squares are, and wants two edges anyway.
        degrees[self.course.squares..].fill(if self.is_coloured() { 2 } else { 0 });
        Side::new(self, u32::MAX, true).has(&degrees, 0)
    }

    /// Layers looked at, and all.
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        (self.done.len() as u64, self.course.swept.len() as u64)
    }

    fn places(&self, swept: u32) -> Vec<Place> {
        let mut places = Vec::new();
        for (v, near) in self.course.near.iter().enumerate() {
            if self.course.is_swept(v as u32, swept) {
                continue;
            }
            let (before, after): (Vec<_>, Vec<_>) = near.iter().partition(|&&(u, _)| self.course.is_swept(u, swept));
            if before.is_empty() {
                continue;
            }
            let must = |edges: &[(u32, bool)]| edges.iter().filter(|&&(_, is_required)| is_required).count() as u32;
            let least = must(&before).max(2u32.saturating_sub(after.len() as u32));
            let most = (before.len() as u32).min(2u32.saturating_sub(must(&after)));
            let colour = self.colours.get(v).copied().unwrap_or(0);
            places.push(Place { vertex: v as u32, colour, least, most });
        }
        places
    }

    /// The groups of the layer after this many vertices.
    fn look(&self, swept: u32) -> LayerForecast {
        let places = self.places(swept);
        let slots = places.len() as u32;
        let mut layer = self.course.layer(swept);
        // Behind the last square there is a group or two.
        if swept as usize >= self.course.squares || slots > 64 {
            layer.groups.push((0, 1.0));
            return layer;
        }
        let is_apex = |place: &&Place| self.is_coloured() && place.vertex as usize >= self.course.squares;
        let (apexes, squares): (Vec<Place>, Vec<Place>) = places.iter().partition(is_apex);
        let mut sides = [Side::new(self, swept, true), Side::new(self, swept, false)];
        let ways = Ways::new(&squares);
        let apex_degrees = degrees_of(&apexes);
        let mut strata: Vec<(u32, Stratum)> = Vec::new();
        for ends in 0..=slots {
            let mut stratum = Stratum::default();
            for degrees in &apex_degrees {
                let of_apexes = degrees.iter().filter(|&&degree| degree == 1).count() as u32;
                let Some(of_squares) = ends.checked_sub(of_apexes) else { continue };
                for balance in -2 * slots as i32..=2 * slots as i32 {
                    let number = ways.number(squares.len(), of_squares, balance);
                    let mut whole = vec![0; self.course.near.len()];
                    apexes.iter().zip(degrees).for_each(|(apex, &degree)| whole[apex.vertex as usize] = degree);
                    if number > 0.0 && sides.iter().all(|side| !side.splits(&whole, balance).is_empty()) {
                        stratum.number += number;
                        stratum.of.push((stratum.number, of_squares, balance, whole));
                    }
                }
            }
            // An open cycle has two ends; without any there is none to go on with. Fragments have two each.
            if ends > 0 && (self.is_coloured() || ends % 2 == 0) && stratum.number > 0.0 {
                strata.push((ends, stratum));
            }
        }
        let size = |ends: u32, number: f64| number * (pairings(ends) as f64).powf(0.8);
        let all: f64 = strata.iter().map(|(ends, stratum)| size(*ends, stratum.number)).sum();
        let numbers: f64 = strata.iter().map(|(_, stratum)| stratum.number).sum();
        for (ends, stratum) in strata {
            if size(ends, stratum.number) < SMALL * all && stratum.number < 10.0 * SMALL * numbers {
                continue;
            }
            let mut rng = Rng::stream(u64::from(swept), u64::from(ends));
            let (mut found, mut tried) = (0, 0);
            while found < self.samples && tried < TRIES * self.samples {
                let (of_squares, balance, mut degrees) = stratum.draw(&mut rng);
                ways.draw(&squares, of_squares, balance, &mut rng, &mut degrees);
                found += u32::from(sides.iter_mut().all(|side| side.has(&degrees, balance)));
                tried += 1;
            }
            let share = f64::from(found) / f64::from(tried);
            let folded = if self.course.is_folded { 0.5 } else { 1.0 };
            let alike = if self.course.has_parity { 2.0 } else { 1.0 };
            if found > 0 {
                layer.groups.push((ends, (stratum.number * share * folded * alike).max(1.0)));
            }
        }
        layer
    }
}

/// Keys with one number of ends: how many there are, and of what kinds, each with the number up to it.
#[derive(Debug, Default)]
struct Stratum {
    number: f64,
    of: Vec<(f64, u32, i32, Vec<u32>)>,
}

impl Stratum {
    fn draw(&self, rng: &mut Rng) -> (u32, i32, Vec<u32>) {
        let at = unit(rng) * self.number;
        let found = self.of.iter().find(|kind| at < kind.0).or(self.of.last());
        found.map_or((0, 0, Vec::new()), |kind| (kind.1, kind.2, kind.3.clone()))
    }
}

/// A number from 0 to 1, 1 left out.
fn unit(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// All degrees that these may have.
fn degrees_of(places: &[Place]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for place in places {
        all = all
            .iter()
            .flat_map(|degrees: &Vec<u32>| {
                (place.least..=place.most.min(2)).map(move |degree| [degrees.as_slice(), &[degree]].concat())
            })
            .collect();
    }
    all
}

/// In how many ways the first places may have degrees with this many ends and such a balance of the colours.
struct Ways {
    /// By places, ends and balance.
    table: Vec<f64>,
    places: usize,
}

impl Ways {
    fn new(places: &[Place]) -> Ways {
        let count = places.len();
        let mut ways = Ways { table: vec![0.0; (count + 1) * (count + 1) * (4 * count + 1)], places: count };
        let at = ways.at(0, 0, 0);
        ways.table[at] = 1.0;
        for (i, place) in places.iter().enumerate() {
            for ends in 0..=i as u32 {
                for balance in -2 * i as i32..=2 * i as i32 {
                    let number = ways.number(i, ends, balance);
                    for degree in place.least..=place.most.min(2) {
                        let at = ways.at(i + 1, ends + u32::from(degree == 1), balance + place.colour * degree as i32);
                        ways.table[at] += number;
                    }
                }
            }
        }
        ways
    }

    fn at(&self, places: usize, ends: u32, balance: i32) -> usize {
        (places * (self.places + 1) + ends as usize) * (4 * self.places + 1)
            + (balance + 2 * self.places as i32) as usize
    }

    fn number(&self, places: usize, ends: u32, balance: i32) -> f64 {
        let is_in = ends as usize <= self.places && balance.unsigned_abs() as usize <= 2 * self.places;
        if is_in { self.table[self.at(places, ends, balance)] } else { 0.0 }
    }

    /// Draws one of the ways evenly.
    fn draw(&self, places: &[Place], mut ends: u32, mut balance: i32, rng: &mut Rng, degrees: &mut [u32]) {
        for (i, place) in places.iter().enumerate().rev() {
            let mut at = unit(rng) * self.number(i + 1, ends, balance);
            for degree in place.least..=place.most.min(2) {
                let Some(left) = ends.checked_sub(u32::from(degree == 1)) else { continue };
                let number = self.number(i, left, balance - place.colour * degree as i32);
                degrees[place.vertex as usize] = degree;
                if number > 0.0 && at < number {
                    break;
                }
                at -= number;
            }
            let degree = degrees[place.vertex as usize];
            ends = ends.saturating_sub(u32::from(degree == 1));
            balance -= place.colour * degree as i32;
        }
    }
}

/// The edges decided so far, or the others.
struct Side {
    factor: Factor,
    is_before: bool,
    /// Whether there are two copies of each vertex, since there are no colours.
    is_doubled: bool,
    squares: usize,
    /// How many edges each square wants here, where those of the frontier have none before.
    wanted: Vec<u32>,
    /// How many more of them the colour 1 wants than -1.
    balance: i32,
    /// For each apex how many edges to another one it has on this side, and those that must lead to squares of the
    /// colour 1 and of -1.
    forced: Vec<[u32; 3]>,
}

impl Side {
    fn new(of: &Sampled, swept: u32, is_before: bool) -> Side {
        let course = &of.course;
        let is_doubled = !of.is_coloured();
        // Without colours an apex is a vertex as the squares are.
        let squares = if is_doubled { course.near.len() } else { course.squares };
        let apexes = course.near.len() - squares;
        // The squares; for each apex a vertex joined to the squares of the colour 1, and one for the others.
        let is_left = of.colours.iter().map(|&colour| colour == 1).chain((0..2 * apexes).map(|at| at % 2 == 1));
        let of_two_copies = (0..2 * squares).map(|at| at < squares);
        let mut side = Side {
            factor: Factor::new(if is_doubled { of_two_copies.collect() } else { is_left.collect() }),
            is_before,
            is_doubled,
            squares,
            wanted: Vec::with_capacity(squares),
            balance: 0,
            forced: vec![[0; 3]; apexes],
        };
        for (v, near) in course.near.iter().enumerate() {
            for &(u, is_required) in near {
                let is_here = (course.is_swept(v as u32, swept) || course.is_swept(u, swept)) == is_before;
                if !is_here || (u as usize) < v {
                    continue;
                }
                let Some(apex) = (u as usize).checked_sub(squares) else {
                    if is_doubled {
                        side.factor.join(v as u32, u + squares as u32, is_required);
                        side.factor.join(u, (v + squares) as u32, is_required);
                    } else {
                        side.factor.join(v as u32, u, is_required);
                    }
                    continue;
                };
                if let Some(other) = v.checked_sub(squares) {
                    // Two apexes are joined by an edge that must be used.
                    side.forced[apex][0] += 1;
                    side.forced[other][0] += 1;
                    continue;
                }
                let colour = usize::from(of.colours[v] == -1);
                side.forced[apex][1 + colour] += u32::from(is_required);
                side.factor.join(v as u32, (squares + 2 * apex + colour) as u32, is_required);
            }
        }
        for v in 0..squares {
            let wanted = if course.is_swept(v as u32, swept) == is_before { 2 } else { 0 };
            side.balance += wanted as i32 * of.colours[v];
            side.wanted.push(wanted);
        }
        side
    }

    /// How the edges of each apex may be shared among the colours: for each apex those to the colour 1 and to -1.
    /// `degrees` are those of the apexes in the frontier, `balance` that of its squares.
    fn splits(&self, degrees: &[u32], balance: i32) -> Vec<Vec<[u32; 2]>> {
        if self.is_doubled {
            return if balance == 0 { vec![Vec::new()] } else { Vec::new() };
        }
        let wanted = if self.is_before { self.balance + balance } else { self.balance - balance };
        let mut all: Vec<(i32, Vec<[u32; 2]>)> = vec![(0, Vec::new())];
        for (apex, &[others, low, high]) in self.forced.iter().enumerate() {
            let decided = degrees[self.squares + apex];
            let degree = if self.is_before { decided } else { 2 - decided.min(2) };
            let Some(degree) = degree.checked_sub(others) else { return Vec::new() };
            let mut longer = Vec::new();
            for (sum, shares) in &all {
                for first in low..=degree.saturating_sub(high) {
                    let mut shares = shares.clone();
                    shares.push([first, degree - first]);
                    longer.push((sum + first as i32 - (degree - first) as i32, shares));
                }
            }
            all = longer;
        }
        all.into_iter().filter(|(sum, _)| *sum == wanted).map(|(_, shares)| shares).collect()
    }

    /// Whether there is such a subgraph on this side. `degrees` are those of the frontier.
    fn has(&mut self, degrees: &[u32], balance: i32) -> bool {
        let copies = if self.is_doubled { self.squares } else { 0 };
        let mut wanted = vec![0; self.squares + copies + 2 * self.forced.len()];
        for (v, &own) in self.wanted.iter().enumerate() {
            wanted[v] = if self.is_before { own + degrees[v] } else { own - degrees[v].min(own) };
        }
        if self.is_doubled {
            let (one, other) = wanted.split_at_mut(self.squares);
            other.copy_from_slice(one);
        }
        self.splits(degrees, balance).iter().any(|shares| {
            for (apex, share) in shares.iter().enumerate() {
                wanted[self.squares + 2 * apex..][..2].copy_from_slice(share);
            }
            self.factor.has(&wanted)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::moves::{Leaper, Wrap};
    use crate::engines::frontier::Sweep;
    use crate::request::Request;
    use crate::request::graph::Graph;

    fn board(rows: u32, cols: u32) -> Board {
        Board::new(rows, cols).unwrap()
    }

    fn build(rows: u32, cols: u32, blocked: &[u32], leaper: (u32, u32), wrap: Wrap) -> Board {
        Board::build(rows, cols, blocked.iter().copied(), Leaper::new(leaper.0, leaper.1), wrap).unwrap()
    }

    #[test]
    fn near_the_groups_that_there_are() {
        let holes = build(6, 7, &[8, 23, 30], (1, 2), Wrap::None);
        let zebra = build(8, 8, &[], (2, 3), Wrap::None);
        let torus = build(4, 6, &[], (1, 2), Wrap::Both);
        let requests = [
            Request::closed(board(6, 6)),
            Request::closed(board(5, 8)),
            Request::open(board(5, 6)),
            Request::open(board(6, 6)).with_start(0).unwrap(),
            Request::open(board(6, 6)).with_start(1).and_then(|r| r.with_end(8)).unwrap(),
            Request::open(board(6, 6)).with_start(1).and_then(|r| r.with_end(9)).unwrap(),
            Request::closed(board(6, 7)).with_included(0, 9).and_then(|r| r.with_excluded(1, 10)).unwrap(),
            Request::open(holes),
            Request::closed(zebra),
            Request::closed(torus),
            // Moves that keep the colour.
            Request::closed(build(3, 7, &[], (1, 2), Wrap::Both)),
            Request::closed(build(5, 6, &[], (1, 2), Wrap::Cols)),
            Request::open(build(4, 5, &[], (1, 2), Wrap::Cols)),
        ];
        for request in requests {
            near_in_all(&request, &Graph::new(&request));
        }
        let request = Request::open(board(6, 6));
        let graph = Graph::new(&request);
        let row = |at: u32| (6 * at..6 * at + 6).collect::<Vec<_>>();
        near_in_all(&request, &graph.clone().with_ends_among(&row(1), &row(4)));
        near_in_all(&request, &graph.with_ends_among(&row(2), &row(2)));
    }

    fn near_in_all(request: &Request, graph: &Graph) {
        let course = Course::new(graph, &Budget::unlimited()).unwrap();
        let exact = Sweep::new(request, graph, 1).unwrap().forecast(&course, &Budget::unlimited()).unwrap();
        let sampled = Sampled::roughly(course, 200).advance(&Budget::unlimited()).unwrap();
        if sampled.layers.is_empty() {
            let mut sweep = Sweep::new(request, graph, 1).unwrap();
            assert!(sweep.advance(&Budget::unlimited()).unwrap().is_zero(), "{request:?}");
            return;
        }
        assert_eq!(exact.layers.len(), sampled.layers.len(), "{request:?}");
        let sum = |layer: &LayerForecast| layer.groups.iter().map(|group| group.1).sum::<f64>();
        let most = exact.layers.iter().map(sum).fold(0.0, f64::max);
        for (exact, sampled) in exact.layers.iter().zip(&sampled.layers) {
            let (here, there) = (sum(exact), sum(sampled));
            if here * 10.0 > most {
                // Half of the keys that are their own mirror image are missing; small boards have many.
                assert!((0.65..1.3).contains(&(there / here)), "{request:?}: {exact:?} {sampled:?}");
            }
        }
    }

    #[test]
    fn none_where_moves_keep_the_colour() {
        let king = build(4, 4, &[], (1, 1), Wrap::Both);
        let odd = build(5, 5, &[], (1, 2), Wrap::Both);
        for board in [king, odd] {
            let request = Request::closed(board);
            let course = Course::new(&Graph::new(&request), &Budget::unlimited()).unwrap();
            assert!(Sampled::new(course, 10).is_none());
        }
    }
}
