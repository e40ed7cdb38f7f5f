//! The target for files and their list. uploads.ts listens for chosen, dropped and pasted files, and finds the targets
//! by their `data-slot`.

use link_flow::event::{FilePress, Press};
use link_flow::view::Text;
use link_flow::view::block::FileRow;
use link_types::archive::FileSlot;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::block::mark::{MarkSize, mark};
use crate::block::text::name_with_detail;
use crate::element::{element, onclick};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

/// The formats that the service reads.
const ACCEPTED: &str = "application/pdf,image/png,image/jpeg,image/tiff,image/webp,image/heic,image/heif";

#[inline(never)] // only screens of the deferred chunk draw it
pub fn drop_zone(
    ui: &Ui,
    slot: FileSlot,
    (title, text): (&Text, &Text),
    choose: &Text,
    (camera, camera_help): (&Text, &Text),
) -> Html {
    let title = ui.words(title);
    let picker = |class, label: &Text| {
        let label = ui.words(label);
        let input = element("input", "hidden-text")
            .set(Attribute::Type, "file")
            .set(Attribute::Accept, ACCEPTED)
            .put(Attribute::AriaLabel, [&*title, ": ", &*label].concat().into());
        (element("label", class), input, label)
    };
    let (label, input, words) = picker("button button-quiet", choose);
    let input = input.flag(Attribute::Multiple, slot == FileSlot::Page);
    let choose = label.child(input.html()).words(words).html();
    let (label, input, words) = picker("button button-quiet zone-camera", camera);
    let camera = label.child(input.set(Attribute::Capture, "environment").html()).words(words).html();
    element("div", "zone")
        .set(Attribute::DataSlot, slot.as_str())
        .child(element("span", "label").text(title.clone()).html())
        .child(element("span", "hint").text(ui.words(text)).html())
        .child(choose)
        .child(camera)
        .child(element("span", "hint zone-camera").text(ui.words(camera_help)).html())
        .html()
}

#[inline(never)] // only screens of the deferred chunk draw it
pub fn files(ui: &Ui, label: &Text, rows: &[FileRow], clear: Option<&(FileSlot, Text)>) -> Html {
    let clear = clear.map(|(slot, label)| {
        element("button", "button button-quiet")
            .set(Attribute::Type, "button")
            .on(onclick(ui.press(Press::RemoveRejected(*slot))))
            .text(ui.words(label))
            .html()
    });
    let label = ui.words(label);
    element("div", "files")
        .child(element("p", "label").text(label.clone()).html())
        .child(
            element("ul", "")
                .put(Attribute::AriaLabel, label)
                .list(rows.iter().map(|it| row(ui, it)).collect())
                .html(),
        )
        .maybe(clear)
        .html()
}

fn row(ui: &Ui, row: &FileRow) -> Html {
    let bar = row.percent.map(|percent| {
        element("progress", "")
            .set(Attribute::Max, "100")
            .put(Attribute::Value, percent.to_string().into())
            .put(Attribute::AriaLabel, ui.words(&row.name))
            .html()
    });
    let error = row.error.as_ref().map(|words| {
        element("p", "error")
            .child(icon(Icon::CircleAlert))
            .child(element("span", "").text(ui.words(words)).html())
            .html()
    });
    element("li", "file")
        .flag(Attribute::DataDone, row.done)
        .child(mark(&row.mark, MarkSize::Row))
        .child(name_with_detail(ui, &row.name, Some(&row.detail)))
        .list(row.actions.iter().map(|(press, label)| button(ui, *press, label, row.handle)).collect())
        .maybe(bar)
        .maybe(error)
        .with_key(row.handle.to_string())
}

fn button(ui: &Ui, press: FilePress, label: &Text, handle: u32) -> Html {
    let sign = match press {
        FilePress::Pause => Icon::Pause,
        FilePress::Continue => Icon::Play,
        FilePress::Remove => Icon::Cross,
    };
    ui.icon_button(sign, label, "icon-button", ui.press(Press::File(press, handle)))
}
