//! Lists of choices: rows that continue at once, radio buttons, check boxes, what is fixed, or grey rows while a list
//! loads.

use link_flow::event::Event;
use link_flow::view::block::{Choice, ChoiceKind, ChoiceList};
use yew::prelude::*;

use super::mark::{MarkSize, mark};
use super::text::name_with_detail;
use crate::attribute::Attribute;
use crate::element::{element, onchange, onclick};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn choices(ui: &Ui, list: &ChoiceList) -> Html {
    match list.kind {
        ChoiceKind::Rows => rows(ui, list),
        ChoiceKind::Radios => radios(ui, list, "radio"),
        ChoiceKind::Checks => radios(ui, list, "checkbox"),
        ChoiceKind::Fixed => fixed_list(ui, list),
    }
}

fn rows(ui: &Ui, list: &ChoiceList) -> Html {
    let label = ui.words(&list.label);
    let choices = list.choices.iter().map(|it| row(ui, it, list.disabled || it.disabled)).collect();
    let rows = element("ul", "rows").put(Attribute::AriaLabel, label.clone()).list(choices).html();
    if !list.label_visible {
        return rows;
    }
    let label = element("p", "rows-label").set(Attribute::AriaHidden, "true").text(label).html();
    element("div", "").child(label).child(rows).html()
}

#[inline(never)] // only screens of the deferred chunk draw them
fn radios(ui: &Ui, list: &ChoiceList, kind: &'static str) -> Html {
    let choices = list.choices.iter().map(|it| radio(ui, it, list.disabled || it.disabled, kind)).collect();
    let class = if list.label_visible { "label" } else { "hidden-text" };
    let legend = element("legend", class).text(ui.words(&list.label)).html();
    element("fieldset", "choices").child(legend).list(choices).html()
}

fn row(ui: &Ui, choice: &Choice, disabled: bool) -> Html {
    let mut button = element("button", "row")
        .set(Attribute::Type, "button")
        .flag(Attribute::AriaDisabled, disabled)
        .flag(Attribute::AriaBusy, choice.busy)
        .maybe(choice.mark.as_ref().map(|sign| mark(sign, MarkSize::Row)))
        .child(name_with_detail(ui, &choice.title, choice.detail.as_ref()))
        .child(element("span", "row-end").child(end(choice.busy)).html());
    if !disabled {
        button = button.on(onclick(on_choice(ui, choice).reform(|_| ())));
    }
    element("li", "").child(button.html()).with_key(choice.id.clone())
}

fn end(busy: bool) -> Html {
    if busy { element("span", "spinner").html() } else { icon(Icon::ChevronRight) }
}

fn radio(ui: &Ui, choice: &Choice, disabled: bool, kind: &'static str) -> Html {
    let input = element("input", "")
        .set(Attribute::Type, kind)
        .set(Attribute::Name, "choice")
        .value(&choice.id)
        .select(choice.selected)
        .flag(Attribute::Disabled, disabled)
        .on(onchange(on_choice(ui, choice).reform(|_| ())));
    element("label", "choice")
        .child(input.html())
        .child(name_with_detail(ui, &choice.title, choice.detail.as_ref()))
        .with_key(choice.id.clone())
}

#[inline(never)] // only screens of the deferred chunk draw it
fn fixed_list(ui: &Ui, list: &ChoiceList) -> Html {
    let label = ui.words(&list.label);
    let choices = list.choices.iter().map(|it| element("li", "").text(ui.words(&it.title)).html()).collect();
    let title = element("p", "rows-label").set(Attribute::AriaHidden, "true").text(label.clone()).html();
    let tags = element("ul", "tags").put(Attribute::AriaLabel, label).list(choices).html();
    element("div", "").child(title).child(tags).html()
}

fn on_choice(ui: &Ui, choice: &Choice) -> Callback<()> {
    let id = choice.id.clone();
    ui.events.reform(move |()| Event::Chosen { id: id.clone() })
}

/// Draws grey placeholder rows.
pub fn skeleton(rows: u8) -> Html {
    element("div", "rows")
        .set(Attribute::AriaHidden, "true")
        .list((0..rows).map(|_| bones()).collect())
        .html()
}

fn bones() -> Html {
    let bone = |class| element("span", class).html();
    let lines = element("span", "bones").child(bone("bone bone-name")).child(bone("bone bone-short"));
    element("div", "row").child(bone("bone bone-mark")).child(lines.html()).html()
}
