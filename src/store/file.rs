//! Files with a header, written as a whole and checked as a whole; and files for one run.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::StoreError;
use super::header::{HEADER, Header, Seal};
use super::partial::Partial;
use super::{Unfinished, partial};

/// Bytes written or read at a time.
const BLOCK: usize = 1 << 18;

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
