//! Duration of the person's work, and the gaps between jobs.

use link_types::Date;
use link_types::data::DataPointBody;

use super::features::Features;

/// Longest period between two jobs, in days, that does not count as a gap.
const NO_GAP: i64 = 30;

/// Adds `tenureMonths`, `employmentGapCount`, `longestEmploymentGapDays`.
pub(super) fn add(bodies: &[DataPointBody], today: Date, features: &mut Features) {
    let mut jobs: Vec<(Date, Date)> = bodies
        .iter()
        .filter_map(|body| if let DataPointBody::Employment(it) = body { Some(it) } else { None })
        .filter_map(|job| Some((job.start_date?, job.end_date.unwrap_or(today).min(today))))
        .filter(|(start, end)| start <= end)
        .collect();
    jobs.sort_unstable();
    let current = jobs.iter().filter(|(_, end)| *end == today).map(|(start, _)| *start).min();
    let gaps = (!jobs.is_empty()).then(|| gaps(&jobs, today));
    let count = |gaps: &Vec<i64>| f64::from(u32::try_from(gaps.len()).unwrap_or(u32::MAX));
    let longest = |gaps: &Vec<i64>| {
        let days = gaps.iter().max().copied().unwrap_or(0);
        f64::from(i32::try_from(days).unwrap_or(i32::MAX))
    };
    features.insert("tenureMonths".to_owned(), current.map(|start| f64::from(whole_months(start, today))));
    features.insert("employmentGapCount".to_owned(), gaps.as_ref().map(count));
    features.insert("longestEmploymentGapDays".to_owned(), gaps.as_ref().map(longest));
}

fn whole_months(start: Date, today: Date) -> i32 {
    let begun = today.month().months_since(start.month());
    if today.day() < start.day() { begun - 1 } else { begun }
}

/// Returns the length in days of each gap between the jobs and after the last one. `jobs` must be sorted.
fn gaps(jobs: &[(Date, Date)], today: Date) -> Vec<i64> {
    let mut worked_until: Option<Date> = None;
    let mut gaps = Vec::new();
    for (start, end) in jobs {
        if let Some(until) = worked_until {
            gaps.push(start.days_since(until) - 1);
        }
        worked_until = worked_until.max(Some(*end));
    }
    gaps.extend(worked_until.map(|until| today.days_since(until)));
    gaps.retain(|days| *days > NO_GAP);
    gaps
}
