//! [`bound`]: how many squares a path can have at most, by a flow.
//!
//! A path uses two moves at each of its squares and one at an end. Leave out that its moves hang together: what remains
//! is a question of flow, as for tours (`existence/shortage.rs`). Each square stands once on the left and once on the
//! right, and passes on as many moves as it may use; each move carries one unit each way at most. A path of k squares is
//! a flow of 2(k - 1), a cycle one of 2k. So the largest flow of each piece of the board bounds both. On a board of two
//! colours this contains the balance of the colours, and the shortage of moves in corners as well.

use crate::budget::{Budget, Pause};
use crate::graph::Graph;

/// The bound, and a number for the piece that each vertex lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No path has more vertices; 0 if there is none at all.
    pub squares: usize,
    /// The pieces, and how many vertices a path in each has at most.
    pub pieces: Vec<u32>,
    /// Of each piece.
    pub most: Vec<usize>,
}

/// Bounds the paths of a graph, or its cycles, with the given ends.
///
/// Cost: a few passes over the moves as a rule, at most as many as there are vertices. Takes no nodes.
pub fn bound(graph: &Graph, closed: bool, ends: [Option<u32>; 2], budget: &Budget) -> Result<Bound, Pause> {
    let count = graph.len();
    let (pieces, number) = graph.pieces();
    let mut sizes = vec![0; number as usize];
    for &piece in &pieces {
        sizes[piece as usize] += 1;
    }
    let room: Vec<u8> = (0..count as u32).map(|v| if !closed && ends.contains(&Some(v)) { 1 } else { 2 }).collect();
    let mut flow =
        Flow { graph, gives: vec![0; count], left: room.clone(), right: room, found: vec![0; count], clock: 0 };
    for v in 0..count as u32 {
        if v % 256 == 0 {
            let claimed = budget.take(1)?;
            budget.give_back(claimed);
        }
        while flow.left[v as usize] > 0 && flow.augment(v) {}
    }
    let mut used = vec![0; number as usize];
    for v in 0..count {
        used[pieces[v] as usize] += flow.gives[v].count_ones() as usize;
    }
    let colouring = graph.colouring();
    let mut most: Vec<usize> = (0..number as usize)
        .map(|piece| {
            let moves = used[piece] / 2;
            match closed {
                true if moves < 3 => 0,
                true => moves.min(sizes[piece]),
                false => (moves + 1).min(sizes[piece]),
            }
        })
        .collect();
    for (piece, most) in most.iter_mut().enumerate() {
        if ends.iter().flatten().any(|&end| pieces[end as usize] as usize != piece) {
            *most = 0;
        }
    }
    // Along a path two colours alternate.
    if let Some(colours) = colouring {
        let is_odd = match (closed, ends) {
            (true, _) => Some(false),
            (false, [Some(a), Some(b)]) => Some(colours.first.contains(a) == colours.first.contains(b)),
            _ => None,
        };
        if let Some(is_odd) = is_odd
            && most[0] % 2 != usize::from(is_odd)
        {
            most[0] = most[0].saturating_sub(1);
        }
        if let (false, [Some(end), None] | [None, Some(end)]) = (closed, ends) {
            // From the colour of which there are fewer, as many as of that, twice.
            let first = colours.first.contains(end);
            let (own, other) = if first {
                (colours.first_count, colours.second_count)
            } else {
                (colours.second_count, colours.first_count)
            };
            most[0] = most[0].min(if own <= other { 2 * own } else { 2 * other + 1 });
        }
    }
    Ok(Bound { squares: most.iter().copied().max().unwrap_or(0), pieces, most })
}

struct Flow<'a> {
    graph: &'a Graph,
    /// What each vertex on the left gives, a bit a neighbour.
    gives: Vec<u8>,
    /// What each vertex has left to give, and to take.
    left: Vec<u8>,
    right: Vec<u8>,
    /// When the right side of a vertex was last come to.
    found: Vec<u32>,
    clock: u32,
}

impl Flow<'_> {
    /// Sends one more unit from a vertex, if there is a way.
    fn augment(&mut self, start: u32) -> bool {
        self.clock += 1;
        // Left vertices to look at: (vertex, where in this list it was come from, the right vertex in between).
        let mut queue: Vec<(u32, usize, u32)> = vec![(start, usize::MAX, u32::MAX)];
        let mut at = 0;
        while let Some(&(v, ..)) = queue.get(at) {
            for (i, &u) in self.graph.neighbours(v).iter().enumerate() {
                if self.gives[v as usize] >> i & 1 != 0 || self.found[u as usize] == self.clock {
                    continue;
                }
                self.found[u as usize] = self.clock;
                if self.right[u as usize] > 0 {
                    self.right[u as usize] -= 1;
                    self.left[start as usize] -= 1;
                    self.push(&queue, at, u);
                    return true;
                }
                // Whoever gives to it may give elsewhere.
                for &w in self.graph.neighbours(u) {
                    if w != v && self.is_given(w, u) {
                        queue.push((w, at, u));
                    }
                }
            }
            at += 1;
        }
        false
    }

    fn index(&self, v: u32, u: u32) -> usize {
        self.graph.neighbours(v).binary_search(&u).unwrap_or_default()
    }

    fn is_given(&self, v: u32, u: u32) -> bool {
        self.gives[v as usize] >> self.index(v, u) & 1 != 0
    }

    fn push(&mut self, queue: &[(u32, usize, u32)], mut at: usize, mut to: u32) {
        loop {
            let (v, from, through) = queue[at];
            let i = self.index(v, to);
            self.gives[v as usize] ^= 1 << i;
            if from == usize::MAX {
                return;
            }
            let j = self.index(v, through);
            self.gives[v as usize] ^= 1 << j;
            (at, to) = (from, through);
        }
    }
}
