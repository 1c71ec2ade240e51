//! [`StoreError`]: what is wrong with a file.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The system refuses: no such directory, no permission, no space.
    #[error("cannot {doing} {}: {message}", shown(.path))]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's reason.
        kind: ErrorKind,
        /// The system's words.
        message: String,
    },
    /// Not a file of this program.
    #[error("{} is not a file of knightstour; it was not changed", shown(.path))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Of another version of the program.
    #[error("{} was written by another version of knightstour ({what} {found}, here {known}); finish it with that version or remove it", shown(.path))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of what.
        what: &'static str,
        /// The version of the file.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// A file of another kind.
    #[error("{} is not {wanted}", shown(.path))]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it should be.
        wanted: &'static str,
    },
    /// Of another request.
    #[error("{} belongs to another request (board, kind of tour, ends or moves); choose another file or remove it", shown(.path))]
    Request {
        /// The file.
        path: PathBuf,
    },
    /// Not the length that it should have.
    #[error("{} has {found} bytes and should have {expected}: it was cut short or added to; remove it to start again", shown(.path))]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Not the bytes that were written.
    #[error("{} is damaged: its checksum is wrong; remove it to start again", shown(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

/// A path in a message. Of a long one, which nobody reads, the end with the file's name.
fn shown(path: &Path) -> String {
    const LENGTH: usize = 200;
    let text = path.display().to_string();
    match text.char_indices().rev().nth(LENGTH - 1) {
        Some((at, _)) if at > 0 => format!("...{}", &text[at..]),
        _ => text,
    }
}

impl StoreError {
    pub(super) fn io(path: &Path, doing: &'static str, error: &io::Error) -> StoreError {
        StoreError::Io { path: path.to_owned(), doing, kind: error.kind(), message: error.to_string() }
    }
}
