//! [`Factor`]: whether a bipartite graph has a subgraph with given degrees.

/// A bipartite graph, and a subgraph of it that is mended whenever other degrees are asked for.
///
/// The subgraph grows along paths on which edges are in turn taken and given up (augmenting paths), as a maximum flow
/// does.
#[derive(Clone, Debug, Default)]
pub struct Factor {
    /// For each vertex its neighbours, on the other side, and the edges that lead there.
    near: Vec<Vec<(u32, u32)>>,
    is_left: Vec<bool>,
    /// Edges that must be taken, which are not among the others.
    forced: Vec<u32>,
    /// For each edge whether it is taken, and for each vertex how many of its edges are.
    is_taken: Vec<bool>,
    taken: Vec<u32>,
    /// The edge by which a search came to a vertex; and the vertices in the order in which it came.
    came: Vec<Option<(u32, u32)>>,
    queue: Vec<u32>,
}

impl Factor {
    /// A graph without edges; for each vertex the side it is on.
    #[must_use]
    pub fn new(is_left: Vec<bool>) -> Factor {
        let count = is_left.len();
        Factor {
            near: vec![Vec::new(); count],
            is_left,
            forced: vec![0; count],
            taken: vec![0; count],
            ..Factor::default()
        }
    }

    /// Adds an edge between two sides. One that `is_forced` is in every subgraph.
    pub fn join(&mut self, a: u32, b: u32, is_forced: bool) {
        debug_assert_ne!(self.is_left[a as usize], self.is_left[b as usize]);
        if is_forced {
            self.forced[a as usize] += 1;
            self.forced[b as usize] += 1;
            return;
        }
        let edge = self.is_taken.len() as u32;
        self.is_taken.push(false);
        self.near[a as usize].push((b, edge));
        self.near[b as usize].push((a, edge));
    }

    /// Whether there is a subgraph in which each vertex has this many edges.
    ///
    /// Cost: for each edge that is wanted and not there, at most linear in the edges.
    pub fn has(&mut self, degrees: &[u32]) -> bool {
        let (mut left, mut right) = (0, 0);
        for (v, &degree) in degrees.iter().enumerate() {
            if degree < self.forced[v] {
                return false;
            }
            *(if self.is_left[v] { &mut left } else { &mut right }) += degree - self.forced[v];
        }
        if left != right {
            return false;
        }
        let wanted = |factor: &Factor, v: usize| degrees[v] - factor.forced[v];
        for v in 0..degrees.len() {
            for at in 0..self.near[v].len() {
                if self.taken[v] <= wanted(self, v) {
                    break;
                }
                let (u, edge) = self.near[v][at];
                if self.is_taken[edge as usize] {
                    self.is_taken[edge as usize] = false;
                    self.taken[v] -= 1;
                    self.taken[u as usize] -= 1;
                }
            }
        }
        for v in 0..degrees.len() {
            while self.is_left[v] && self.taken[v] < wanted(self, v) {
                if !self.grow(v as u32, degrees) {
                    return false;
                }
            }
        }
        true
    }

    /// Gives a vertex on the left one edge more, and one on the right that wants one.
    fn grow(&mut self, from: u32, degrees: &[u32]) -> bool {
        self.came.clear();
        self.came.resize(self.near.len(), None);
        self.queue.clear();
        self.queue.push(from);
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            let is_left = self.is_left[v as usize];
            for &(u, edge) in &self.near[v as usize] {
                // From the left along edges that are not taken, from the right along those that are.
                if u == from || self.is_taken[edge as usize] == is_left || self.came[u as usize].is_some() {
                    continue;
                }
                self.came[u as usize] = Some((v, edge));
                if is_left && self.taken[u as usize] + self.forced[u as usize] < degrees[u as usize] {
                    self.taken[u as usize] += 1;
                    self.taken[from as usize] += 1;
                    let mut end = u;
                    while let Some((before, edge)) = self.came[end as usize] {
                        self.is_taken[edge as usize] ^= true;
                        end = before;
                    }
                    return true;
                }
                self.queue.push(u);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::rng::Rng;

    #[test]
    fn as_by_trying_all_subgraphs() {
        let mut rng = Rng::seeded(4);
        let (mut found, mut none) = (0, 0);
        for _ in 0..300 {
            let (left, right) = (2 + rng.below(3) as u32, 2 + rng.below(3) as u32);
            let count = (left + right) as usize;
            let mut factor = Factor::new((0..left + right).map(|v| v < left).collect());
            let mut edges = Vec::new();
            for a in 0..left {
                for b in left..left + right {
                    if edges.len() < 12 && rng.below(4) > 0 {
                        let is_forced = rng.below(6) == 0;
                        edges.push((a, b, is_forced));
                        factor.join(a, b, is_forced);
                    }
                }
            }
            for _ in 0..10 {
                // Those of some subgraph, one of them changed now and then.
                let mut degrees = vec![0u32; count];
                for &(a, b, is_forced) in &edges {
                    if is_forced || rng.below(2) == 0 {
                        degrees[a as usize] += 1;
                        degrees[b as usize] += 1;
                    }
                }
                for side in [0..left, left..left + right] {
                    if rng.below(2) == 0 {
                        let v = side.start as u64 + rng.below(u64::from(side.end - side.start));
                        degrees[v as usize] += 1;
                    }
                }
                let by_trying = (0..1u32 << edges.len()).any(|set| {
                    let mut left = degrees.clone();
                    edges.iter().enumerate().all(|(at, &(a, b, is_forced))| {
                        let is_in = set >> at & 1 == 1;
                        if is_in {
                            for v in [a, b] {
                                let Some(less) = left[v as usize].checked_sub(1) else { return false };
                                left[v as usize] = less;
                            }
                        }
                        is_in || !is_forced
                    }) && left.iter().all(|&d| d == 0)
                });
                assert_eq!(factor.has(&degrees), by_trying, "{edges:?} {degrees:?}");
                *(if by_trying { &mut found } else { &mut none }) += 1;
            }
        }
        assert!(found > 500 && none > 500, "{found} {none}");
    }
}
