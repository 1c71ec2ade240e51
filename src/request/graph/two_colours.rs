//! [`TwoColours`]: a colour for each vertex, such that edges join different ones.

use super::VertexSet;

/// The vertices that have the colour of vertex 0, of those that are connected with it, and how many
/// those are; `None` if an edge among them joins two of one colour.
pub(crate) fn two_colours<I: Iterator<Item = u32>>(
    count: usize,
    neighbours: impl Fn(u32) -> I,
) -> Option<(VertexSet, usize)> {
    let mut colouring = TwoColours::new(count);
    while colouring.step(&neighbours) {}
    let reached = colouring.reached;
    colouring.first().map(|first| (first, reached))
}

/// The walk of [`two_colours`], vertex by vertex.
#[derive(Clone, Debug)]
pub(crate) struct TwoColours {
    first: VertexSet,
    known: VertexSet,
    stack: Vec<u32>,
    reached: usize,
    /// Whether an edge was met that joins two vertices of one colour.
    clashes: bool,
}

impl TwoColours {
    pub(crate) fn new(count: usize) -> TwoColours {
        let (mut first, mut known) = (VertexSet::empty(count), VertexSet::empty(count));
        first.add(0);
        known.add(0);
        TwoColours { first, known, stack: vec![0], reached: 1, clashes: false }
    }

    /// Looks at one vertex more; says whether there are others.
    pub(crate) fn step<I: Iterator<Item = u32>>(&mut self, neighbours: impl Fn(u32) -> I) -> bool {
        let Some(v) = self.stack.pop() else { return false };
        let colour = self.first.contains(v);
        for u in neighbours(v) {
            if self.known.contains(u) {
                if self.first.contains(u) == colour {
                    self.clashes = true;
                    return false;
                }
            } else {
                self.known.add(u);
                if !colour {
                    self.first.add(u);
                }
                self.reached += 1;
                self.stack.push(u);
            }
        }
        true
    }

    /// The vertices with the colour of vertex 0, if there are two colours.
    pub(crate) fn first(self) -> Option<VertexSet> {
        (!self.clashes).then_some(self.first)
    }
}
