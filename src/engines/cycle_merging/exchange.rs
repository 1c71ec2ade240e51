//! [`Exchanges`]: a few edges of a cover out and as many others in, so that it has fewer cycles.
//!
//! An exchange is an alternating cycle of edges: one that is used, one that is not, and so on. Where the edges that
//! go lie on their cycles is known by number, so that how many cycles there will be is told from those few edges:
//! they cut the cycles into pieces, and the new edges join the pieces' ends.

use super::cover::Cover;
use crate::engines::cycle_graph::NONE;
use crate::request::graph::Graph;
use crate::run::rng::Rng;

/// Edges that an exchange takes out, at most.
const MOST: usize = 5;

/// How many exchanges of each size are looked at from one vertex.
const LOOKED_AT: [u32; MOST + 1] = [0, 0, 100, 400, 600, 800];

/// The cycles of a cover that is complete.
#[derive(Debug, Default)]
pub(super) struct Exchanges {
    /// Of each vertex: its cycle, and its place on it.
    cycle: Vec<u32>,
    place: Vec<u32>,
    /// Of each cycle: a vertex, and how many there are; 0 for a number that is free.
    cycles: Vec<(u32, u32)>,
    free: Vec<u32>,
    count: usize,
    /// Work since it was last asked for.
    work: u64,
}

/// An exchange being put together: used edges between the vertices 0 and 1, 2 and 3, and so on, which go.
struct Chain {
    ends: [u32; 2 * MOST],
    length: usize,
}

/// An exchange that leaves as many cycles as there were, to go on from.
#[derive(Clone, Copy, Debug)]
struct Sideways {
    ends: [u32; 2 * MOST],
    length: usize,
}

struct Looking<'a> {
    cover: &'a Cover,
    rng: &'a mut Rng,
    left: u32,
    most: usize,
    seen: u32,
    sideways: Option<Sideways>,
}

impl Exchanges {
    /// Bytes for a graph.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        graph.len() as u64 * (4 + 4 + 12)
    }

    /// Cycles of the cover.
    pub(super) fn cycles(&self) -> usize {
        self.count
    }

    /// Nodes for what has been done since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        1 + std::mem::take(&mut self.work)
    }

    /// Numbers the cycles of a cover.
    pub(super) fn begin(&mut self, cover: &Cover) {
        self.cycle = vec![NONE; cover.len()];
        self.place = vec![0; cover.len()];
        self.cycles.clear();
        self.free.clear();
        self.count = 0;
        for v in 0..cover.len() as u32 {
            if self.cycle[v as usize] == NONE {
                self.number(cover, v);
            }
        }
    }

    /// Numbers the cycle of a vertex.
    fn number(&mut self, cover: &Cover, v: u32) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.cycles.push((NONE, 0));
            self.cycles.len() as u32 - 1
        });
        let (mut before, mut at, mut place) = (NONE, v, 0);
        loop {
            self.cycle[at as usize] = number;
            self.place[at as usize] = place;
            place += 1;
            let [a, b] = cover.links(at);
            (before, at) = (at, if a == before { b } else { a });
            if at == v {
                break;
            }
        }
        self.cycles[number as usize] = (v, place);
        self.count += 1;
        self.work += u64::from(place / 8);
    }

    /// Looks for an exchange from some vertex of a cycle that is not the longest, and makes it. If there is none that
    /// leaves fewer cycles, one that leaves as many. Says whether one was made.
    pub(super) fn step(&mut self, cover: &mut Cover, rng: &mut Rng) -> bool {
        let start = self.choose(cover, rng);
        let mut looking = Looking { cover, rng, left: 0, most: 0, seen: 0, sideways: None };
        let mut chosen = None;
        for (most, &looked_at) in LOOKED_AT.iter().enumerate().skip(2) {
            (looking.most, looking.left) = (most, looked_at);
            chosen = self.look(&mut looking, start);
            self.work += u64::from(looked_at - looking.left);
            if chosen.is_some() {
                break;
            }
        }
        let sideways = looking.sideways.map(|found| Chain { ends: found.ends, length: found.length });
        let Some(chain) = chosen.or(sideways) else { return false };
        self.make(cover, &chain);
        true
    }

    /// A vertex by chance, of a cycle by chance that is not the longest.
    fn choose(&self, cover: &Cover, rng: &mut Rng) -> u32 {
        let longest = (0..self.cycles.len()).max_by_key(|&at| self.cycles[at].1).unwrap_or(0);
        let at = loop {
            let at = rng.below(self.cycles.len() as u64) as usize;
            if at != longest && self.cycles[at].1 > 0 {
                break at;
            }
        };
        let (mut v, length) = self.cycles[at];
        let mut before = NONE;
        for _ in 0..rng.below(u64::from(length)) {
            let [a, b] = cover.links(v);
            (before, v) = (v, if a == before { b } else { a });
        }
        v
    }

    fn look(&self, looking: &mut Looking, start: u32) -> Option<Chain> {
        let mut links = looking.cover.links(start);
        if looking.rng.below(2) == 0 {
            links.swap(0, 1);
        }
        for second in links {
            if !looking.cover.net().is_locked(start, second) {
                let mut chain = Chain { ends: [NONE; 2 * MOST], length: 2 };
                (chain.ends[0], chain.ends[1]) = (start, second);
                if self.extend(looking, &mut chain) {
                    return Some(chain);
                }
            }
        }
        None
    }

    /// Adds edges to the chain until the exchange leaves fewer cycles. At most [`MOST`] calls deep.
    fn extend(&self, looking: &mut Looking, chain: &mut Chain) -> bool {
        let first = chain.ends[0];
        let last = chain.ends[chain.length - 1];
        let mut targets = Vec::with_capacity(10);
        looking.cover.net().some_targets(last, looking.rng, &mut targets);
        let is_last = chain.length + 2 == 2 * looking.most;
        for &u in &targets {
            if looking.cover.is_used(last, u) || chain.has_added(last, u) {
                continue;
            }
            for w in looking.cover.links(u) {
                if looking.cover.net().is_locked(u, w) || chain.has_removed(u, w) {
                    continue;
                }
                if looking.left == 0 {
                    return false;
                }
                let at = chain.length;
                (chain.ends[at], chain.ends[at + 1]) = (u, w);
                chain.length += 2;
                // Shorter exchanges have been looked at before.
                if is_last {
                    looking.left -= 1;
                    if w != first
                        && looking.cover.net().is_edge(w, first)
                        && !looking.cover.is_used(w, first)
                        && !chain.has_added(w, first)
                    {
                        match self.change(chain) {
                            ..0 => return true,
                            0 => {
                                // One of all seen, each as likely.
                                looking.seen += 1;
                                if looking.rng.below(looking.seen.into()) == 0 {
                                    looking.sideways = Some(Sideways { ends: chain.ends, length: chain.length });
                                }
                            }
                            _ => {}
                        }
                    }
                } else if self.extend(looking, chain) {
                    return true;
                }
                chain.length -= 2;
            }
        }
        false
    }

    /// How many cycles more an exchange leaves.
    fn change(&self, chain: &Chain) -> i32 {
        let removed = chain.length / 2;
        // The edges taken out in the order of their cycles: (cycle, place of the first end, indices of both ends).
        let mut cuts = [(0, 0, 0, 0); MOST];
        for (i, cut) in cuts.iter_mut().enumerate().take(removed) {
            let (x, y) = (2 * i, 2 * i + 1);
            let (a, b) = (chain.ends[x], chain.ends[y]);
            let cycle = self.cycle[a as usize];
            let (p, q) = (self.place[a as usize], self.place[b as usize]);
            let length = self.cycles[cycle as usize].1;
            let forwards = p + 1 == q || q == 0 && p + 1 == length;
            *cut = if forwards { (cycle, p, x, y) } else { (cycle, q, y, x) };
        }
        let cuts = &mut cuts[..removed];
        cuts.sort_unstable();
        // What each end of a piece is joined to at the other end of it.
        let mut across = [0; 2 * MOST];
        let mut before = 0;
        for (i, cut) in cuts.iter().enumerate() {
            let first = cuts.partition_point(|other| other.0 < cut.0);
            before += i32::from(first == i);
            let next = cuts.get(i + 1).filter(|other| other.0 == cut.0).unwrap_or(&cuts[first]);
            across[cut.3] = next.2;
            across[next.2] = cut.3;
        }
        // The new edges join ends 1 and 2, 3 and 4, ..., the last and 0.
        let ends = chain.length;
        let mut seen = [false; 2 * MOST];
        let mut after = 0;
        for i in 0..ends {
            if seen[i] {
                continue;
            }
            after += 1;
            let mut at = i;
            while !seen[at] {
                seen[at] = true;
                let other = across[at];
                seen[other] = true;
                at = if other % 2 == 1 { (other + 1) % ends } else { (other + ends - 1) % ends };
            }
        }
        after - before
    }

    /// Makes the exchange and numbers the cycles anew that it touches.
    fn make(&mut self, cover: &mut Cover, chain: &Chain) {
        let ends = &chain.ends[..chain.length];
        for pair in ends.chunks_exact(2) {
            let number = self.cycle[pair[0] as usize];
            if self.cycles[number as usize].1 > 0 {
                self.cycles[number as usize].1 = 0;
                self.free.push(number);
                self.count -= 1;
            }
            cover.remove(pair[0], pair[1]);
        }
        for i in (1..ends.len()).step_by(2) {
            cover.add(ends[i], ends[(i + 1) % ends.len()]);
        }
        for &v in ends {
            self.cycle[v as usize] = NONE;
        }
        for &v in ends {
            if self.cycle[v as usize] == NONE {
                self.number(cover, v);
            }
        }
    }
}

impl Chain {
    fn has_added(&self, a: u32, b: u32) -> bool {
        (1..self.length.saturating_sub(1)).step_by(2).any(|i| {
            let (x, y) = (self.ends[i], self.ends[i + 1]);
            (x, y) == (a, b) || (x, y) == (b, a)
        })
    }

    fn has_removed(&self, a: u32, b: u32) -> bool {
        (0..self.length).step_by(2).any(|i| {
            let (x, y) = (self.ends[i], self.ends[i + 1]);
            (x, y) == (a, b) || (x, y) == (b, a)
        })
    }
}
