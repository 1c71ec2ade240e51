//! Classes of tours: which symmetries leave a request as it is ([`Grouping`]), and what a symmetric tour of
//! it must have besides ([`closure`]).
//!
//! Two tours are of one class if a symmetry of the board that leaves the whole request as it is maps one to
//! the other. A request for open tours may also be left as it is when its tours are run backwards, alone or with a
//! symmetry: free ends, or one that swaps the two given ends. A request for symmetric tours is left as it
//! is by those symmetries that map its group of symmetries to itself.

use crate::board::moves::gcd;
use crate::board::tour::Tour;
use crate::request::{Edge, Request};
use crate::run::{Budget, Pause};
use crate::symmetry::group::{Act, Group, Places, generated};
use crate::symmetry::{Symmetries, Symmetry};

/// The group of a request under way: its symmetries are looked at one by one.
#[derive(Debug)]
pub struct Grouping {
    request: Request,
    symmetries: Symmetries,
    places: Places,
    /// What the symmetries asked for generate, once it is known.
    asked: Option<Vec<Act>>,
    acts: Vec<Act>,
}

impl Grouping {
    /// Bytes that the group takes, from above.
    #[must_use]
    pub fn bytes(request: &Request) -> u64 {
        let board = request.board();
        let (rows, cols) = (u64::from(board.rows()), u64::from(board.cols()));
        let shifts = |joined: bool, size: u64| if joined { size } else { 1 };
        let wrap = board.wrap();
        let most = 8 * shifts(wrap.joins_rows(), rows) * shifts(wrap.joins_cols(), cols);
        // Where a square is blocked, it goes to another one: eight symmetries for each.
        let blocked = board.squares() - board.len() as u64;
        let most = if blocked == 0 { most } else { most.min(8 * blocked) };
        let maps = if request.is_closed() { most } else { 2 * most };
        maps.saturating_mul(4 * board.len() as u64 + 64).saturating_add(8 * board.squares())
    }

    /// A look that has not begun. Needs [`Grouping::bytes`] in the end.
    #[must_use]
    pub fn new(request: &Request) -> Grouping {
        Grouping {
            symmetries: Symmetries::of(request.board()),
            places: Places::new(request.board()),
            asked: None,
            acts: Vec::new(),
            request: request.clone(),
        }
    }

    /// Goes on until the group is known.
    pub fn advance(&mut self, budget: &Budget) -> Result<Group, Pause> {
        while let Some(acts) = self.next(budget)? {
            self.acts.extend(acts);
        }
        Ok(Group::new(self.places.clone(), self.request.is_closed(), std::mem::take(&mut self.acts)))
    }

    /// What the next symmetry does that leaves the request as it is; nothing, if there is none of it.
    fn next(&mut self, budget: &Budget) -> Result<Option<Vec<Act>>, Pause> {
        budget.take(0)?;
        let asked = match self.asked.take() {
            Some(asked) => asked,
            // Where no tour has them all, it does not matter which classes there are none of.
            None => asked(&self.request, &self.places, budget)?.unwrap_or_default(),
        };
        let asked = &*self.asked.insert(asked);
        let symmetry = match self.symmetries.next() {
            Some(Some(symmetry)) => symmetry,
            Some(None) => return Ok(Some(Vec::new())),
            None => return Ok(None),
        };
        let ways = [false, true].into_iter().filter(|&backwards| self.request.is_kept_by(&symmetry, backwards));
        // A tour of one square has no direction.
        let acts = ways.map(|backwards| self.places.act(&symmetry, backwards && self.places.len() > 1));
        Ok(Some(acts.filter(|act| keeps(act, asked)).collect()))
    }
}

/// Whether an act maps a group, which is sorted, to itself.
fn keeps(act: &Act, group: &[Act]) -> bool {
    let inverse = act.inverse();
    group.iter().all(|other| group.binary_search(&act.after(other).after(&inverse)).is_ok())
}

/// The symmetries of its board that leave a request as it is, as [`Request::stabiliser`] gives them, under limits.
pub fn stabiliser(request: &Request, budget: &Budget) -> Result<Vec<Symmetry>, Pause> {
    let candidates = Symmetries::of(request.board());
    budget.check_memory(candidates.bytes())?;
    let mut kept = Vec::new();
    for symmetry in candidates {
        budget.go_on()?;
        kept.extend(symmetry.filter(|symmetry| request.is_kept_by(symmetry, false)));
    }
    Ok(kept)
}

/// The group of the symmetries that a tour must have; `None` if no tour can have them all.
///
/// A cycle of n squares has 2 n symmetries at most, a path two: that bounds what is made here, on a torus with its
/// many shifts, too.
pub fn asked(request: &Request, places: &Places, budget: &Budget) -> Result<Option<Vec<Act>>, Pause> {
    let acts = asked_by_name(request, places);
    if !request.is_closed() {
        return generated(&acts, places.len(), 2, budget);
    }
    if may_turn_a_cycle(&acts, budget)? { generated(&acts, places.len(), 2 * places.len(), budget) } else { Ok(None) }
}

/// What those symmetries do that were asked for.
fn asked_by_name(request: &Request, places: &Places) -> Vec<Act> {
    let acts = request.symmetric().iter().map(|symmetry| places.act(symmetry, false));
    // An open tour that is not run backwards stays as it is only if no square moves.
    acts.map(|act| Act { runs_backwards: !request.is_closed() && !act.stays(), ..act }).collect()
}

/// Whether acts could all map one cycle to itself, as far as two of them and their product show.
///
/// What maps a cycle to itself and is not its own inverse turns it. Turns are powers of one: two of them make as many as
/// the least common multiple of their orders.
fn may_turn_a_cycle(acts: &[Act], budget: &Budget) -> Result<bool, Pause> {
    let pairs = acts.iter().enumerate().flat_map(|(i, a)| acts[..i].iter().map(|b| a.after(b)));
    let orders = acts.iter().cloned().chain(pairs).map(|act| (act.order(), act));
    let turns: Vec<(u64, Act)> = orders.filter(|&(order, _)| order > 2).collect();
    for (i, (m, a)) in turns.iter().enumerate() {
        for (n, b) in &turns[..i] {
            let most = m / gcd(*m, *n) * n;
            if generated(&[a.clone(), b.clone()], a.map.len(), most as usize, budget)?.is_none() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a tour is a member of what is asked for: it is one of those, it has the symmetries, and of classes it is the
/// one that stands for its own.
///
/// Cost: as [`Request::listed`]; where classes are asked for, some passes of the tour for each symmetry of the board.
pub fn is_member(request: &Request, tour: &Tour, budget: &Budget) -> Result<bool, Pause> {
    let Some(tour) = request.listed(tour) else { return Ok(false) };
    if request.is_plain() {
        return Ok(true);
    }
    let places = Places::new(request.board());
    // What keeps it does so as often as one likes: there is no need of the group.
    let asked = asked_by_name(request, &places);
    if !Group::new(places.clone(), request.is_closed(), asked).keeps(tour.squares()) {
        return Ok(false);
    }
    if !request.is_distinct() {
        return Ok(true);
    }
    // One symmetry at a time: together they might take more memory than there is.
    let mut grouping = Grouping::new(request);
    while let Some(acts) = grouping.next(budget)? {
        if !Group::new(places.clone(), request.is_closed(), acts).is_least(tour.squares()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The request for all that a tour of this one must have if these acts map it to itself: with each move to use or to
/// avoid its images, and so with ends and steps. `None` if it cannot have them. Steps of closed tours stay as
/// they are.
#[must_use]
pub fn closure(request: &Request, places: &Places, acts: &[Act]) -> Option<Request> {
    let number = |square: u32| places.numbers(&[square]).next().unwrap_or(0);
    let square = |number: u32| places.squares(&[number])[0];
    let image = |act: &Act, from: u32| square(act.map[number(from) as usize]);
    let images = |edges: &[Edge]| -> Vec<Edge> {
        acts.iter().flat_map(|act| edges.iter().map(|&(a, b)| (image(act, a), image(act, b)))).collect()
    };
    let mut closed = request.plain().with_all_included(images(&request.terms().moves)).ok()?;
    closed = closed.with_all_excluded(images(request.excluding())).ok()?;
    if request.is_closed() {
        return Some(closed);
    }
    let last = request.board().len() as u64 - 1;
    for act in acts {
        let (start, end) =
            if act.runs_backwards { (request.end(), request.start()) } else { (request.start(), request.end()) };
        for (is_start, given) in [(true, start), (false, end)] {
            let Some(given) = given.map(|given| image(act, given)) else { continue };
            let known = if is_start { closed.start() } else { closed.end() };
            if known.is_some_and(|known| known != given) {
                return None;
            }
            closed = if is_start { closed.with_start(given) } else { closed.with_end(given) }.ok()?;
        }
        let steps = request.steps().iter().map(|&(step, at)| {
            let step = u64::from(step);
            (image(act, at), if act.runs_backwards { last - step } else { step })
        });
        closed = closed.with_all_steps(steps).ok()?;
    }
    Some(closed)
}
