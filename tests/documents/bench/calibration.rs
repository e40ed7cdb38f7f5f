//! Whether confidence means something: how many of the values with a given confidence are correct.

use crate::score::{SURE, Score};

/// The share of correct values from [`SURE`] on.
const GOAL: f64 = 0.995;
/// The lower bounds of the bands. `1.00` is what the service rounds to 1.
const BANDS: [f64; 7] = [0.995, SURE, 0.9, 0.8, 0.6, 0.4, 0.0];

/// The values of one band.
#[derive(Default, Clone, Copy)]
struct Band {
    values: usize,
    right: usize,
    confidence: f64,
}

impl Band {
    fn add(&mut self, confidence: f64, right: bool) {
        self.values += 1;
        self.right += usize::from(right);
        self.confidence += confidence;
    }

    fn share(&self) -> f64 {
        self.right as f64 / self.values.max(1) as f64
    }

    /// Returns how far the confidence is from the share of correct values.
    fn error(&self) -> f64 {
        (self.confidence / self.values.max(1) as f64 - self.share()).abs()
    }
}

/// Prints, for known and for held-out layouts, the accuracy of each band and the expected calibration error. Returns whether
/// values with a high confidence are correct as often as they should be.
pub fn report<'a>(scores: impl Iterator<Item = (bool, &'a Score)>) -> bool {
    let mut known = [Band::default(); BANDS.len()];
    let mut held_out = known;
    for (is_held_out, score) in scores {
        let bands = if is_held_out { &mut held_out } else { &mut known };
        for (confidence, right) in &score.sure {
            let band = BANDS.iter().position(|least| confidence >= least).unwrap();
            bands[band].add(*confidence, *right);
        }
    }
    println!("{:<22}{:>26}{:>26}", "-- by confidence", "known layouts", "held-out layouts");
    for (at, least) in BANDS.iter().enumerate() {
        let cell = |band: &Band| match band.values {
            0 => String::new(),
            values => format!("{:.2} % of {values:>5}", band.share() * 100.0),
        };
        println!("from {least:<17}{:>26}{:>26}", cell(&known[at]), cell(&held_out[at]));
    }
    let mut met = true;
    for (whose, bands) in [("known", &known), ("held-out", &held_out)] {
        let values: usize = bands.iter().map(|band| band.values).sum();
        if values == 0 {
            continue;
        }
        let error: f64 = bands.iter().map(|band| band.error() * band.values as f64).sum();
        let mut sure = Band::default();
        for band in bands.iter().zip(BANDS).filter(|(_, least)| *least >= SURE).map(|(band, _)| band) {
            sure.values += band.values;
            sure.right += band.right;
        }
        met &= sure.share() >= GOAL;
        println!(
            "{whose} layouts: expected calibration error {:.2} %; {:.2} % of {} values from {SURE} on are correct; goal {:.1} %: {}",
            error / values as f64 * 100.0,
            sure.share() * 100.0,
            sure.values,
            GOAL * 100.0,
            if sure.share() >= GOAL { "met" } else { "MISSED" },
        );
    }
    met
}
