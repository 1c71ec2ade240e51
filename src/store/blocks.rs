//! A file too large to be read before it is used: written once from its start to its end, then mapped into memory and
//! read here and there.
//!
//! | bytes | what |
//! |---|---|
//! | 0..96 | the header of every file, see [`super`]; its hash is that of the last part |
//! | then | the body |
//! | the last part: | |
//! | 4 a block | CRC-32 of each block of 16 KiB of the file, as far as it is of the body: the first and the last are shorter |
//! | then | what the writer has to say of the body |
//! | 8 | bytes of the body |
//! | 8 | bytes of what the writer has to say |
//!
//! When the file is opened the header and the last part are checked; a block of the body is when it is first
//! looked at, before a byte of it is used.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::mapped::Mapped;
use super::partial::{self, Partial};
use super::{HEADER, Header, Kind, Seal, StoreError, Unfinished, create_unnamed, sync_directory};

/// Bytes with a check of their own.
const BLOCK: usize = 1 << 14;
/// Blocks written at a time.
const BLOCKS: usize = 16;

/// The name of a file that goes when this does.
#[derive(Debug)]
struct Doomed(Option<PathBuf>);

impl Drop for Doomed {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Where a file will be.
#[derive(Debug)]
enum Place {
    /// At a path; until it is whole, at another.
    Path(Partial, PathBuf),
    /// Nowhere: it goes with this run.
    Nowhere,
}

/// A file being written. Unless it is finished, nothing of it stays, and what was at its place stays.
#[derive(Debug)]
pub struct BlockWriter {
    /// Dropped before the file, which holds the lock on it.
    place: Place,
    doomed: Doomed,
    file: File,
    /// For messages.
    shown: PathBuf,
    seal: Seal,
    checks: Vec<u32>,
    buffer: Vec<u8>,
    /// Bytes of the file, with room for the header.
    written: u64,
}

impl BlockWriter {
    /// Begins a file that will be at this path, one of the `unfinished` ones of a run.
    pub fn create(path: &Path, seal: Seal, unfinished: &Unfinished) -> Result<BlockWriter, StoreError> {
        let (file, partial) = partial::create(path, unfinished)?;
        let shown = partial.name().to_owned();
        BlockWriter::begin(file, shown, Place::Path(partial, path.to_owned()), Doomed(None), seal)
    }

    /// Begins a file in a directory that goes with this run.
    pub fn temporary(directory: &Path, seal: Seal) -> Result<BlockWriter, StoreError> {
        let (file, path) = create_unnamed(directory)?;
        let doomed = Doomed(if cfg!(unix) { None } else { Some(path.clone()) });
        BlockWriter::begin(file, path, Place::Nowhere, doomed, seal)
    }

    fn begin(file: File, shown: PathBuf, place: Place, doomed: Doomed, seal: Seal) -> Result<BlockWriter, StoreError> {
        let mut buffer = Vec::with_capacity(BLOCK * BLOCKS);
        buffer.resize(HEADER, 0);
        Ok(BlockWriter { file, shown, place, doomed, seal, checks: Vec::new(), buffer, written: 0 })
    }

    /// Bytes of the body so far: where the next one will be.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.written + self.buffer.len() as u64 - HEADER as u64
    }

    /// Appends bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(BLOCK * BLOCKS - self.buffer.len()));
            self.buffer.extend_from_slice(part);
            if self.buffer.len() == BLOCK * BLOCKS {
                self.flush()?;
            }
            bytes = rest;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let header = if self.written == 0 { HEADER } else { 0 };
        let blocks = self.buffer.chunks(BLOCK).enumerate();
        self.checks.extend(blocks.map(|(i, block)| crc32fast::hash(&block[if i == 0 { header } else { 0 }..])));
        let result = self.file.write_all(&self.buffer);
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        result.map_err(|error| StoreError::io(&self.shown, "write", &error))
    }

    /// Puts the whole file at its place, for good, and maps it.
    pub fn finish(mut self, said: &[u8]) -> Result<BlockFile, StoreError> {
        self.flush()?;
        let body = self.written - HEADER as u64;
        let mut tail: Vec<u8> = self.checks.iter().flat_map(|check| check.to_le_bytes()).collect();
        tail.extend_from_slice(said);
        tail.extend(body.to_le_bytes());
        tail.extend((said.len() as u64).to_le_bytes());
        let header = self.seal.header(body + tail.len() as u64, blake3::hash(&tail));
        let mut complete = || {
            self.file.write_all(&tail)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&header)?;
            if let Place::Path(partial, path) = &self.place {
                self.file.sync_all()?;
                partial.place(path)?;
            }
            Mapped::new(&self.file)
        };
        let map = complete().map_err(|error| StoreError::io(&self.shown, "write", &error))?;
        let path = match self.place {
            Place::Path(_, path) => {
                sync_directory(&path)?;
                path
            }
            Place::Nowhere => self.shown,
        };
        Ok(BlockFile::new(map, path, body, self.checks, self.doomed))
    }
}

/// Blocks that were asked for.
#[derive(Debug, Default)]
pub struct Asked(Vec<Range<usize>>);

impl Asked {
    /// How many questions there were.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A file to be read here and there, by several threads.
#[derive(Debug)]
pub struct BlockFile {
    map: Mapped,
    path: PathBuf,
    body: u64,
    checks: Vec<u32>,
    /// One bit a block: whether it was checked.
    checked: Vec<AtomicU64>,
    /// Dropped after the map.
    _doomed: Doomed,
}

impl BlockFile {
    fn new(map: Mapped, path: PathBuf, body: u64, checks: Vec<u32>, doomed: Doomed) -> BlockFile {
        let checked = (0..checks.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        BlockFile { map, path, body, checks, checked, _doomed: doomed }
    }

    /// Opens a file; also gives what its writer had to say, and the fingerprint of its request.
    ///
    /// Cost: reads the last part, less than a thousandth of the file.
    pub fn open(path: &Path, kind: Kind, engine: u32) -> Result<(BlockFile, Vec<u8>, [u8; 32]), StoreError> {
        let failed = |error: &io::Error| StoreError::io(path, "read", error);
        let Some((mut file, header)) = Header::read(path, kind, engine)? else {
            return Err(failed(&ErrorKind::NotFound.into()));
        };
        header.check_length(path)?;
        let damaged = || StoreError::Damaged { path: path.to_owned() };
        let length = header.length();
        let mut sizes = [0; 16];
        let at_sizes = length.checked_sub(16).ok_or_else(damaged)?;
        file.seek(SeekFrom::Start(HEADER as u64 + at_sizes)).map_err(|error| failed(&error))?;
        file.read_exact(&mut sizes).map_err(|error| failed(&error))?;
        let size = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| sizes[at + i]));
        let (body, said) = (size(0), size(8));
        let checks = body.saturating_add(HEADER as u64).div_ceil(BLOCK as u64) * 4;
        // The parts make up the whole.
        let tail = said.checked_add(checks.saturating_add(16)).ok_or_else(damaged)?;
        if tail.checked_add(body) != Some(length) {
            return Err(damaged());
        }
        let tail_size = usize::try_from(tail).map_err(|_| damaged())?;
        let mut tail = Vec::new();
        tail.try_reserve_exact(tail_size).map_err(|_| damaged())?;
        file.seek(SeekFrom::Start(HEADER as u64 + body)).map_err(|error| failed(&error))?;
        (&mut file).take(tail_size as u64).read_to_end(&mut tail).map_err(|error| failed(&error))?;
        if tail.len() != tail_size || !header.vouches_for(blake3::hash(&tail)) {
            return Err(damaged());
        }
        let map = Mapped::new(&file).map_err(|error| failed(&error))?;
        // The file may have been cut off since.
        if map.bytes().len() as u64 != header.found {
            return Err(damaged());
        }
        let checks: Vec<u32> = tail[..checks as usize].as_chunks().0.iter().map(|&c| u32::from_le_bytes(c)).collect();
        let said = tail[checks.len() * 4..tail_size - 16].to_vec();
        Ok((BlockFile::new(map, path.to_owned(), body, checks, Doomed(None)), said, header.fingerprint()))
    }

    /// Bytes of the body.
    #[must_use]
    pub fn body(&self) -> u64 {
        self.body
    }

    /// Asks the system for bytes of the body that will be looked at, as far as they are there: those that never were are
    /// read from the disk meanwhile.
    pub fn ask(&self, at: u64, length: u64) {
        let end = at.saturating_add(length).min(self.body);
        if at < end {
            self.map.ask(HEADER + at as usize, (end - at) as usize);
        }
    }

    /// Bytes of the body, checked. `None`: some were never looked at; they are asked for now, and what is asked for is
    /// noted, to be waited for with [`BlockFile::wait`]. Meanwhile others can be asked for: a disk answers many
    /// questions in hardly more time than one.
    #[inline]
    pub fn bytes(&self, at: u64, length: usize, asked: &mut Asked) -> Result<Option<&[u8]>, StoreError> {
        let end = at.checked_add(length as u64).filter(|&end| end <= self.body).ok_or_else(|| self.damaged())?;
        if length == 0 {
            return Ok(Some(&[]));
        }
        let (begin, end) = (HEADER + at as usize, HEADER + end as usize);
        let blocks = begin / BLOCK..(end - 1) / BLOCK + 1;
        if !blocks.clone().all(|block| self.is_checked(block)) {
            self.ask_for(blocks, asked);
            return Ok(None);
        }
        Ok(Some(&self.map.bytes()[begin..end]))
    }

    #[cold]
    fn ask_for(&self, blocks: Range<usize>, asked: &mut Asked) {
        if !asked.0.contains(&blocks) {
            let range = self.range(&blocks);
            self.map.ask(range.start, range.len());
            asked.0.push(blocks);
        }
    }

    /// Waits for what was asked for, and checks it.
    pub fn wait(&self, asked: &mut Asked) -> Result<(), StoreError> {
        for block in asked.0.drain(..).flatten() {
            if !self.is_checked(block) {
                let bytes = &self.map.bytes()[self.range(&(block..block + 1))];
                if crc32fast::hash(bytes) != self.checks[block] {
                    return Err(self.damaged());
                }
                self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The part of the body that is in blocks of the file.
    fn range(&self, blocks: &Range<usize>) -> Range<usize> {
        (blocks.start * BLOCK).max(HEADER)..(blocks.end * BLOCK).min(HEADER + self.body as usize)
    }

    #[inline]
    fn is_checked(&self, block: usize) -> bool {
        self.checked[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 != 0
    }

    /// The error for what makes no sense.
    #[cold]
    #[must_use]
    pub fn damaged(&self) -> StoreError {
        StoreError::Damaged { path: self.path.clone() }
    }

    /// The error for what another version of the program has written.
    #[must_use]
    pub fn other_version(&self, what: &'static str, found: u32, known: u32) -> StoreError {
        StoreError::Version { path: self.path.clone(), what, found, known }
    }
}
