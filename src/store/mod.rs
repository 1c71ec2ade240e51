//! Files that can be trusted: checkpoints, and states that do not fit the memory.
//!
//! A file that is to be read by a later run ([`Writer`], [`Reader`]) has a header of 96 bytes and a payload. All numbers
//! are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | magic: `\x89KTOUR\r\n` |
//! | 8..12 | version of this format |
//! | 12..16 | [`Kind`] |
//! | 16..20 | version of the engine whose state it is |
//! | 20..24 | 0 |
//! | 24..56 | fingerprint of the request: BLAKE3 of [`Request::encode`](crate::Request::encode) |
//! | 56..64 | length of the payload |
//! | 64..96 | BLAKE3 of the BLAKE3 of the payload and the 64 bytes before |
//!
//! It is written under another name beside its place (`partial.rs`), synced, and renamed: at its place there is always a
//! whole file, the old or the new. When it is opened everything is checked, the whole payload included, before a byte of it is used. A file
//! that fails is refused with an error that names it; it is never repaired and never overwritten unread.
//!
//! A file that is too large to be read before it is used ([`BlockWriter`], [`BlockFile`]) has the same header; its checks are in
//! its last part, which the header vouches for.
//!
//! A file for this run alone ([`Spill`]) has no header. It has no name either where the system allows that, so that it
//! vanishes with the process however that ends; each piece of it has its check in memory.

mod blocks;
mod error;
mod file;
mod header;
mod mapped;
mod partial;

pub use blocks::{Asked, BlockFile, BlockWriter};
/// The check of a piece of a [`Spill`] that comes in parts.
pub use crc32fast::Hasher as Check;
pub use error::StoreError;
pub use file::{Reader, Spill, Writer, check, remove};
use file::{create_unnamed, sync_directory};
use header::{HEADER, Header, MAGIC};
pub use header::{Kind, Seal};
pub use partial::Unfinished;
