//! [`Orbits`]: what a permutation takes to one another.

use crate::board::moves::gcd;

/// A permutation of the vertices of a graph.
pub type Map = [u32];

/// The orbits of a permutation.
#[derive(Clone, Debug)]
pub(super) struct Orbits {
    /// The orbit of each vertex, and by how many times the permutation it comes from the orbit's first vertex.
    pub of: Vec<(u32, u32)>,
    /// The members of each orbit, in turn from its first vertex.
    pub members: Vec<Vec<u32>>,
    /// The permutation's order: the least common multiple of the sizes.
    pub order: u64,
}

impl Orbits {
    /// The orbits, of which the first vertex is the one that comes first in `preferred`, a list of all vertices.
    ///
    /// Cost: linear, and sorting.
    pub(super) fn new(map: &Map, preferred: &[u32]) -> Orbits {
        let mut of = vec![(u32::MAX, 0); map.len()];
        let mut members = Vec::new();
        let mut order = 1u64;
        for &first in preferred {
            if of[first as usize].0 != u32::MAX {
                continue;
            }
            let mut orbit = Vec::new();
            let mut v = first;
            while of[v as usize].0 == u32::MAX {
                of[v as usize] = (members.len() as u32, orbit.len() as u32);
                orbit.push(v);
                v = map[v as usize];
            }
            let size = orbit.len() as u64;
            order = (order / gcd(order, size)).saturating_mul(size);
            members.push(orbit);
        }
        members.sort_unstable_by_key(|orbit| orbit[0]);
        for (at, orbit) in (0..).zip(&members) {
            for &v in orbit {
                of[v as usize].0 = at;
            }
        }
        Orbits { of, members, order }
    }
}
