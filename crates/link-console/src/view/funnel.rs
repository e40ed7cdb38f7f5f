//! The funnel: how many openings of the widget reached each step.

use link_types::Mode;
use link_types::console::funnel::{FunnelLine, FunnelReport, FunnelStep};
use yew::prelude::*;

use super::chart::{chart, section};
use super::parts::{draw_list, filter_field, heading, select, value_of};
use super::shown::Shown;
use crate::core::insights::chart::total;
use crate::core::insights::table::{of_days, of_errors, of_providers, of_steps};
use crate::core::insights::{FunnelFilters, InsightInput};
use crate::core::texts::insights::InsightText;
use crate::core::{Event, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode) -> Html {
    html! {
        <>
            { heading(shown, Text::Funnel, mode) }
            <p class="soft lead">{ shown.text(InsightText::FunnelLead) }</p>
            { filters(shown) }
            { draw_list(shown, &shown.state.insights.funnel, |it| report(shown, it)) }
        </>
    }
}

/// Sets a filter to the value of a field.
type Set = fn(&mut FunnelFilters, String);

fn on_change(shown: &Shown<'_>, set: Set) -> Callback<yew::Event> {
    let filters = shown.state.insights.filters.clone();
    shown.emit.reform(move |event: yew::Event| {
        let mut filters = filters.clone();
        set(&mut filters, value_of(&event));
        Event::Insight(InsightInput::Filtered(filters))
    })
}

fn filters(shown: &Shown<'_>) -> Html {
    let it = &shown.state.insights;
    let known = it.last_report().map(|it| (&it.templates[..], &it.providers[..]));
    let (templates, providers) = known.unwrap_or_default();
    let FunnelFilters { from, to, template, provider } = &it.filters;
    let of_template = [shown.text(Text::Template), shown.text(InsightText::AnyTemplate)];
    let of_provider = [InsightText::OneProvider, InsightText::AnyProvider].map(|it| shown.text(it));
    html! {
        <div class="filters">
            { day(shown, "from", Text::FromDay, from, |filters, value| filters.from = value) }
            { day(shown, "to", Text::UntilDay, to, |filters, value| filters.to = value) }
            { one_of(shown, "template", of_template, template, templates, |filters, id| filters.template = id) }
            { one_of(shown, "provider", of_provider, provider, providers, |filters, id| filters.provider = id) }
        </div>
    }
}

fn day(shown: &Shown<'_>, id: &'static str, label: Text, value: &str, set: Set) -> Html {
    let fault = shown.state.insights.funnel.failure().and_then(|it| it.about(id));
    filter_field(shown, (id, "date", label), value, (fault, None), on_change(shown, set))
}

fn one_of(
    shown: &Shown<'_>,
    id: &'static str,
    [label, any]: [&'static str; 2],
    chosen: &str,
    list: &[FunnelLine],
    set: Set,
) -> Html {
    let option = |it: &FunnelLine| {
        let name = if it.name.is_empty() { &it.id } else { &it.name };
        (Some(it.id.clone()), name.clone(), it.id == chosen)
    };
    let mut options = vec![(Some(String::new()), any.to_owned(), chosen.is_empty())];
    options.extend(list.iter().map(option));
    // A value that the last report does not have remains chosen.
    if options.iter().all(|(_, _, is_chosen)| !is_chosen) {
        options.push((Some(chosen.to_owned()), chosen.to_owned(), true));
    }
    select(shown, (id, label), options, None, on_change(shown, set))
}

fn report(shown: &Shown<'_>, report: &FunnelReport) -> Html {
    let is_of_provider = !shown.state.insights.filters.provider.is_empty();
    let sum = total(report.days.iter().map(|it| &it.counts));
    if FunnelStep::ALL.iter().all(|it| sum.get(*it) == 0) {
        return html! {
            <div class="empty"><p>{ shown.text(InsightText::NoOpenings) }</p>
                <p class="soft">{ format!("{} – {}", report.from, report.to) }</p></div>
        };
    }
    let [first, second] = if is_of_provider {
        [
            [FunnelStep::ProviderChosen, FunnelStep::Connected],
            [FunnelStep::LoginSubmitted, FunnelStep::Failed],
        ]
    } else {
        [[FunnelStep::Opened, FunnelStep::Connected], [FunnelStep::Failed, FunnelStep::CouldNotFind]]
    };
    let charts = html! {
        <div class="charts">{ chart(shown, &report.days, first) }{ chart(shown, &report.days, second) }</div>
    };
    html! {
        <>
            { section(shown, "steps", &of_steps(&sum, is_of_provider), None) }
            { section(shown, "days", &of_days(&report.days), Some(charts)) }
            if !report.providers.is_empty() {
                { section(shown, "providers", &of_providers(&report.providers), None) }
            }
            if !report.errors.is_empty() { { section(shown, "errors", &of_errors(&report.errors), None) } }
        </>
    }
}
