//! Cells with tenants: placement, moves, and growth.

use std::fmt;

use crate::loads::Random;

/// How the cell of a new tenant is chosen.
#[derive(Clone, Copy)]
pub enum Placement {
    /// Any cell.
    Random,
    /// The cell with the fewest tenants.
    FewestTenants,
    /// The cell with less measured load, of two that are drawn.
    TwoChoices,
    /// The cell with the least measured load.
    LeastLoad,
}

impl Placement {
    /// Every placement.
    pub const ALL: [Self; 4] = [Self::Random, Self::FewestTenants, Self::TwoChoices, Self::LeastLoad];
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::FewestTenants => "fewest tenants",
            Self::TwoChoices => "less load of two",
            Self::LeastLoad => "least load",
        })
    }
}

/// The tenants of each cell, by their loads.
#[derive(Clone)]
pub struct Cluster {
    cells: Vec<Vec<f64>>,
}

impl Cluster {
    /// Places tenants one after the other. The placement sees only loads of tenants that arrived `delay` tenants ago.
    pub fn place(
        loads: &[f64],
        cells: usize,
        delay: usize,
        placement: Placement,
        random: &mut Random,
    ) -> Self {
        let mut cluster = Self { cells: vec![Vec::new(); cells] };
        let mut measured = vec![0.0; cells];
        let mut chosen = Vec::with_capacity(loads.len());
        for (number, load) in loads.iter().enumerate() {
            if let Some(ready) = number.checked_sub(delay) {
                let cell: usize = chosen[ready];
                measured[cell] += loads[ready];
            }
            let cell = match placement {
                Placement::Random => random.below(cells),
                Placement::FewestTenants => least(cells, |it| cluster.cells[it].len() as f64),
                Placement::TwoChoices => {
                    let pair = [random.below(cells), random.below(cells)];
                    if measured[pair[1]] < measured[pair[0]] { pair[1] } else { pair[0] }
                }
                Placement::LeastLoad => least(cells, |it| measured[it]),
            };
            chosen.push(cell);
            cluster.cells[cell].push(*load);
        }
        cluster
    }

    fn load(&self, cell: usize) -> f64 {
        self.cells[cell].iter().sum()
    }

    fn average(&self) -> f64 {
        self.cells.iter().flatten().sum::<f64>() / self.cells.len() as f64
    }

    /// Returns the load of the hottest cell, as a multiple of the average.
    pub fn hottest(&self) -> f64 {
        self.load(least(self.cells.len(), |it| -self.load(it))) / self.average()
    }

    /// Moves tenants until no cell has more than `limit` times the average. Returns the number of moves.
    ///
    /// Each move takes the tenant from the hottest cell to the coolest that brings both closest to each other.
    ///
    /// # Errors
    ///
    /// The number of moves if no further move makes the hottest cell cooler: one tenant is most of it.
    pub fn balance(&mut self, limit: f64) -> Result<usize, usize> {
        let cells = self.cells.len();
        let mut moves = 0;
        while self.hottest() > limit {
            let hot = least(cells, |it| -self.load(it));
            let cool = least(cells, |it| self.load(it));
            let difference = self.load(hot) - self.load(cool);
            let tenants = &self.cells[hot];
            let best = least(tenants.len(), |it| (difference - 2.0 * tenants[it]).abs());
            // A move of a tenant with all of the difference would only exchange the two cells.
            let gain = tenants.get(best).filter(|load| **load < difference);
            // Without this, thousands of tenants with hardly any load would move.
            if gain.is_none_or(|load| *load < self.average() * 1e-6) {
                return Err(moves);
            }
            let tenant = self.cells[hot].swap_remove(best);
            self.cells[cool].push(tenant);
            moves += 1;
        }
        Ok(moves)
    }

    /// Lets a tenant of median load grow to a share of all load.
    pub fn grow_median(&mut self, share: f64) {
        let mut loads: Vec<f64> = self.cells.iter().flatten().copied().collect();
        loads.sort_by(f64::total_cmp);
        let median = loads[loads.len() / 2];
        let others = loads.iter().sum::<f64>() - median;
        let grown = others * share / (1.0 - share);
        let found = self.cells.iter_mut().flatten().find(|load| load.total_cmp(&median).is_eq());
        if let Some(load) = found {
            *load = grown;
        }
    }
}

/// Returns the index with the least value.
fn least(count: usize, value: impl Fn(usize) -> f64) -> usize {
    (0..count).min_by(|one, other| value(*one).total_cmp(&value(*other))).unwrap_or_default()
}
