//! The names under which files are written until they are whole.
//!
//! A file `NAME` is written as `NAME.partial`, or as `NAME.2.partial` and so on where that is in use: by another run
//! that writes the same file, or because it is no file of this program, which is left alone. Its writer holds a lock on
//! it, which ends with the process however that ends. So a file that nobody holds was left behind by a run that was killed;
//! the next that writes there, or removes `NAME`, removes it. There are never more of them than runs that were killed
//! while they wrote the same file at once. (Where the system knows no locks nothing is taken for left behind.)

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::{HEADER, MAGIC, StoreError};

/// Runs that write the same file at once, at most.
const MOST: u32 = 100;

/// The names under which a file may be written, in turn.
fn names(path: &Path) -> Result<impl Iterator<Item = PathBuf>, StoreError> {
    let Some(name) = path.file_name() else {
        let error = io::Error::new(ErrorKind::InvalidInput, "it names no file");
        return Err(StoreError::io(path, "write", &error));
    };
    Ok((1..=MOST).map(move |number| {
        let mut name = name.to_owned();
        if number > 1 {
            name.push(format!(".{number}"));
        }
        name.push(".partial");
        path.with_file_name(name)
    }))
}

/// A new file beside a path, which no other run writes to, and its name. It is renamed or removed while it is open.
pub fn create(path: &Path) -> Result<(File, PathBuf), StoreError> {
    for name in names(path)? {
        remove_if_left(&name);
        let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(StoreError::io(&name, "write", &error)),
        };
        match file.try_lock() {
            // Before it was locked it could be taken for left behind.
            Ok(()) if is_at(&file, &name) => return Ok((file, name)),
            Ok(()) | Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(_)) => return Ok((file, name)),
        }
    }
    let error = io::Error::new(ErrorKind::AlreadyExists, "too many runs write it at once");
    Err(StoreError::io(path, "write", &error))
}

/// Removes what runs that were killed have left beside a path.
pub fn remove_left(path: &Path) {
    names(path).into_iter().flatten().for_each(|name| remove_if_left(&name));
}

/// Removes a file that is not whole and that nobody writes to. What cannot be removed stays.
fn remove_if_left(name: &Path) {
    // A pipe would be waited for.
    if !name.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return;
    }
    let Ok(mut file) = OpenOptions::new().read(true).write(true).open(name) else { return };
    // Only who holds the lock renames or removes: what is at the name stays there meanwhile.
    if file.try_lock().is_ok() && is_at(&file, name) && is_ours(&mut file) {
        let _ = std::fs::remove_file(name);
    }
}

/// Whether it begins as a file of this program does: with no header yet, or with a header.
fn is_ours(file: &mut File) -> bool {
    let mut start = Vec::new();
    let is_read = file.take(HEADER as u64).read_to_end(&mut start).is_ok();
    is_read && (start.iter().all(|&byte| byte == 0) || start.starts_with(&MAGIC))
}

/// Whether the name is still that of the open file.
#[cfg(unix)]
fn is_at(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(own), Ok(there)) = (file.metadata(), name.symlink_metadata()) else { return false };
    (own.dev(), own.ino()) == (there.dev(), there.ino())
}

/// Whether there still is a file of the name.
#[cfg(not(unix))]
fn is_at(_: &File, name: &Path) -> bool {
    name.symlink_metadata().is_ok()
}
