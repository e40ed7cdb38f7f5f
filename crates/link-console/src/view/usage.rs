//! The usage of a month: what is charged.

use link_types::Mode;
use link_types::console::Permission;
use yew::prelude::*;

use super::chart::draw_table;
use super::parts::{draw_list, heading, select, value_of};
use super::shown::Shown;
use crate::core::insights::table::of_usage;
use crate::core::insights::{InsightInput, Usage};
use crate::core::texts::insights::InsightText;
use crate::core::webhook_key::path_of;
use crate::core::{Event, Loaded, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode) -> Html {
    let it = &shown.state.insights;
    let chosen = it.month.or(it.latest);
    let options = it.months().map(|month| (None, month.to_string(), Some(month) == chosen)).collect();
    let onchange = shown
        .emit
        .reform(|event: yew::Event| Event::Insight(InsightInput::MonthChosen(value_of(&event).parse().ok())));
    html! {
        <>
            { heading(shown, Text::Usage, mode) }
            <p class="soft lead">{ shown.text(InsightText::UsageLead) }</p>
            if it.latest.is_some() {
                { select(shown, ("month", shown.text(InsightText::Month)), options, None, onchange) }
            }
            { draw_list(shown, &it.usage, |it| summary(shown, it)) }
            if let Loaded::Ready(usage) = &it.usage && shown.state.may(mode, Permission::ReadPeople) {
                <div class="actions"><a class="link" download={format!("usage-{}.csv", usage.month)}
                    href={format!("/console/api/{}/billing/export?month={}", path_of(mode), usage.month)}>
                    { shown.text(Text::ExportCsv) }</a></div>
            }
        </>
    }
}

fn summary(shown: &Shown<'_>, usage: &Usage) -> Html {
    html! {
        <>
            if usage.total == 0 { <p class="soft">{ shown.text(InsightText::NoUsage) }</p> }
            { draw_table(shown, &of_usage(usage)) }
        </>
    }
}
