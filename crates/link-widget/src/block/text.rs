//! Texts: a paragraph, a framed message, a name with its detail, facts with icons, and a document.

use link_flow::view::Text;
use link_flow::view::block::{Fact, FactIcon, Mark, Severity, Tone};
use yew::prelude::*;

use super::mark::{MarkSize, mark as draw_mark};
use crate::attribute::Attribute;
use crate::element::element;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn paragraph(ui: &Ui, text: &Text, tone: Tone) -> Html {
    let class = match tone {
        Tone::Normal => "text",
        Tone::Secondary => "text text-small",
    };
    element("p", class).text(ui.words(text)).html()
}

pub fn notice(ui: &Ui, severity: Severity, title: Option<&Text>, text: &Text) -> Html {
    let (tone, sign) = match severity {
        Severity::Info => ("info", Icon::Info),
        Severity::Success => ("success", Icon::CircleCheck),
        Severity::Warning => ("warning", Icon::Triangle),
        Severity::Danger => ("danger", Icon::CircleAlert),
    };
    let title = title.map(|title| element("strong", "notice-title").text(ui.words(title)).html());
    element("div", "notice")
        .set(Attribute::DataTone, tone)
        .child(icon(sign))
        .child(element("p", "").maybe(title).words(ui.words(text)).html())
        .html()
}

/// Draws a name with a line of detail below it.
pub fn name_with_detail(ui: &Ui, name: &Text, detail: Option<&Text>) -> Html {
    let detail = detail.map(|detail| element("span", "row-detail").text(ui.words(detail)).html());
    element("span", "row-names")
        .child(element("span", "row-name").text(ui.words(name)).html())
        .maybe(detail)
        .html()
}

pub fn provider(ui: &Ui, mark: &Mark, name: &Text, detail: Option<&Text>) -> Html {
    element("div", "provider")
        .child(draw_mark(mark, MarkSize::Row))
        .child(name_with_detail(ui, name, detail))
        .html()
}

pub fn summary(ui: &Ui, items: &[Fact]) -> Html {
    element("ul", "points").list(items.iter().map(|item| fact(ui, item)).collect()).html()
}

fn fact(ui: &Ui, fact: &Fact) -> Html {
    let picture = match fact.icon {
        FactIcon::Data => Icon::File,
        FactIcon::Calendar => Icon::Calendar,
        FactIcon::Shield => Icon::Shield,
        FactIcon::Undo => Icon::Undo,
        FactIcon::Check => Icon::CircleCheck,
    };
    let words = element("p", "")
        .child(element("strong", "point-title").text(ui.words(&fact.title)).html())
        .child(element("span", "text-soft").text(ui.words(&fact.detail)).html());
    element("li", "point").child(icon(picture)).child(words.html()).html()
}

/// Draws a document in its own region, which the keyboard can reach and scroll.
pub fn document(ui: &Ui, title: &Text, version: &Text, paragraphs: &[String]) -> Html {
    let paragraph = |words: &String| element("p", "").text(words.clone().into()).html();
    element("div", "document")
        .set(Attribute::Role, "region")
        .set(Attribute::AriaLabelledby, "document-title")
        .set(Attribute::Tabindex, "0")
        .child(
            element("h2", "document-title").set(Attribute::Id, "document-title").text(ui.words(title)).html(),
        )
        .child(element("p", "document-version").text(ui.words(version)).html())
        .list(paragraphs.iter().map(paragraph).collect())
        .html()
}
