//! [`Forecast`]: how large a sweep will be, from the sweep without pairings.

use super::Sweep;
use crate::budget::{Budget, Pause};

/// How large a sweep is: its groups, which are known, and how many states they have room for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Groups of all layers.
    pub groups: u64,
    /// Groups of the largest two neighbouring layers, which are in memory together.
    pub peak_groups: u64,
    /// Pairings of all groups of all layers: from above, the states.
    pub pairings: f64,
    /// Pairings of the groups of the largest layer.
    pub peak_pairings: f64,
    /// The widest frontier, the apex aside.
    pub width: u32,
}

impl Sweep {
    /// Finds the groups, if that is not yet done, and says what they have room for. The sweep can go on to count.
    ///
    /// Cost: about a tenth of that of the count.
    pub fn forecast(&mut self, budget: &Budget) -> Result<Forecast, Pause> {
        while self.work.is_none() && self.total.is_none() {
            self.advance_once(budget)?;
        }
        let mut forecast = Forecast { width: self.width(), ..Forecast::default() };
        if self.total.is_some() {
            return Ok(forecast);
        }
        let mut last = 0;
        for layer in 0..self.groups.layers.len() {
            let keys = self.groups.keys(layer).map_err(|_| Pause::Limit(crate::budget::Limit::Cancelled))?;
            let pairings = keys.iter().map(|key| key.pairings() as f64).sum::<f64>();
            let groups = keys.len() as u64;
            forecast.groups += groups;
            forecast.pairings += pairings;
            forecast.peak_groups = forecast.peak_groups.max(last + groups);
            forecast.peak_pairings = forecast.peak_pairings.max(pairings);
            last = groups;
        }
        Ok(forecast)
    }
}
