//! Threads that work at the same time: each with what is its own, or all on a list of tasks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Budget, Limit, Pause};

/// Works with each of these at the same time, each on a thread, the first on the one that asks; what they come to, in order.
/// A panic of one goes on when all are done.
pub(crate) fn together<Own: Send, Out: Send>(own: &mut [Own], work: impl Fn(&mut Own) -> Out + Sync) -> Vec<Out> {
    let Some((first, others)) = own.split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return vec![work(first)];
    }
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|own| scope.spawn(move || work(own))).collect();
        let mut outcomes = vec![work(first)];
        for other in others {
            outcomes.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        outcomes
    })
}

/// Those of some workers who have enough to do: one more for each `each` of the items.
pub(crate) fn enough<Own>(own: &mut [Own], items: usize, each: usize) -> &mut [Own] {
    let workers = own.len().min(items / each + 1);
    &mut own[..workers]
}

/// Why several of them stopped, if one did: a limit is a better reason than the end of a slice.
pub(crate) fn outcome(of_each: impl IntoIterator<Item = Result<(), Pause>>) -> Result<(), Pause> {
    let mut known = Ok(());
    for next in of_each {
        if next.is_err() && matches!(known, Ok(()) | Err(Pause::Slice)) {
            known = next;
        }
    }
    known
}

/// Does those of the tasks that are not done yet, until all are or the budget refuses. `own` is the memory of one worker
/// each: as many threads work. `nodes` says what a task costs.
///
/// A task that was begun is finished or, where `work` itself returns a pause, not done at all: whatever stops the
/// run, the next call goes on with the tasks that are left.
pub(crate) fn run<Out: Send, Own: Send>(
    budget: &Budget,
    own: &mut [Own],
    done: &mut [Option<Out>],
    nodes: impl Fn(usize) -> u64 + Sync,
    work: impl Fn(usize, &mut Own) -> Result<Out, Pause> + Sync,
) -> Result<(), Pause> {
    let left: Vec<usize> = (0..done.len()).filter(|&i| done[i].is_none()).collect();
    let next = AtomicUsize::new(0);
    let is_stopped = AtomicBool::new(false);
    let finished = Mutex::new(done);
    let labour = |own: &mut Own| {
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
            let out = outcome.inspect_err(|_| is_stopped.store(true, Ordering::Relaxed))?;
            finished.lock().unwrap_or_else(PoisonError::into_inner)[task] = Some(out);
        }
        Ok(())
    };
    let workers = own.len().min(left.len().max(1));
    outcome(together(&mut own[..workers], labour))
}
