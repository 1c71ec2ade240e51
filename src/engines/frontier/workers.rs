//! The threads of a sweep: a list of tasks, independent of one another, done in any order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::run::{Budget, Limit, Pause};

/// Keys for which a thread more is worth its while: they take longer than it takes to begin one.
const WORTH: usize = 256;

/// Those of some workers to whom to give this many keys.
pub fn for_keys<Scratch>(scratch: &mut [Scratch], keys: usize) -> &mut [Scratch] {
    let workers = scratch.len().min(keys / WORTH + 1);
    &mut scratch[..workers]
}

/// Does those of the tasks that are not done yet, until all are or the budget refuses. `scratch` holds one
/// worker's own memory each: as many threads work. `nodes` says what a task costs.
///
/// A task that was begun is finished or, where `work` itself returns a pause, not done at all: whatever stops the
/// run, the next call goes on with the tasks that are left.
pub fn run<Out: Send, Scratch: Send>(
    budget: &Budget,
    scratch: &mut [Scratch],
    done: &mut [Option<Out>],
    nodes: impl Fn(usize) -> u64 + Sync,
    work: impl Fn(usize, &mut Scratch) -> Result<Out, Pause> + Sync,
) -> Result<(), Pause> {
    let left: Vec<usize> = (0..done.len()).filter(|&i| done[i].is_none()).collect();
    let next = AtomicUsize::new(0);
    let is_stopped = AtomicBool::new(false);
    let pause: Mutex<Option<Pause>> = Mutex::new(None);
    let labour = |own: &mut Scratch| {
        let mut finished = Vec::new();
        while !is_stopped.load(Ordering::Relaxed) {
            let Some(&task) = left.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let wanted = nodes(task);
            let outcome = budget.take(wanted).and_then(|granted| {
                if granted < wanted {
                    budget.give_back(granted);
                    return Err(Pause::Limit(Limit::Nodes));
                }
                work(task, own).inspect_err(|_| budget.give_back(wanted))
            });
            match outcome {
                Ok(out) => finished.push((task, out)),
                Err(why) => {
                    is_stopped.store(true, Ordering::Relaxed);
                    let mut pause = pause.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    // A limit is the better reason.
                    if !matches!(*pause, Some(Pause::Limit(_))) {
                        *pause = Some(why);
                    }
                }
            }
        }
        finished
    };
    let helpers = (scratch.len() - 1).min(left.len().saturating_sub(1));
    let (own, others) = scratch.split_at_mut(1);
    let finished: Vec<Vec<(usize, Out)>> = std::thread::scope(|scope| {
        let handles: Vec<_> = others[..helpers].iter_mut().map(|other| scope.spawn(|| labour(other))).collect();
        let mut finished = vec![labour(&mut own[0])];
        for handle in handles {
            match handle.join() {
                Ok(tasks) => finished.push(tasks),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        finished
    });
    for (task, out) in finished.into_iter().flatten() {
        done[task] = Some(out);
    }
    match pause.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(why) => Err(why),
        None => Ok(()),
    }
}
