//! Randomness with a seed, and the loads of tenants: a few have most of it.

use std::f64::consts::TAU;
use std::fmt;

/// A generator of random numbers (SplitMix64), so that each seed gives the same simulation.
pub struct Random(u64);

impl Random {
    /// Creates a generator.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.fraction() * below as f64) as usize
    }

    /// Returns a fraction in `0.0..1.0`.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number of the standard normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.fraction(), self.fraction() * TAU);
        (-2.0 * radius.ln()).sqrt() * angle.cos()
    }

    fn shuffle(&mut self, values: &mut [f64]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

/// How the load is distributed over the tenants.
#[derive(Clone, Copy)]
pub enum Distribution {
    /// The logarithms of loads have a standard deviation of 2.
    LogNormal,
    /// The load of the tenant of rank r is proportional to 1 / r.
    Zipf,
}

impl Distribution {
    /// Every distribution.
    pub const ALL: [Self; 2] = [Self::LogNormal, Self::Zipf];

    /// Draws the loads of tenants, in the order in which the tenants arrive.
    pub fn draw(self, tenants: usize, random: &mut Random) -> Vec<f64> {
        match self {
            Self::LogNormal => (0..tenants).map(|_| (2.0 * random.normal()).exp()).collect(),
            Self::Zipf => {
                let mut loads: Vec<f64> = (1..=tenants).map(|rank| 1.0 / rank as f64).collect();
                random.shuffle(&mut loads);
                loads
            }
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LogNormal => "log-normal",
            Self::Zipf => "Zipf",
        })
    }
}
