//! The geometry of the charts. Text is next to the drawings, so that they can be stretched to any width.

use link_types::console::funnel::{FunnelCounts, FunnelStep};

/// The height of a chart of columns, in its own units.
pub const HEIGHT: u32 = 1_000;
/// The width of a column with its gap, in the same units.
const STEP: usize = 10;

/// Columns of two series for each day. Those of the second are narrower, and in front of the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The value at the top of the axis: 1, 2 or 5 times a power of ten.
    pub top: u32,
    /// The width of the chart.
    pub width: usize,
    /// The path of each series, for the attribute `d`.
    pub paths: [String; 2],
}

/// Returns the columns of two series with a value for each day.
pub fn columns(days: &[[u32; 2]]) -> Columns {
    let top = axis_top(days.iter().flatten().copied().max().unwrap_or_default());
    let path = |series: usize, inset: usize| {
        let mut path = String::new();
        for (place, values) in days.iter().enumerate() {
            let value = values.get(series).copied().unwrap_or_default();
            let height = u64::from(value) * u64::from(HEIGHT) / u64::from(top);
            if height > 0 {
                let (x, width) = (place * STEP + inset, STEP - 2 * inset);
                path.push_str(&format!("M{x} {HEIGHT}v-{height}h{width}v{height}z"));
            }
        }
        path
    };
    Columns { top, width: days.len() * STEP, paths: [path(0, 1), path(1, 3)] }
}

/// Returns the lowest of 1, 2 and 5 times a power of ten that is not below a value.
fn axis_top(most: u32) -> u32 {
    let tens = (0..9).map(|it| 10_u32.pow(it));
    let mut tops = tens.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    tops.find(|it| *it >= most).unwrap_or(most)
}

/// Returns a value in percent of another, rounded. 0 if that is 0.
pub fn percent(value: u32, of: u32) -> u32 {
    let (value, of) = (u64::from(value), u64::from(of));
    let percent = (value * 200 + of).checked_div(of * 2).unwrap_or_default();
    u32::try_from(percent).unwrap_or(u32::MAX)
}

/// A step of the path as the page shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The step.
    pub step: FunnelStep,
    /// The number of openings that reached it.
    pub openings: u32,
    /// Its part of the openings that reached the first step, in percent.
    pub share: u32,
    /// The number of openings that did not reach the next step. `None` for the last step.
    pub lost: Option<u32>,
}

/// Returns the steps of the path. Without the steps before a provider was chosen if the counts are of one provider.
pub fn stages(counts: &FunnelCounts, is_of_provider: bool) -> Vec<Stage> {
    let skipped = if is_of_provider { FunnelStep::ProviderChosen as usize } else { 0 };
    let path = FunnelStep::PATH.get(skipped..).unwrap_or_default();
    let first = path.first().map_or(0, |it| counts.get(*it));
    let next = path.iter().skip(1).map(Some).chain([None]);
    let stage = |(step, next): (&FunnelStep, Option<&FunnelStep>)| {
        let openings = counts.get(*step);
        let lost = next.map(|it| openings.saturating_sub(counts.get(*it)));
        Stage { step: *step, openings, share: percent(openings, first), lost }
    };
    path.iter().zip(next).map(stage).collect()
}

/// Returns the sum of counts.
pub fn total<'c>(all: impl Iterator<Item = &'c FunnelCounts>) -> FunnelCounts {
    let mut sum = FunnelCounts::default();
    for counts in all {
        for step in FunnelStep::ALL {
            sum.add(*step, counts.get(*step));
        }
    }
    sum
}
