//! The bytes of a request, by which files of users know it.
//!
//! They are part of the formats of checkpoints, tables of starts, indexes and positions of listings: whatever is renamed or
//! moved, they stay. All numbers have 64 bits, little-endian.
//!
//! | what | numbers |
//! |---|---|
//! | `knightstour request 1\n` | (22 bytes) |
//! | rows, columns | 2 |
//! | the two distances of the leaper's move | 2 |
//! | joined sides: 0 none, 1 left and right, 2 top and bottom, 3 both | 1 |
//! | 1 for closed tours, and 2 more if there are steps | 1 |
//! | start and end, each 0 or the square's number + 1 | 2 |
//! | number of blocked squares, then each | 1 + n |
//! | number of moves to be used, then for each 2^32 times the smaller square plus the larger | 1 + n |
//! | number of moves to be avoided, then each in the same way | 1 + n |
//! | number of steps, then for each 2^32 times the step plus the square | 1 + n |
//! | only with symmetries or for one tour of each class: `symmetric NAME... distinct true` (or `false`) | (text) |
//!
//! Before requests with steps had their mark, those of closed tours meant others, and all were listed in another order.

use super::request::Request;
use crate::board::{Board, Leaper, Wrap};
use crate::symmetry::Symmetry;

/// What the bytes of a request begin with.
const HEAD: &[u8] = b"knightstour request 1\n";

/// The mark of a request with steps, beside 1 for a closed one.
const WITH_STEPS: u32 = 2;

impl Request {
    /// The request as bytes, stable across versions: what a fingerprint of it is taken from.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.encode_as(if self.steps.is_empty() { 0 } else { WITH_STEPS })
    }

    /// The fingerprint of the request, by which files know it.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        *blake3::hash(&self.encode()).as_bytes()
    }

    /// Whether this was the fingerprint of the request in an earlier version, whose answers were others.
    #[must_use]
    pub fn was_known_as(&self, fingerprint: &[u8; 32]) -> bool {
        !self.steps.is_empty() && blake3::hash(&self.encode_as(0)) == *fingerprint
    }

    fn encode_as(&self, mark: u32) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        let wrap = match self.board.wrap() {
            Wrap::None => 0,
            Wrap::Cols => 1,
            Wrap::Rows => 2,
            Wrap::Both => 3,
        };
        let end = |square: Option<u32>| square.map_or(0, |s| u64::from(s) + 1);
        let leaper = self.board.leaper();
        let mut number = |value: u64| bytes.extend(value.to_le_bytes());
        let kind = u32::from(self.closed) + mark;
        for value in [self.board.rows(), self.board.cols(), leaper.a, leaper.b, wrap, kind] {
            number(value.into());
        }
        number(end(self.start));
        number(end(self.end));
        let mut pairs = |list: &mut dyn Iterator<Item = (u32, u32)>| {
            let list: Vec<_> = list.collect();
            number(list.len() as u64);
            for (a, b) in list {
                number(u64::from(a) << 32 | u64::from(b));
            }
        };
        pairs(&mut self.board.blocked_squares().map(|n| (0, n)));
        pairs(&mut self.including.iter().copied());
        pairs(&mut self.excluding.iter().copied());
        pairs(&mut self.steps.iter().copied());
        if !self.is_plain() {
            let names: Vec<String> = self.symmetric.iter().map(Symmetry::to_string).collect();
            bytes.extend(format!("symmetric {} distinct {}", names.join(" "), self.distinct).into_bytes());
        }
        bytes
    }

    /// The request with these bytes ([`Request::encode`]), if there is one. They need not be trusted.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Request> {
        let mut numbers = bytes.strip_prefix(HEAD)?.chunks(8).map(|chunk| <[u8; 8]>::try_from(chunk).ok());
        let mut number = || numbers.next().flatten().map(u64::from_le_bytes);
        let mut small = || number().and_then(|value| u32::try_from(value).ok());
        let (rows, cols, a, b) = (small()?, small()?, small()?, small()?);
        let wrap = match small()? {
            0 => Wrap::None,
            1 => Wrap::Cols,
            2 => Wrap::Rows,
            3 => Wrap::Both,
            _ => return None,
        };
        let kind = small()?;
        let is_closed = kind % WITH_STEPS == 1;
        let (start, end) = (number()?, number()?);
        let mut pairs = || {
            let count = number()?;
            (0..count).map(|_| number().map(|pair| ((pair >> 32) as u32, pair as u32))).collect::<Option<Vec<_>>>()
        };
        let (blocked, including, excluding, steps) = (pairs()?, pairs()?, pairs()?, pairs()?);
        let board =
            Board::build(rows, cols, blocked.iter().map(|&(_, square)| square), Leaper::new(a, b), wrap).ok()?;
        let mut request = if is_closed { Request::closed(board) } else { Request::open(board) };
        let square = |end: u64| u32::try_from(end - 1).ok();
        if start > 0 {
            request = request.with_start(square(start)?).ok()?;
        }
        if end > 0 {
            request = request.with_end(square(end)?).ok()?;
        }
        if kind / WITH_STEPS != u32::from(!steps.is_empty()) {
            return None;
        }
        let steps = steps.into_iter().map(|(step, square)| (square, step.into()));
        let request = request.with_all_included(including).and_then(|request| request.with_all_excluded(excluding));
        request.and_then(|request| request.with_all_steps(steps)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What files hold: none of these may ever change.
    #[test]
    fn the_bytes_of_a_request_stay() {
        let board = || Board::build(3, 4, [5], Leaper::KNIGHT, Wrap::Cols).unwrap();
        let plain = Request::open(board()).with_start(0).unwrap();
        let numbers: [u64; 13] = [3, 4, 1, 2, 1, 0, 1, 0, 1, 5, 0, 0, 0];
        let bytes =
            |numbers: &[u64]| [HEAD, &numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>()].concat();
        assert_eq!(plain.encode(), bytes(&numbers));
        let refined = Request::closed(Board::new(3, 10).unwrap())
            .with_included(12, 0)
            .and_then(|request| request.with_excluded(1, 13))
            .and_then(|request| request.with_step(4, 7))
            .unwrap();
        let edges = [1, 12, 1, (1 << 32) + 13, 1, (7 << 32) + 4];
        assert_eq!(refined.encode(), bytes(&[&[3, 10, 1, 2, 0, 3, 0, 0, 0], &edges[..]].concat()));
        assert_eq!(Request::decode(&refined.encode()), Some(refined.clone()));
        let unmarked = [3, 10, 1, 2, 0, 1, 0, 0, 0];
        let once = blake3::hash(&bytes(&[&unmarked, &edges[..]].concat()));
        assert!(refined.was_known_as(once.as_bytes()) && !plain.was_known_as(&plain.fingerprint()));
        let classes =
            Request::open(Board::new(3, 4).unwrap()).with_symmetric_named("half-turn").unwrap().with_distinct();
        let text = b"symmetric half-turn distinct true".as_slice();
        let numbers = [3, 4, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(classes.encode(), [&bytes(&numbers), text].concat());
    }
}
