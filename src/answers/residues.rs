//! [`Residues`]: a count put together from what it leaves modulo several primes, where the exact sums do not fit the memory.

use std::sync::Arc;

use super::Report;
use crate::engines::frontier::{Modulus, Natural, Sweep, SweepOptions};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Progress};

/// A count by several sweeps, each modulo another prime (the Chinese remainder theorem).
///
/// The primes are enough when their product is above a bound on the count; one more is the check.
#[derive(Debug)]
pub(super) struct Residues {
    request: Request,
    graph: Arc<Graph>,
    options: SweepOptions,
    /// Primes, the greatest first.
    moduli: Vec<Modulus>,
    /// What the count leaves modulo the first ones.
    found: Vec<Natural>,
    sweep: Option<Box<Sweep>>,
    report: Report,
}

impl Residues {
    /// The count of a graph modulo primes of at most this many bits, if there are enough of them. Nothing is counted yet.
    pub(super) fn new(request: Request, graph: Arc<Graph>, options: SweepOptions, bits: u32) -> Option<Residues> {
        let (mut moduli, mut left) = (Vec::new(), bits_of_bound(&graph));
        let mut primes = primes_down_from(1 << bits);
        while left > 0.0 {
            let prime = primes.next()?;
            left -= (prime.number() as f64).log2();
            moduli.push(prime);
        }
        // The check.
        moduli.push(primes.next()?);
        Some(Residues { request, graph, options, moduli, found: Vec::new(), sweep: None, report: Report::default() })
    }

    /// Goes on; the count when the last pass is done.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Natural, Halt> {
        while self.found.len() < self.moduli.len() {
            let sweep = match &mut self.sweep {
                Some(sweep) => sweep,
                none => {
                    let options = SweepOptions { modulus: Some(self.moduli[self.found.len()]), ..self.options };
                    none.insert(Box::new(Sweep::begin(&self.request, &self.graph, options, budget)?))
                }
            };
            let found = sweep.advance(budget)?;
            self.report.add(&Report::of_sweep(sweep.stats(), 0));
            self.found.push(found);
            self.sweep = None;
        }
        let last = self.moduli.len() - 1;
        let count = put_together(&self.moduli[..last], &self.found);
        assert_eq!(count.modulo(self.moduli[last]), self.found[last], "the check of a count by residues failed");
        Ok(count)
    }

    /// What the passes were modulo.
    pub(super) fn moduli(&self) -> &[Modulus] {
        &self.moduli
    }

    pub(super) fn report(&self) -> Report {
        let mut report = self.report;
        if let Some(sweep) = &self.sweep {
            report.add(&Report::of_sweep(sweep.stats(), sweep.bytes_needed()));
        }
        report
    }

    pub(super) fn progress(&self) -> Progress {
        let part = self.sweep.as_ref().map(|sweep| sweep.progress()).unwrap_or_default();
        let pass = (self.found.len() + 1).min(self.moduli.len());
        Progress { message: format!("pass {pass} of {}: {}", self.moduli.len(), part.message), ..part }
    }
}

/// The number below the product of the moduli that leaves this modulo each of them.
fn put_together(moduli: &[Modulus], found: &[Natural]) -> Natural {
    let (mut count, mut product) = (Natural::default(), Natural::from(1));
    for (&modulus, found) in moduli.iter().zip(found) {
        let small = |number: &Natural| number.limbs().first().copied().unwrap_or(0);
        let number = modulus.number();
        let [found, here, step] = [found, &count.modulo(modulus), &product.modulo(modulus)].map(small);
        // By Fermat the inverse of the step.
        let inverse = modulus.power(step, number - 2);
        let times = modulus.residue(((found + number - here) % number) * inverse);
        count.add(&product.times(times as u32));
        product = product.times(number as u32);
    }
    count
}

/// A bound on the bits of the number of tours: they are permutations of the vertices (and of one more that joins the ends of
/// open tours) along moves, of which there are at most the product of the d-th roots of d! for the numbers d of moves from
/// each.
///
/// Source: L. M. Brégman, "Some properties of nonnegative matrices and their permanents", Soviet Math. Dokl. 14 (1973).
fn bits_of_bound(graph: &Graph) -> f64 {
    let mut left = std::collections::BTreeMap::<usize, usize>::new();
    let is_open = !graph.is_closed();
    for v in 0..graph.len() as u32 {
        *left.entry(graph.neighbours(v).len() + usize::from(is_open && graph.ends().contains(v))).or_default() += 1;
    }
    if is_open {
        *left.entry(graph.starts().count()).or_default() += 1;
    }
    let root = |moves: usize| (1..=moves).map(|n| (n as f64).log2()).sum::<f64>() / moves.max(1) as f64;
    // One bit more for what the logarithms are rounded by.
    left.into_iter().map(|(moves, vertices)| root(moves) * vertices as f64).sum::<f64>() + 1.0
}

/// The primes below a number, the greatest first.
fn primes_down_from(number: u64) -> impl Iterator<Item = Modulus> {
    let is_prime = |&number: &u64| (2..).take_while(|d| d * d <= number).all(|d| number % d != 0);
    (2..number).rev().filter(is_prime).filter_map(Modulus::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::run::rng::Rng;

    #[test]
    fn primes_are_those_known() {
        let first = |number| primes_down_from(number).take(3).map(Modulus::number).collect::<Vec<_>>();
        assert_eq!(first(1 << 16), [65521, 65519, 65497]);
        assert_eq!(first(1 << 32), [4294967291, 4294967279, 4294967231]);
        assert_eq!(primes_down_from(12).map(Modulus::number).collect::<Vec<_>>(), [11, 7, 5, 3, 2]);
    }

    #[test]
    fn residues_are_put_together() {
        let mut rng = Rng::seeded(3);
        for limbs in 1..5 {
            let number = Natural::from_limbs((0..limbs).map(|_| rng.bits()).collect());
            for top in [1 << 16, 1u64 << 32] {
                let moduli: Vec<Modulus> = primes_down_from(top).take(limbs * 5).collect();
                let found: Vec<Natural> = moduli.iter().map(|&modulus| number.modulo(modulus)).collect();
                assert_eq!(put_together(&moduli, &found), number);
            }
        }
    }

    #[test]
    fn where_primes_are_too_few_there_is_no_count() {
        let of = |side, bits| {
            let request = Request::closed(Board::new(side, side).unwrap());
            let graph = Arc::new(Graph::new(&request));
            Residues::new(request, graph, SweepOptions::on(1), bits).map(|residues| residues.moduli.len())
        };
        assert_eq!([of(8, 8), of(8, 16), of(8, 32)], [Some(13), Some(7), Some(4)]);
        assert_eq!(of(20, 8), None);
        assert!(of(20, 32).is_some());
    }

    /// With one prime too few the check finds it out, whatever the count.
    #[test]
    #[should_panic(expected = "the check of a count by residues failed")]
    fn too_few_primes_are_caught() {
        let request = Request::closed(Board::new(6, 8).unwrap());
        let graph = Arc::new(Graph::new(&request));
        let mut residues = Residues::new(request, graph, SweepOptions::on(1), 16).unwrap();
        // 55,488,142 does not fit 16 bits.
        residues.moduli.truncate(2);
        let _ = residues.advance(&Budget::unlimited());
    }

    #[test]
    fn the_bound_is_above_every_count() {
        let board = |rows, cols| Board::new(rows, cols).unwrap();
        for (request, count) in [
            (Request::closed(board(6, 6)), 9862f64),
            (Request::open(board(6, 6)), 6637920.0),
            (Request::open(board(5, 5)), 1728.0),
            (Request::open(board(5, 5)).with_start(0).unwrap(), 304.0),
            (Request::open(board(3, 4)), 16.0),
            (Request::open(board(1, 1)), 1.0),
            (Request::closed(board(8, 8)), 13267364410532.0),
        ] {
            let bits = bits_of_bound(&Graph::new(&request));
            assert!(bits > count.log2(), "{request:?}");
            assert!(bits < 3.0 * count.log2() + 9.0, "{request:?}: {bits}");
        }
    }
}
