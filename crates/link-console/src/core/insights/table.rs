//! The tables of the pages: what each cell shows.

use link_types::console::funnel::{FunnelCounts, FunnelLine, FunnelStep};

use super::Usage;
use super::chart::{percent, stages};
use crate::core::texts::insights::InsightText;

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A word of the portal.
    Word(InsightText),
    /// A number, or a text that is the same in every language.
    Plain(String),
    /// A code or an identifier.
    Code(String),
    /// A number, with a bar of this percentage of the longest one.
    Bar(u32, u32),
    /// The same, for what is next to the path.
    Aside(u32, u32),
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its subject.
    pub title: InsightText,
    /// Headings of the columns.
    pub heads: Vec<InsightText>,
    /// Rows. The first cell of each is its heading.
    pub rows: Vec<Vec<Cell>>,
}

/// Returns the length of a bar. What is not 0 can be seen.
fn length(count: u32, top: u32) -> u32 {
    percent(count, top).max(count.min(1))
}

/// Returns the steps of the path with their drop-offs, and the steps next to it that openings reached.
pub fn of_steps(counts: &FunnelCounts, is_of_provider: bool) -> Table {
    let stages = stages(counts, is_of_provider);
    let top = stages.first().map_or(0, |it| it.openings);
    let bar = |openings| Cell::Bar(openings, length(openings, top));
    let path = stages.iter().map(|it| {
        let lost = it.lost.map(|lost| format!("{lost} · {} %", percent(lost, it.openings)));
        let share = Cell::Plain(format!("{} %", it.share));
        vec![Cell::Word(it.step.into()), bar(it.openings), share, Cell::Plain(lost.unwrap_or_default())]
    });
    let aside = FunnelStep::ALL.get(FunnelStep::PATH.len()..).unwrap_or_default();
    let aside = aside.iter().filter(|it| counts.get(**it) > 0).map(|it| {
        let openings = counts.get(*it);
        // Answers to the survey are not openings.
        let is_share = *it != FunnelStep::CouldNotFind;
        let share = if is_share { format!("{} %", percent(openings, top)) } else { String::new() };
        vec![
            Cell::Word((*it).into()),
            Cell::Aside(openings, length(openings, top)),
            Cell::Plain(share),
            Cell::Plain(String::new()),
        ]
    });
    let heads = vec![InsightText::Step, InsightText::Openings, InsightText::Share, InsightText::Stopped];
    Table { title: InsightText::Steps, heads, rows: path.chain(aside).collect() }
}

/// The steps by day: those that the charts show, and the path. More would not fit next to each other.
const OF_DAYS: [FunnelStep; 7] = [
    FunnelStep::Opened,
    FunnelStep::ConsentGiven,
    FunnelStep::ProviderChosen,
    FunnelStep::LoginSubmitted,
    FunnelStep::Connected,
    FunnelStep::Failed,
    FunnelStep::CouldNotFind,
];

/// Returns the counts of each day, latest first.
pub fn of_days(days: &[FunnelLine]) -> Table {
    let row = |it: &FunnelLine| {
        let counts = OF_DAYS.iter().map(|step| Cell::Plain(it.counts.get(*step).to_string()));
        std::iter::once(Cell::Plain(it.id.clone())).chain(counts).collect()
    };
    let heads = OF_DAYS.iter().map(|it| InsightText::from(*it));
    Table {
        title: InsightText::ByDay,
        heads: std::iter::once(InsightText::Day).chain(heads).collect(),
        rows: days.iter().rev().map(row).collect(),
    }
}

/// Returns the providers, most chosen first.
pub fn of_providers(providers: &[FunnelLine]) -> Table {
    let steps =
        [FunnelStep::ProviderChosen, FunnelStep::LoginSubmitted, FunnelStep::Connected, FunnelStep::Failed];
    let row = |it: &FunnelLine| {
        let chosen = it.counts.get(FunnelStep::ProviderChosen);
        let bars = steps.iter().map(|step| {
            let openings = it.counts.get(*step);
            let share = length(openings, chosen);
            if FunnelStep::PATH.contains(step) {
                Cell::Bar(openings, share)
            } else {
                Cell::Aside(openings, share)
            }
        });
        std::iter::once(Cell::Code(it.id.clone())).chain(bars).collect()
    };
    let heads = steps.iter().map(|it| InsightText::from(*it));
    Table {
        title: InsightText::Providers,
        heads: std::iter::once(InsightText::OneProvider).chain(heads).collect(),
        rows: providers.iter().map(row).collect(),
    }
}

/// Returns the errors, most frequent first.
pub fn of_errors(errors: &[FunnelLine]) -> Table {
    let shown = |it: &FunnelLine| it.counts.get(FunnelStep::Failed);
    let top = errors.first().map_or(0, shown);
    let row = |it: &FunnelLine| {
        let bar = Cell::Bar(shown(it), length(shown(it), top));
        vec![Cell::Code(it.id.clone()), Cell::Code(it.name.clone()), bar]
    };
    Table {
        title: InsightText::LoginErrors,
        heads: vec![InsightText::ErrorCode, InsightText::OneProvider, InsightText::Shown],
        rows: errors.iter().map(row).collect(),
    }
}

/// Returns what is charged in a month, and the total.
pub fn of_usage(usage: &Usage) -> Table {
    let top = usage.items.iter().map(|it| it.count).max().unwrap_or_default();
    let row = |(name, count): (Cell, u32)| vec![name, Cell::Bar(count, length(count, top))];
    let kinds = usage.items.iter().map(|it| (Cell::Code(it.kind.clone()), it.count)).map(row);
    let total = vec![Cell::Word(InsightText::Total), Cell::Plain(usage.total.to_string())];
    Table {
        title: InsightText::Charged,
        heads: vec![InsightText::Kind, InsightText::Charged],
        rows: kinds.chain([total]).collect(),
    }
}
