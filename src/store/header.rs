//! [`Header`]: what a file begins with, and the [`Seal`] by which it is known.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::error::StoreError;

pub(super) const MAGIC: [u8; 8] = *b"\x89KTOUR\r\n";

/// Version of the format.
const FORMAT: u32 = 1;

pub(super) const HEADER: usize = 96;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The state of a count under way.
    Checkpoint = 1,
    /// The counts from some of the squares of a table of starts.
    Starts = 3,
    /// All layers of a sweep, to number tours by.
    Index = 2,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Checkpoint => "a checkpoint of a count",
            Kind::Starts => "a checkpoint of a table of starts",
            Kind::Index => "an index of tours",
        }
    }
}

/// What the head of a file must say before the rest is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// What it is for.
    pub kind: Kind,
    /// The version of the engine.
    pub engine: u32,
    /// The fingerprint of the request.
    pub fingerprint: [u8; 32],
}

impl Seal {
    /// The seal of a file for a request, given as bytes.
    #[must_use]
    pub fn new(kind: Kind, engine: u32, request: &[u8]) -> Seal {
        Seal { kind, engine, fingerprint: blake3::hash(request).into() }
    }

    /// The header of a file with a payload of this length and hash.
    pub(super) fn header(&self, length: u64, payload: blake3::Hash) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        header[12..16].copy_from_slice(&(self.kind as u32).to_le_bytes());
        header[16..20].copy_from_slice(&self.engine.to_le_bytes());
        header[24..56].copy_from_slice(&self.fingerprint);
        header[56..64].copy_from_slice(&length.to_le_bytes());
        let check = checksum(&header, payload);
        header[64..].copy_from_slice(check.as_bytes());
        header
    }
}

fn checksum(header: &[u8; HEADER], payload: blake3::Hash) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    hash.update(payload.as_bytes());
    hash.update(&header[..64]);
    hash.finalize()
}

/// The header of a file, as it was found there.
#[derive(Debug)]
pub(super) struct Header {
    bytes: [u8; HEADER],
    /// Bytes of the whole file.
    pub(super) found: u64,
}

impl Header {
    /// Opens a file of this kind and reads its header; `None` if there is none.
    pub(super) fn read(path: &Path, kind: Kind, engine: u32) -> Result<Option<(File, Header)>, StoreError> {
        let failed = |error: &io::Error| StoreError::io(path, "read", error);
        // A pipe would be waited for.
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(StoreError::Foreign { path: path.to_owned() }),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&error)),
        }
        let mut file = File::open(path).map_err(|error| failed(&error))?;
        // Of the file that was opened: another may have been put at its place since.
        let found = file.metadata().map_err(|error| failed(&error))?.len();
        let mut start = Vec::new();
        (&mut file).take(HEADER as u64).read_to_end(&mut start).map_err(|error| failed(&error))?;
        let Ok(bytes) = <[u8; HEADER]>::try_from(&start[..]) else {
            let is_ours = start.len() <= MAGIC.len() && MAGIC.starts_with(&start) || start.starts_with(&MAGIC);
            let (path, expected) = (path.to_owned(), HEADER as u64);
            return Err(if is_ours {
                StoreError::Length { path, expected, found }
            } else {
                StoreError::Foreign { path }
            });
        };
        let header = Header { bytes, found };
        if bytes[..8] != MAGIC {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let other = |what, found, known| Err(StoreError::Version { path: path.to_owned(), what, found, known });
        if header.word(8) != FORMAT {
            return other("format", header.word(8), FORMAT);
        }
        if header.word(12) != kind as u32 {
            return Err(StoreError::Kind { path: path.to_owned(), wanted: kind.name() });
        }
        if header.word(16) != engine {
            return other("engine", header.word(16), engine);
        }
        Ok(Some((file, header)))
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|i| self.bytes[at + i]))
    }

    pub(super) fn fingerprint(&self) -> [u8; 32] {
        std::array::from_fn(|i| self.bytes[24 + i])
    }

    /// Bytes that follow it, as it says.
    pub(super) fn length(&self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|i| self.bytes[56 + i]))
    }

    /// Whether this many do.
    pub(super) fn check_length(&self, path: &Path) -> Result<(), StoreError> {
        let (expected, found) = (self.length().saturating_add(HEADER as u64), self.found);
        if expected == found { Ok(()) } else { Err(StoreError::Length { path: path.to_owned(), expected, found }) }
    }

    /// Whether it is whole and was written for a file with this hash.
    pub(super) fn vouches_for(&self, payload: blake3::Hash) -> bool {
        checksum(&self.bytes, payload).as_bytes()[..] == self.bytes[64..]
    }
}
