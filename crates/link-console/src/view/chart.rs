//! Tables with bars, and charts of days.

use link_types::console::funnel::{FunnelLine, FunnelStep};
use yew::prelude::*;

use super::shown::Shown;
use crate::core::insights::chart::{HEIGHT, columns};
use crate::core::insights::table::{Cell, Table};
use crate::core::texts::insights::InsightText;

/// Draws a table.
pub(super) fn draw_table(shown: &Shown<'_>, table: &Table) -> Html {
    let heads: Vec<_> = table.heads.iter().map(|it| shown.text(*it)).collect();
    let row = |row: &Vec<Cell>| {
        let cells = row.iter().zip(&heads).enumerate().map(|(place, (cell, head))| {
            let content = draw_cell(shown, cell);
            if place == 0 {
                html! { <th scope="row">{ content }</th> }
            } else {
                html! { <td data-label={*head}>{ content }</td> }
            }
        });
        html! { <tr>{ for cells }</tr> }
    };
    html! {
        <table class="numbers">
            <caption class="hidden">{ shown.text(table.title) }</caption>
            <thead><tr>{ for heads.iter().map(|it| html! { <th scope="col">{ *it }</th> }) }</tr></thead>
            <tbody>{ for table.rows.iter().map(row) }</tbody>
        </table>
    }
}

fn draw_cell(shown: &Shown<'_>, cell: &Cell) -> Html {
    match cell {
        Cell::Word(word) => shown.text(*word).into(),
        Cell::Plain(text) => text.clone().into(),
        Cell::Code(code) => html! { <code translate="no">{ code.clone() }</code> },
        Cell::Bar(count, percent) => draw_bar("share", *count, *percent),
        Cell::Aside(count, percent) => draw_bar("share aside", *count, *percent),
    }
}

fn draw_bar(class: &'static str, count: u32, percent: u32) -> Html {
    html! {
        <span {class}><span>{ count }</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={percent.to_string()} height="1" />
            </svg>
        </span>
    }
}

/// Draws a section of the page with a table. If there are charts, the table is behind a button.
pub(super) fn section(shown: &Shown<'_>, id: &'static str, table: &Table, before: Option<Html>) -> Html {
    let drawn = draw_table(shown, table);
    html! {
        <section class="insight" aria-labelledby={id}>
            <h2 {id}>{ shown.text(table.title) }</h2>
            if let Some(before) = before {
                { before }
                <details><summary>{ shown.text(InsightText::ShowTable) }</summary>{ drawn }</details>
            } else {
                { drawn }
            }
        </section>
    }
}

/// Draws two series in columns. Series differ by the width of their columns, not only by color.
pub(super) fn chart(shown: &Shown<'_>, days: &[FunnelLine], series: [FunnelStep; 2]) -> Html {
    let values: Vec<_> = days.iter().map(|it| series.map(|step| it.counts.get(step))).collect();
    let drawn = columns(&values);
    let [wide_name, narrow_name] = series.map(|it| shown.text(InsightText::from(it)));
    let [wide, narrow] = drawn.paths;
    let [from, to] = [days.first(), days.last()].map(|it| it.map(|it| it.id.clone()).unwrap_or_default());
    html! {
        <figure class="panel chart">
            <figcaption><span class="wide">{ wide_name }</span><span class="narrow">{ narrow_name }</span></figcaption>
            <div class="plot">
                <span class="soft small">{ drawn.top }</span>
                <svg viewBox={format!("0 0 {} {HEIGHT}", drawn.width)} preserveAspectRatio="none" role="img"
                    aria-label={format!("{wide_name}, {narrow_name}: {from} – {to}")}>
                    <path class="wide" d={wide} /><path class="narrow" d={narrow} />
                </svg>
            </div>
            <p class="ends soft small"><span>{ from.clone() }</span><span>{ to.clone() }</span></p>
        </figure>
    }
}
