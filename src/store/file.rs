//! Files with a header, written as a whole and checked as a whole; and files for one run.

use super::{Unfinished, partial};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::partial::Partial;

pub(super) const MAGIC: [u8; 8] = *b"\x89KTOUR\r\n";
/// Version of the format.
const FORMAT: u32 = 1;
pub(super) const HEADER: usize = 96;
/// Bytes written or read at a time.
const BLOCK: usize = 1 << 18;

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

/// What a file must say of itself to be read.
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

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes what happened to the names in a directory last.
pub(super) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    // Elsewhere a directory cannot be opened, and need not be.
    if cfg!(unix) {
        let directory = directory(path);
        let result = File::open(directory).and_then(|file| file.sync_all());
        result.map_err(|error| StoreError::io(directory, "sync", &error))?;
    }
    Ok(())
}

/// Removes a file and what writers that were killed have left beside it, where they are.
pub fn remove(path: &Path) {
    // What cannot be removed is found, and checked, by the next run.
    let _ = std::fs::remove_file(path);
    partial::remove_left(path);
}

/// A file being written. Unless it is finished, nothing of it stays, and what was at its place stays.
///
/// Runs that write to the same path at once each write a file of their own (see `partial.rs`): the last one that
/// is finished stays.
#[derive(Debug)]
pub struct Writer {
    /// Dropped before the file, which holds the lock on it.
    partial: Partial,
    file: File,
    path: PathBuf,
    seal: Seal,
    hash: blake3::Hasher,
    length: u64,
    buffer: Vec<u8>,
}

impl Writer {
    /// Begins a file, one of the `unfinished` ones of a run.
    pub fn create(path: &Path, seal: Seal, unfinished: &Unfinished) -> Result<Writer, StoreError> {
        let (file, partial) = partial::create(path, unfinished)?;
        let buffer = Vec::with_capacity(BLOCK + 64);
        let (path, hash) = (path.to_owned(), blake3::Hasher::new());
        let mut writer = Writer { partial, file, path, seal, hash, length: 0, buffer };
        let written = writer.file.write_all(&[0; HEADER]);
        written.map_err(|error| StoreError::io(writer.partial.name(), "write", &error))?;
        Ok(writer)
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        for part in bytes.chunks(BLOCK) {
            self.buffer.extend_from_slice(part);
            if self.buffer.len() >= BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Appends a number.
    pub fn number(&mut self, number: u64) -> Result<(), StoreError> {
        self.bytes(&number.to_le_bytes())
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.hash.update(&self.buffer);
        self.length += self.buffer.len() as u64;
        let result = self.file.write_all(&self.buffer);
        self.buffer.clear();
        result.map_err(|error| StoreError::io(self.partial.name(), "write", &error))
    }

    /// Puts the whole file at its place, for good.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.flush()?;
        let header = self.seal.header(self.length, self.hash.finalize());
        let mut place = || {
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&header)?;
            self.file.sync_all()?;
            self.partial.place(&self.path)
        };
        place().map_err(|error| StoreError::io(&self.path, "write", &error))?;
        sync_directory(&self.path)
    }
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

/// A file that was checked from the first byte to the last, read in order.
#[derive(Debug)]
pub struct Reader {
    file: io::BufReader<File>,
    path: PathBuf,
    length: u64,
    left: u64,
}

impl Reader {
    /// Opens and checks a file; `None` if there is none.
    ///
    /// Cost: the file is read once, in constant memory.
    pub fn open(path: &Path, seal: Seal) -> Result<Option<Reader>, StoreError> {
        let failed = |error: &io::Error| StoreError::io(path, "read", error);
        let Some((mut file, header)) = Header::read(path, seal.kind, seal.engine)? else { return Ok(None) };
        if header.fingerprint() != seal.fingerprint {
            return Err(StoreError::Request { path: path.to_owned() });
        }
        header.check_length(path)?;
        let length = header.length();
        let mut hash = blake3::Hasher::new();
        let mut block = vec![0; BLOCK];
        let mut left = length;
        while left > 0 {
            let part = &mut block[..left.min(BLOCK as u64) as usize];
            file.read_exact(part).map_err(|error| failed(&error))?;
            hash.update(part);
            left -= part.len() as u64;
        }
        if !header.vouches_for(hash.finalize()) {
            return Err(StoreError::Damaged { path: path.to_owned() });
        }
        let mut reader =
            Reader { file: io::BufReader::with_capacity(BLOCK, file), path: path.to_owned(), length, left };
        reader.rewind()?;
        Ok(Some(reader))
    }

    /// Starts again from the first byte of the payload.
    pub fn rewind(&mut self) -> Result<(), StoreError> {
        let result = self.file.seek(SeekFrom::Start(HEADER as u64));
        self.left = self.length;
        result.map(|_| ()).map_err(|error| StoreError::io(&self.path, "read", &error))
    }

    /// Bytes not read yet.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Fills the slice.
    pub fn bytes(&mut self, to: &mut [u8]) -> Result<(), StoreError> {
        self.left = self.left.checked_sub(to.len() as u64).ok_or_else(|| self.damaged())?;
        self.file.read_exact(to).map_err(|error| StoreError::io(&self.path, "read", &error))
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64, StoreError> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The next number, of things that were done: few enough to add to.
    pub fn amount(&mut self) -> Result<u64, StoreError> {
        let number = self.number()?;
        if number < 1 << 56 { Ok(number) } else { Err(self.damaged()) }
    }

    /// The next number, that of things of which each takes `size` bytes or more of what is left.
    pub fn count(&mut self, size: u64) -> Result<usize, StoreError> {
        let count = self.number()?;
        let is_there = count.checked_mul(size).is_some_and(|bytes| bytes <= self.left);
        if is_there { usize::try_from(count).map_err(|_| self.damaged()) } else { Err(self.damaged()) }
    }

    /// The error for what another version of the program has written.
    #[must_use]
    pub fn other_version(&self, what: &'static str, found: u32, known: u32) -> StoreError {
        StoreError::Version { path: self.path.clone(), what, found, known }
    }

    /// The error for what makes no sense.
    #[must_use]
    pub fn damaged(&self) -> StoreError {
        StoreError::Damaged { path: self.path.clone() }
    }
}

/// A file in a directory that goes with this run, and the name that it had, or has where a file in use must keep it.
pub(super) fn create_unnamed(directory: &Path) -> Result<(File, PathBuf), StoreError> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("knightstour-{}-{number}.spill", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                if cfg!(unix) {
                    // The name goes now, the space with the last handle.
                    let _ = std::fs::remove_file(&path);
                }
                return Ok((file, path));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io(directory, "write to", &error)),
        }
    }
}

/// Room on a disk for this run alone, written at the end and read anywhere, by several threads.
#[derive(Debug)]
pub struct Spill {
    file: File,
    path: PathBuf,
    length: AtomicU64,
}

impl Spill {
    /// Room in a directory.
    pub fn create(directory: &Path) -> Result<Spill, StoreError> {
        let (file, path) = create_unnamed(directory)?;
        Ok(Spill { file, path, length: AtomicU64::new(0) })
    }

    /// Writes bytes and says where.
    pub fn append(&self, bytes: &[u8]) -> Result<u64, StoreError> {
        let at = self.reserve(bytes.len() as u64);
        self.write(bytes, at)?;
        Ok(at)
    }

    /// A place for this many bytes.
    pub fn reserve(&self, bytes: u64) -> u64 {
        self.length.fetch_add(bytes, Ordering::Relaxed)
    }

    /// Writes bytes to a place that is reserved.
    pub fn write(&self, bytes: &[u8], at: u64) -> Result<(), StoreError> {
        write_at(&self.file, bytes, at).map_err(|error| StoreError::io(&self.path, "write", &error))
    }

    /// Reads bytes that were written; `check` is their [`check`].
    pub fn read(&self, to: &mut [u8], at: u64, check: u32) -> Result<(), StoreError> {
        self.read_unchecked(to, at)?;
        self.check(to, check)
    }

    /// Reads bytes that were written, whose parts are to be checked.
    pub fn read_unchecked(&self, to: &mut [u8], at: u64) -> Result<(), StoreError> {
        read_at(&self.file, to, at).map_err(|error| StoreError::io(&self.path, "read", &error))
    }

    /// Whether bytes that were read are those that were written.
    pub fn check(&self, bytes: &[u8], check: u32) -> Result<(), StoreError> {
        if crc32fast::hash(bytes) == check { Ok(()) } else { Err(StoreError::Damaged { path: self.path.clone() }) }
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        if !cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The check of a piece of a [`Spill`]: its CRC-32.
#[must_use]
pub fn check(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(unix)]
fn read_at(file: &File, to: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, to, at)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, at)? {
            0 => return Err(ErrorKind::WriteZero.into()),
            written => (bytes, at) = (&bytes[written..], at + written as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, mut to: &mut [u8], mut at: u64) -> io::Result<()> {
    while !to.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, to, at)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            read => (to, at) = (&mut to[read..], at + read as u64),
        }
    }
    Ok(())
}
