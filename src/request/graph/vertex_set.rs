//! [`VertexSet`]: a set of vertices of a graph.

/// A set of vertices of any size: a bit each.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct VertexSet {
    pub(super) words: Vec<u64>,
}

impl VertexSet {
    /// The empty set, with room for `count` vertices.
    #[must_use]
    pub fn empty(count: usize) -> Self {
        VertexSet { words: vec![0; count.div_ceil(64)] }
    }

    /// All of `count` vertices.
    #[must_use]
    pub fn full(count: usize) -> Self {
        let mut words = vec![u64::MAX; count.div_ceil(64)];
        if let (Some(last), 1..) = (words.last_mut(), count % 64) {
            *last = (1 << (count % 64)) - 1;
        }
        VertexSet { words }
    }

    /// Whether the vertex is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, vertex: u32) -> bool {
        self.words[vertex as usize / 64] >> (vertex % 64) & 1 != 0
    }

    /// Puts a vertex in.
    #[inline]
    pub fn add(&mut self, vertex: u32) {
        self.words[vertex as usize / 64] |= 1 << (vertex % 64);
    }

    /// Takes a vertex out.
    #[inline]
    pub fn discard(&mut self, vertex: u32) {
        self.words[vertex as usize / 64] &= !(1 << (vertex % 64));
    }

    /// How many vertices are in the set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The members, rising.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(at, &word)| crate::board::Bitboard(word).map(move |bit| at as u32 * 64 + bit))
    }

    /// The vertices in both sets, which are of one graph.
    #[must_use]
    pub fn and(&self, other: &VertexSet) -> Self {
        VertexSet { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    /// The vertices of this set that are not in the other, which is of the same graph.
    #[must_use]
    pub fn minus(&self, other: &VertexSet) -> Self {
        VertexSet { words: self.words.iter().zip(&other.words).map(|(a, b)| a & !b).collect() }
    }

    /// The words, 64 vertices each, lowest first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}
