use link_types::console::funnel::{FunnelCounts, FunnelLine, FunnelReport, FunnelStep};
use link_types::{Mode, Month};

use super::chart::{Columns, Stage, columns, percent, stages, total};
use super::request::{InsightRequest, InsightResponse};
use super::table::{Cell, of_days, of_errors, of_providers, of_steps, of_usage};
use super::*;
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::tests::start;
use crate::core::texts::insights::InsightText;
use crate::core::{Effect, Event, Request, Response, State};

const FUNNEL: Page = Page::Funnel(Mode::Sandbox);
const USAGE: Page = Page::Usage(Mode::Sandbox);

fn counts(of: &[(FunnelStep, u32)]) -> FunnelCounts {
    let mut counts = FunnelCounts::default();
    of.iter().for_each(|(step, openings)| counts.add(*step, *openings));
    counts
}

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn line(id: &str, name: &str, of: &[(FunnelStep, u32)]) -> FunnelLine {
    FunnelLine { id: id.into(), name: name.into(), counts: counts(of) }
}

fn report() -> Box<FunnelReport> {
    Box::new(FunnelReport {
        from: "2026-11-20".into(),
        to: "2026-11-20".into(),
        days: Vec::new(),
        providers: Vec::new(),
        errors: Vec::new(),
        templates: vec![line("lt-1", "Loans", &[])],
    })
}

fn plain(text: &str) -> Cell {
    Cell::Plain(text.into())
}

fn respond(state: &mut State, sent: InsightRequest, response: InsightResponse) {
    let request = Request::Insight(Mode::Sandbox, sent);
    state.handle(Event::respond(request, Ok(Response::Insight(response))));
}

#[test]
fn columns_are_drawn_to_a_round_top() {
    let Columns { top, width, paths } = columns(&[[40, 10], [0, 0], [20, 0]]);
    assert_eq!((top, width), (50, 30));
    assert_eq!(paths[0], "M1 1000v-800h8v800zM21 1000v-400h8v400z");
    assert_eq!(paths[1], "M3 1000v-200h4v200z");
}

#[test]
fn columns_without_values_are_empty() {
    assert_eq!(columns(&[[0, 0]]), Columns { top: 1, width: 10, paths: Default::default() });
    assert_eq!(columns(&[]).width, 0);
}

#[test]
fn percent_is_rounded_and_of_nothing_zero() {
    assert_eq!([percent(1, 3), percent(2, 3), percent(3, 3), percent(0, 0)], [33, 67, 100, 0]);
}

#[test]
fn stages_have_their_drop_offs() {
    let counts = counts(&[
        (FunnelStep::Opened, 10),
        (FunnelStep::ConsentGiven, 8),
        (FunnelStep::ProviderChosen, 5),
        (FunnelStep::LoginSubmitted, 4),
        (FunnelStep::Connected, 2),
    ]);
    let shown: Vec<_> = stages(&counts, false).iter().map(|it| (it.openings, it.share, it.lost)).collect();
    let expected = [(10, 100, Some(2)), (8, 80, Some(3)), (5, 50, Some(1)), (4, 40, Some(2)), (2, 20, None)];
    assert_eq!(shown, expected);
    let first = Stage { step: FunnelStep::ProviderChosen, openings: 5, share: 100, lost: Some(1) };
    assert_eq!(stages(&counts, true)[0], first);
}

#[test]
fn counts_of_days_are_added() {
    let days = [counts(&[(FunnelStep::Opened, 2)]), counts(&[(FunnelStep::Opened, 3)])];
    assert_eq!(total(days.iter()).get(FunnelStep::Opened), 5);
}

#[test]
fn filters_are_part_of_the_address_of_the_funnel() {
    let mut filters = FunnelFilters::default();
    assert_eq!(InsightRequest::Funnel(filters.clone()).path(Mode::Sandbox), "/sandbox/funnel?");
    (filters.from, filters.provider) = ("2026-11-01".into(), "mx_bank".into());
    let path = InsightRequest::Funnel(filters).path(Mode::Production);
    assert_eq!(path, "/production/funnel?from=2026-11-01&providerId=mx_bank");
}

#[test]
fn report_of_earlier_filters_is_ignored() {
    let mut state = start(FUNNEL);
    let filters = FunnelFilters { provider: "a".into(), ..FunnelFilters::default() };
    let sent = InsightRequest::Funnel(filters.clone());
    let effects = state.handle(Event::Insight(InsightInput::Filtered(filters)));
    assert_eq!(effects, [Effect::Send(Request::Insight(Mode::Sandbox, sent.clone()))]);
    respond(&mut state, InsightRequest::Funnel(FunnelFilters::default()), InsightResponse::Funnel(report()));
    assert_eq!(state.insights.funnel, Loaded::Loading);
    respond(&mut state, sent, InsightResponse::Funnel(report()));
    assert_eq!(state.insights.funnel, Loaded::Ready(report()));
    let shown = &state.insights.filters;
    assert_eq!([&shown.from, &shown.to], ["2026-11-20"; 2], "the fields show the days of the report");
    state.handle(Event::Insight(InsightInput::Filtered(FunnelFilters::default())));
    assert_eq!(state.insights.last_report(), Some(&*report()), "the choices stay while a report is loading");
}

#[test]
fn failed_funnel_is_loaded_again_with_its_filters() {
    let mut state = start(FUNNEL);
    let filters = FunnelFilters { from: "2026-11-01".into(), ..FunnelFilters::default() };
    state.handle(Event::Insight(InsightInput::Filtered(filters.clone())));
    let request = Request::Insight(Mode::Sandbox, InsightRequest::Funnel(filters));
    state.handle(Event::respond(request.clone(), Err(Failure::Offline)));
    assert_eq!(state.insights.funnel, Loaded::Failed(Failure::Offline));
    assert_eq!(state.handle(Event::Retry), [Effect::Send(request)]);
    assert_eq!(state.insights.funnel, Loaded::Loading);
}

#[test]
fn months_to_choose_begin_at_the_present_one() {
    let mut state = start(USAGE);
    let summary = |month: &str| {
        let usage = Usage { month: month.into(), total: 0, items: Vec::new() };
        InsightResponse::Usage(Box::new(usage))
    };
    assert_eq!(state.insights.months().count(), 0);
    respond(&mut state, InsightRequest::Usage(None), summary("2026-11"));
    let effects = state.handle(Event::Insight(InsightInput::MonthChosen(Some(month("2026-09")))));
    let sent = InsightRequest::Usage(Some(month("2026-09")));
    assert_eq!(effects, [Effect::Send(Request::Insight(Mode::Sandbox, sent.clone()))]);
    respond(&mut state, sent, summary("2026-09"));
    let months: Vec<_> = state.insights.months().take(3).collect();
    assert_eq!(months, ["2026-11", "2026-10", "2026-09"].map(month));
}

#[test]
fn table_of_steps_has_bars_drop_offs_and_steps_next_to_the_path() {
    let counts =
        counts(&[(FunnelStep::Opened, 4), (FunnelStep::ConsentGiven, 3), (FunnelStep::CouldNotFind, 1)]);
    let table = of_steps(&counts, false);
    let opened = [Cell::Word(InsightText::Opened), Cell::Bar(4, 100), plain("100 %"), plain("1 · 25 %")];
    assert_eq!(table.rows[0], opened);
    let connected = [Cell::Word(InsightText::Connected), Cell::Bar(0, 0), plain("0 %"), plain("")];
    assert_eq!(table.rows[4], connected, "the last step has no drop-off");
    let aside = [Cell::Word(InsightText::CouldNotFind), Cell::Aside(1, 25), plain(""), plain("")];
    assert_eq!(table.rows[5..], [aside]);
}

#[test]
fn table_of_days_begins_with_the_latest() {
    let days = [line("2026-11-01", "", &[(FunnelStep::Opened, 1)]), line("2026-11-02", "", &[])];
    let table = of_days(&days);
    assert_eq!((table.heads.len(), table.rows[0].len()), (8, 8));
    assert_eq!([&table.rows[0][0], &table.rows[1][0]], [&plain("2026-11-02"), &plain("2026-11-01")]);
    assert_eq!(table.rows[1][1], plain("1"));
}

#[test]
fn bars_of_a_provider_are_parts_of_its_own_choices() {
    let bank = [line("bank", "", &[(FunnelStep::ProviderChosen, 4), (FunnelStep::Connected, 1)])];
    let expected = [Cell::Code("bank".into()), Cell::Bar(4, 100), Cell::Bar(0, 0), Cell::Bar(1, 25)];
    assert_eq!(of_providers(&bank).rows[0][..4], expected);
}

#[test]
fn table_of_errors_names_code_and_provider() {
    let errors = [line("INVALID_MFA", "bank", &[(FunnelStep::Failed, 2)])];
    let expected = [Cell::Code("INVALID_MFA".into()), Cell::Code("bank".into()), Cell::Bar(2, 100)];
    assert_eq!(of_errors(&errors).rows, [expected]);
}

#[test]
fn table_of_usage_ends_with_the_total() {
    let kind = |kind: &str, count| UsageLine { kind: kind.into(), count };
    let items = vec![kind("ACCOUNT_CONNECTED", 999), kind("BLACKLIST", 0), kind("FOOTPRINTS", 1)];
    let table = of_usage(&Usage { month: "2026-11".into(), total: 1_000, items });
    assert_eq!(table.rows[0], [Cell::Code("ACCOUNT_CONNECTED".into()), Cell::Bar(999, 100)]);
    assert_eq!([&table.rows[1][1], &table.rows[2][1]], [&Cell::Bar(0, 0), &Cell::Bar(1, 1)]);
    assert_eq!(table.rows[3], [Cell::Word(InsightText::Total), plain("1000")]);
}
