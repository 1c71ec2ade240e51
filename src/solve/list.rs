//! [`List`]: listing tours.

use std::sync::Arc;

use super::chosen::ChosenList;
use super::{FRAGMENT_BYTES, Look, checked};
use crate::budget::{Budget, Pause};
use crate::existence;
use crate::fragments::{self, Fragments};
use crate::graph::Graph;
use crate::request::Request;
use crate::tour::Tour;

/// The tours of a request, one after another, by the edge-forcing search, in its order (see
/// [`fragments`]). Each tour is checked. Memory does not grow.
#[derive(Debug)]
pub struct List {
    request: Request,
    stage: ListStage,
}

#[derive(Debug)]
enum ListStage {
    Theorems,
    Look(Box<Look>),
    Search(Box<Fragments>),
    Chosen(Box<ChosenList>),
    Ended,
}

/// What a step of a [`List`] led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The next tour.
    Tour(Tour),
    /// There are no more.
    End,
    /// Stopped before the next one.
    Paused(Pause),
}

impl List {
    /// A listing that has not begun.
    #[must_use]
    pub fn new(request: Request) -> List {
        List { request, stage: ListStage::Theorems }
    }

    /// Goes on to the next tour.
    pub fn advance(&mut self, budget: &Budget) -> Listed {
        loop {
            match &mut self.stage {
                ListStage::Theorems => match self.begin(budget) {
                    Ok(stage) => self.stage = stage,
                    Err(pause) => return Listed::Paused(pause),
                },
                ListStage::Look(look) => match look.run(&self.request, budget) {
                    Ok(Some(_)) => self.stage = ListStage::Ended,
                    Ok(None) if !self.request.is_plain() => match ChosenList::new(&self.request, &look.graph, budget) {
                        Ok(list) => self.stage = ListStage::Chosen(Box::new(list)),
                        Err(pause) => return Listed::Paused(pause),
                    },
                    Ok(None) => match Fragments::new(Arc::clone(&look.graph), budget) {
                        Ok(search) => self.stage = ListStage::Search(Box::new(search)),
                        Err(pause) => return Listed::Paused(pause),
                    },
                    Err(pause) => return Listed::Paused(pause),
                },
                ListStage::Search(search) => match search.advance(budget) {
                    fragments::Step::Found => {
                        return Listed::Tour(checked(&self.request, search.path().to_vec()));
                    }
                    fragments::Step::Exhausted => self.stage = ListStage::Ended,
                    fragments::Step::Paused(pause) => return Listed::Paused(pause),
                },
                ListStage::Chosen(list) => match list.advance(budget) {
                    Ok(Some(tour)) => return Listed::Tour(tour),
                    Ok(None) => self.stage = ListStage::Ended,
                    Err(pause) => return Listed::Paused(pause),
                },
                ListStage::Ended => return Listed::End,
            }
        }
    }

    fn begin(&self, budget: &Budget) -> Result<ListStage, Pause> {
        if existence::check_board(&self.request).is_some() {
            return Ok(ListStage::Ended);
        }
        let vertices = self.request.board().len() as u64;
        budget.check_memory(Graph::bytes(&self.request) + FRAGMENT_BYTES * vertices)?;
        let graph = Arc::new(Graph::new(&self.request));
        Ok(ListStage::Look(Box::new(Look::new(&self.request, graph))))
    }
}
