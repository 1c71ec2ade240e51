//! [`Position`]: where a listing stands, small enough to be kept, so that it goes on from there at once.

/// Where a search stands: the choices that lead from its beginning to where it is. It grows with the
/// depth of the search and not with the tours listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Tours listed so far.
    pub(super) tours: u64,
    /// The vertex from which on the first of several is preferred.
    pub(super) origin: u32,
    /// The reverse of the tour last listed comes next.
    pub(super) reverse_next: bool,
    /// The edges chosen freely, and those forbidden after all tours with them had been listed.
    pub(super) choices: Vec<Choice>,
}

/// An edge, with it or without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) u: u32,
    pub(super) v: u32,
    pub(super) with: bool,
}

impl Position {
    /// How many tours have been listed before it.
    #[must_use]
    pub fn tours(&self) -> u64 {
        self.tours
    }

    /// As bytes: the tours, the origin, whether a reverse is due, and nine bytes a choice.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = self.tours.to_le_bytes().to_vec();
        bytes.extend(self.origin.to_le_bytes());
        bytes.push(self.reverse_next.into());
        for choice in &self.choices {
            bytes.extend(choice.u.to_le_bytes());
            bytes.extend(choice.v.to_le_bytes());
            bytes.push(choice.with.into());
        }
        bytes
    }

    /// From bytes; `None` if they cannot be meant.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Position> {
        let (tours, rest) = bytes.split_first_chunk()?;
        let (origin, rest) = rest.split_first_chunk()?;
        let (&reverse_next, rest) = rest.split_first()?;
        let (choices, rest) = rest.as_chunks::<9>();
        let flag = |byte: u8| (byte < 2).then_some(byte == 1);
        let choice = |&[a, b, c, d, e, f, g, h, with]: &[u8; 9]| {
            let (u, v) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
            Some(Choice { u, v, with: flag(with)? })
        };
        let position = Position {
            tours: u64::from_le_bytes(*tours),
            origin: u32::from_le_bytes(*origin),
            reverse_next: flag(reverse_next)?,
            choices: choices.iter().map(choice).collect::<Option<_>>()?,
        };
        rest.is_empty().then_some(position)
    }
}
