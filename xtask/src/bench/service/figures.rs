//! Figures and their goals.

/// The goal of a figure.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// A line of the table.
#[derive(Debug)]
pub struct Figure {
    name: String,
    value: String,
    verdict: String,
}

impl Figure {
    /// Creates a figure without a goal, which depends on the machine.
    pub fn plain(name: &str, value: String) -> Self {
        Self { name: name.to_owned(), value, verdict: String::new() }
    }

    /// Creates a figure with a goal.
    pub fn with(name: &str, value: f64, goal: Goal) -> Self {
        let (sign, goal, met) = match goal {
            Goal::AtLeast(goal) => (">=", goal, value >= goal),
            Goal::AtMost(goal) => ("<=", goal, value <= goal),
        };
        let verdict = format!("{sign} {goal:<6} {}", if met { "met" } else { "MISSED" });
        Self { name: name.to_owned(), value: format!("{value:.2}"), verdict }
    }
}

/// Prints the table.
pub fn print(figures: &[Figure]) {
    let widest = figures.iter().map(|figure| figure.name.chars().count()).max().unwrap_or_default();
    println!();
    for Figure { name, value, verdict } in figures {
        println!("{name:<widest$}  {value:>24}  {verdict}");
    }
}

/// Returns the median, or NaN if there are no values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goal_includes_its_value_and_is_missed_without_a_measurement() {
        let met = |value, goal| Figure::with("it", value, goal).verdict.ends_with(" met");
        assert!(met(0.45, Goal::AtLeast(0.45)) && !met(0.44, Goal::AtLeast(0.45)));
        assert!(met(1.3, Goal::AtMost(1.3)) && !met(1.31, Goal::AtMost(1.3)));
        assert!(!met(median(&[]), Goal::AtMost(1.3)));
    }

    #[test]
    fn median_ignores_an_outlier() {
        assert_eq!(median(&[9.0, 1.0, 2.0, 3.0, 900.0]), 3.0);
    }
}
