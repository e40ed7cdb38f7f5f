//! Medians, and the lines that `cargo xtask bench growth` reads.

/// How much more a figure of the large database may be: the goal of `cargo xtask bench growth`.
pub const MAX_RATIO: f64 = 1.3;

/// Prints a figure of the small and of the large database, their ratio, and the most that the ratio may be.
pub fn figure(name: &str, small: f64, large: f64, ratio: f64, most: f64) {
    println!("figure\t{name}\t{small:.3}\t{large:.3}\t{ratio:.3}\t{most}");
}

/// Prints a figure without a goal.
pub fn plain(name: &str, value: String) {
    println!("plain\t{name}\t{value}");
}

pub fn millis(seconds: f64) -> f64 {
    seconds * 1e3
}

/// Returns the value at a share of the values, which must be in ascending order.
pub fn at(sorted: &[f64], share: f64) -> f64 {
    let index = ((sorted.len() as f64 - 1.0) * share).round() as usize;
    sorted.get(index).copied().unwrap_or(f64::NAN)
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    at(&sorted, 0.5)
}

/// Times of the small and of the large database: one median per round and database.
#[derive(Default)]
pub struct Pairs {
    times: [Vec<f64>; 2],
}

impl Pairs {
    /// Adds the seconds that a round took in one of the databases.
    pub fn add(&mut self, database: usize, seconds: &[f64]) {
        self.times[database].push(median(seconds));
    }

    /// Prints the medians of all rounds in milliseconds, divided by `per`, and the median of the rounds' ratios.
    pub fn print(&self, name: &str, per: f64) {
        let [small, large] = self.times.each_ref().map(|times| millis(median(times)) / per);
        let ratios: Vec<f64> =
            self.times[0].iter().zip(&self.times[1]).map(|(small, large)| large / small).collect();
        figure(name, small, large, median(&ratios), MAX_RATIO);
    }
}
