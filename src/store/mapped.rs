//! [`Mapped`]: a file as memory, read from the disk where it is looked at.
//!
//! A memory map cannot be safe by itself: another program may write to the file, or cut it off, while it is seen here as
//! memory that does not change, and what is cut off cannot be read without the system ending the process. What keeps
//! this sound as far as it can be: the map is read-only; the bytes are only ever read as numbers, any of which is
//! a valid one, and every offset that comes of them is checked; and this program never writes to a file once it has its
//! name, but puts another in its place. A user who overwrites an index in place while it is open gets an error or a
//! wrong number, and one who cuts it off ends the process, as with any program that maps files.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

/// A file as memory.
#[derive(Debug)]
pub struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a file.
    pub fn new(file: &File) -> io::Result<Mapped> {
        // SAFETY: nothing in this process writes to the file from now on; for others see above.
        let map = unsafe { memmap2::Mmap::map(file) }?;
        // What lies around a place that is looked at is of no use: megabytes would be read for some bytes. Advice that is not
        // taken does no harm, here and below.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Mapped(map))
    }

    /// Says that bytes will be looked at soon: they are read from the disk meanwhile.
    pub fn ask(&self, at: usize, length: usize) {
        #[cfg(unix)]
        let _ = self.0.advise_range(memmap2::Advice::WillNeed, at, length);
        #[cfg(not(unix))]
        let _ = (at, length);
    }

    /// All bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
