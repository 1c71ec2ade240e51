//! [`Forecasting`]: a forecast under way.

use super::forecast::LayerForecast;
use super::{Course, Forecast, Sampled, Sweep, SweepOptions};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Progress, Task};

/// A forecast under way, from samples or exact. Resumable.
#[derive(Debug)]
pub struct Forecasting {
    request: Request,
    /// Squares on which the tours may start, and squares on which they may end.
    between: Option<(Vec<u32>, Vec<u32>)>,
    samples: Option<u32>,
    threads: usize,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Begin,
    Sampled(Box<Sampled>),
    Exact(Box<(Sweep, Course)>),
}

impl Forecasting {
    /// From this many samples of each kind, or exact; of all tours, or of those between squares.
    #[must_use]
    pub fn new(
        request: Request,
        between: Option<(Vec<u32>, Vec<u32>)>,
        samples: Option<u32>,
        threads: usize,
    ) -> Forecasting {
        Forecasting { request, between, samples, threads, stage: Stage::Begin }
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }
}

impl Task for Forecasting {
    type Answer = Option<Forecast>;

    /// Goes on until the groups are known. `None`: samples are asked for, and moves do not change the colour.
    fn advance(&mut self, budget: &Budget) -> Result<Option<Forecast>, Halt> {
        loop {
            match &mut self.stage {
                Stage::Begin => {
                    budget.check_memory(Graph::bytes(&self.request))?;
                    let mut graph = Graph::new(&self.request);
                    if let Some((starts, ends)) = &self.between {
                        graph = graph.with_ends_among(starts, ends);
                    }
                    budget.check_memory(Graph::bytes(&self.request) + 2 * Sweep::plan_bytes(&graph))?;
                    let course = Course::new(&graph, budget)?;
                    self.stage = match self.samples {
                        Some(samples) => match Sampled::new(course, samples) {
                            Some(sampled) => Stage::Sampled(Box::new(sampled)),
                            None => return Ok(None),
                        },
                        None => {
                            let sweep = Sweep::begin(&self.request, &graph, SweepOptions::on(self.threads), budget)?;
                            Stage::Exact(Box::new((sweep, course)))
                        }
                    };
                }
                Stage::Sampled(sampled) => return Ok(Some(sampled.advance(budget)?)),
                Stage::Exact(exact) => return Ok(Some(exact.0.forecast(&exact.1, budget)?)),
            }
        }
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        let message = "forecast: layers".to_owned();
        match &self.stage {
            Stage::Begin => Progress { message, ..Progress::default() },
            Stage::Sampled(sampled) => {
                let (done, all) = sampled.progress();
                Progress { done, total: Some(all), message }
            }
            Stage::Exact(exact) => exact.0.progress(),
        }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }
}

impl Sweep {
    /// Finds the groups, if that is not yet done, and says how many there are. The sweep can go on to count.
    ///
    /// Cost: about a tenth of that of the count.
    pub fn forecast(&mut self, course: &Course, budget: &Budget) -> Result<Forecast, Halt> {
        while self.work.is_none() && self.total.is_none() {
            self.advance_once(budget)?;
        }
        let mut forecast = course.forecast(Vec::new());
        if self.total.is_some() {
            return Ok(forecast);
        }
        for (number, &swept) in (1..).zip(&course.swept) {
            let keys = self.groups.keys(number)?;
            let mut counts = [0u64; 65];
            keys.iter().for_each(|key| counts[key.ends.count_ones() as usize] += 1);
            let groups = (0..).zip(counts).filter(|count| count.1 > 0).map(|(ends, count)| (ends, count as f64));
            forecast.layers.push(LayerForecast { groups: groups.collect(), ..course.layer(swept) });
        }
        Ok(forecast)
    }
}
