//! The names under which files are written until they are whole.
//!
//! A file `NAME` is written as `NAME.partial`, or as `NAME.2.partial` and so on where that is in use: by another run
//! that writes the same file, or because it is no file of this program, which is left alone. Its writer holds a lock on
//! it, which ends with the process however that ends. So a file that nobody holds was left behind by a run that was killed;
//! the next that writes there, or removes `NAME`, removes it. There are never more of them than runs that were killed
//! while they wrote the same file at once. (Where the system knows no locks nothing is taken for left behind.)
//!
//! A run that is left behind (after Ctrl-C nobody waits for a thread that the disk holds up) may not come back before the
//! process ends. Whoever leaves it removes its names at once: [`Unfinished::give_up`].

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{HEADER, MAGIC, StoreError};

/// Runs that write the same file at once, at most.
const MOST: u32 = 100;

/// The names under which a file may be written, in turn.
fn names(path: &Path) -> Result<impl Iterator<Item = PathBuf>, StoreError> {
    let Some(name) = path.file_name() else {
        let error = io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file");
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

/// The names under which a run is writing files.
#[derive(Clone, Debug, Default)]
pub struct Unfinished(Arc<Mutex<Names>>);

#[derive(Debug, Default)]
struct Names {
    names: Vec<PathBuf>,
    is_given_up: bool,
}

impl Unfinished {
    /// Removes all of them; the run can finish no file any more. Waits for no disk but to remove a name.
    pub fn give_up(&self) {
        let mut names = self.lock();
        names.is_given_up = true;
        for name in names.names.drain(..) {
            let _ = std::fs::remove_file(name);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Names> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where files may be written does not depend on which of them are being written.
impl PartialEq for Unfinished {
    fn eq(&self, _: &Unfinished) -> bool {
        true
    }
}

impl Eq for Unfinished {}

/// The name of a file that is being written: it goes when this does, unless the file was put at its place.
#[derive(Debug)]
pub struct Partial {
    name: PathBuf,
    unfinished: Unfinished,
}

impl Partial {
    /// The name.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Puts the file at its place.
    pub fn place(&self, path: &Path) -> io::Result<()> {
        let mut names = self.unfinished.lock();
        let at = names.names.iter().position(|name| *name == self.name).ok_or(ErrorKind::Interrupted)?;
        std::fs::rename(&self.name, path)?;
        names.names.swap_remove(at);
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let mut names = self.unfinished.lock();
        // What was given up is gone, and the name may be another's.
        if let Some(at) = names.names.iter().position(|name| *name == self.name) {
            names.names.swap_remove(at);
            let _ = std::fs::remove_file(&self.name);
        }
    }
}

/// A new file beside a path, which no other run writes to, and its name. It is placed or removed while it is open.
pub fn create(path: &Path, unfinished: &Unfinished) -> Result<(File, Partial), StoreError> {
    let mut held = unfinished.lock();
    if held.is_given_up {
        return Err(StoreError::io(path, "write", &ErrorKind::Interrupted.into()));
    }
    let (file, name) = create_free(path)?;
    held.names.push(name.clone());
    Ok((file, Partial { name, unfinished: unfinished.clone() }))
}

fn create_free(path: &Path) -> Result<(File, PathBuf), StoreError> {
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
    let error = io::Error::new(ErrorKind::AlreadyExists, "too many runs are writing it");
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
