//! A report from stored counts.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use link_types::console::funnel::{FunnelCounts, FunnelLine, FunnelReport, FunnelStep, MAX_DAYS, MAX_LINES};
use link_types::id::{LinkTemplateId, ProviderId};
use link_types::{Date, LinkErrorCode};

/// Openings that reached a step, of a day or provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted<T> {
    /// Day or provider.
    pub of: T,
    /// Step that they reached.
    pub step: FunnelStep,
    /// The number of openings.
    pub openings: u32,
}

/// An error that was shown at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedError {
    /// The provider.
    pub provider: ProviderId,
    /// Code of the error.
    pub code: LinkErrorCode,
    /// How often it was shown.
    pub shown: u32,
}

/// The counts that the store found for a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCounts {
    /// Counts of each day that has some.
    pub days: Vec<Counted<Date>>,
    /// Counts of each provider.
    pub providers: Vec<Counted<ProviderId>>,
    /// Errors, most frequent first.
    pub errors: Vec<CountedError>,
}

/// Summarizes the days from `from` to `to`. `templates` have their names, if they are not deleted.
pub fn report(
    from: Date,
    to: Date,
    found: FoundCounts,
    templates: Vec<(LinkTemplateId, Option<String>)>,
) -> FunnelReport {
    let days = (0..i64::from(MAX_DAYS)).map(|it| from.plus_days(it)).take_while(|it| *it <= to);
    let mut of_days = sum(found.days);
    let days = days.map(|day| line(day, of_days.remove(&day).unwrap_or_default())).collect();
    let mut providers: Vec<_> =
        sum(found.providers).into_iter().map(|(id, counts)| line(id, counts)).collect();
    providers.sort_by_key(|it| Reverse(it.counts.get(FunnelStep::ProviderChosen)));
    providers.truncate(MAX_LINES);
    let error = |CountedError { provider, code, shown }| {
        let mut counts = FunnelCounts::default();
        counts.add(FunnelStep::Failed, shown);
        FunnelLine { name: provider.to_string(), ..line(code, counts) }
    };
    let template = |(id, name): (LinkTemplateId, Option<String>)| FunnelLine {
        name: name.unwrap_or_default(),
        ..line(id, FunnelCounts::default())
    };
    FunnelReport {
        from: from.to_string(),
        to: to.to_string(),
        days,
        providers,
        errors: found.errors.into_iter().map(error).collect(),
        templates: templates.into_iter().map(template).collect(),
    }
}

fn line(id: impl Display, counts: FunnelCounts) -> FunnelLine {
    FunnelLine { id: id.to_string(), name: String::new(), counts }
}

fn sum<T: Ord>(found: Vec<Counted<T>>) -> BTreeMap<T, FunnelCounts> {
    let mut sums: BTreeMap<T, FunnelCounts> = BTreeMap::new();
    for Counted { of, step, openings } in found {
        sums.entry(of).or_default().add(step, openings);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_has_every_day_and_the_most_chosen_providers_first() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let provider = |text: &str| text.parse::<ProviderId>().unwrap();
        let step = FunnelStep::ProviderChosen;
        let found = FoundCounts {
            days: vec![
                Counted { of: day("2026-11-02"), step: FunnelStep::Opened, openings: 3 },
                Counted { of: day("2026-11-02"), step, openings: 2 },
            ],
            providers: vec![
                Counted { of: provider("a"), step, openings: 1 },
                Counted { of: provider("b"), step, openings: 2 },
            ],
            errors: vec![CountedError { provider: provider("a"), code: LinkErrorCode::InvalidMfa, shown: 7 }],
        };
        let report = report(day("2026-11-01"), day("2026-11-03"), found, Vec::new());
        let opened: Vec<_> = report.days.iter().map(|it| it.counts.get(FunnelStep::Opened)).collect();
        assert_eq!(opened, [0, 3, 0]);
        assert_eq!(report.days[1].counts.get(step), 2);
        let ids: Vec<_> = report.providers.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["b", "a"]);
        let [error] = report.errors.as_slice() else { panic!("{:?}", report.errors) };
        assert_eq!((error.id.as_str(), error.name.as_str()), ("INVALID_MFA", "a"));
        assert_eq!(error.counts.get(FunnelStep::Failed), 7);
    }
}
