//! Work that may take long: off the interpreter's lock, and interruptible.

use std::cell::Cell;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Below this many squares a pass over a board is done before anybody could press a key.
const SHORT: usize = 1 << 20;

/// Does `work`, whose length goes with `squares`, while other Python threads run.
///
/// Long work runs on a thread of its own, so that Ctrl-C is answered at once. The work that nobody
/// waits for any longer ends by itself; it touches nothing of Python.
pub fn detached<T: Send + 'static>(
    py: Python<'_>,
    squares: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if squares <= SHORT {
        return Ok(py.detach(work));
    }
    match on_thread(py, work, |py| py.check_signals().map(|()| None))? {
        Some(answer) => Ok(answer),
        None => unreachable!("nothing but an exception ends the wait"),
    }
}

/// Does `work` on a thread of its own, and calls `look` every 20 ms meanwhile. If that says so, the work
/// has that much longer to end, and is left behind then: `None`.
pub fn on_thread<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut look: impl FnMut(Python<'_>) -> PyResult<Option<Duration>>,
) -> PyResult<Option<T>> {
    let (answer, mut answers) = mpsc::sync_channel(1);
    let worker = std::thread::spawn(move || answer.send(work()).is_ok());
    let mut last = None;
    loop {
        let wait = last.unwrap_or(Duration::from_millis(20));
        let outcome;
        (answers, outcome) = py.detach(move || {
            let outcome = answers.recv_timeout(wait);
            (answers, outcome)
        });
        match outcome {
            Ok(answer) => return Ok(Some(answer)),
            Err(mpsc::RecvTimeoutError::Timeout) if last.is_some() => return Ok(None),
            Err(mpsc::RecvTimeoutError::Timeout) => last = look(py)?,
            // The worker panicked: so does this thread, and PyO3 makes an exception of it.
            Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(_) => unreachable!("the worker sends its answer before it ends"),
            },
        }
    }
}

/// Once in this many steps of a loop that makes Python objects: lets other threads run, and looks for
/// Ctrl-C.
pub fn check_every(py: Python<'_>, step: usize) -> PyResult<()> {
    if step.is_multiple_of(4096) { let_others_run(py) } else { Ok(()) }
}

/// Lets other threads run, if it is time, and looks for Ctrl-C.
///
/// A thread that waits for the lock asks for it only after a time without a sign that it was free. Released and taken
/// back at once it is never free when that thread has woken up, and each release starts the wait again: so others get a
/// pause to take it in, as often as the interpreter itself would give way.
pub fn let_others_run(py: Python<'_>) -> PyResult<()> {
    const EVERY: Duration = Duration::from_millis(5);
    const PAUSE: Duration = Duration::from_micros(50);
    thread_local!(static LAST: Cell<Option<Instant>> = const { Cell::new(None) });
    if LAST.get().is_none_or(|last| last.elapsed() >= EVERY) {
        py.detach(|| std::thread::sleep(PAUSE));
        LAST.set(Some(Instant::now()));
    }
    py.check_signals()
}
