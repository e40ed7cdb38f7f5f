//! The fields of the form, in order. Buttons, a position and dragging change the order.

use link_types::form_submission::LinkSiteFieldType;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::controls::{Control, on, text, tick};
use super::field;
use crate::core::sites::MovedBy;
use crate::core::sites::draft::FieldDraft;
use crate::core::sites::editor::{Announcement, Editor};
use crate::core::sites::spot::{Spot, element_id, field_path};
use crate::core::texts::sites::SiteText;
use crate::core::{Event, SiteInput};
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// Draws the form.
pub(super) fn panel(shown: &Shown<'_>, editor: &Editor) -> Html {
    let draft = &editor.edited.form.draft;
    let count = draft.fields.len();
    let fault =
        editor.fault("form").or_else(|| editor.fault("form.fields")).or_else(|| editor.fault("prefill"));
    html! {
        <section class="panel" aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(SiteText::Form) }</h2>
            <div class="fields">
                { text(shown, editor, Spot::FormName, Control::Input("text"), SiteText::FormName, None) }
                { text(shown, editor, Spot::Reference, Control::Input("text"), SiteText::Reference,
                    Some(SiteText::ReferenceHelp)) }
            </div>
            { tick(shown, "prefill", shown.text(SiteText::PrefillReference), draft.prefills_reference,
                SiteInput::ReferencePrefilled) }
            <h3 id={element_id("form")} tabindex="-1">{ shown.text(SiteText::FieldsTitle) }</h3>
            if let Some(fault) = fault { <p class="fault">{ fault.to_owned() }</p> }
            if count == 0 { <p class="soft">{ shown.text(SiteText::NoFields) }</p> }
            <ol class="builder">
                { for draft.fields.iter().enumerate().map(|(place, field)| row(shown, editor, field, (place, count))) }
            </ol>
            { new_field(shown, editor) }
            <p class="hidden" role="status">{ announcement(shown, editor) }</p>
        </section>
    }
}

fn row(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft, (place, count): (usize, usize)) -> Html {
    let uid = field.uid;
    let is_open = editor.opened == Some(uid);
    let title = field.title();
    let named = |text: SiteText| shown.language.fill(text, title);
    let id = |part: &str| element_id(&field_path(uid, part));
    let to = |to: usize, by| on::<MouseEvent>(shown, SiteInput::FieldMoved(uid, to, by));
    let position = {
        let emit = shown.emit.clone();
        Callback::from(move |event: yew::Event| {
            let wanted = value_of(&event).trim().parse::<usize>().ok().filter(|it| (1..=count).contains(it));
            match wanted {
                Some(position) => {
                    emit.emit(Event::Site(SiteInput::FieldMoved(uid, position - 1, MovedBy::Position)));
                }
                // A position that the form does not have: the field stays where it is.
                None => reset(&event, place + 1),
            }
        })
    };
    let drag = move |event: DragEvent| {
        if let Some(data) = event.data_transfer() {
            drop(data.set_data("text/x-field", &uid.to_string()));
            data.set_effect_allowed("move");
        }
    };
    let emit = shown.emit.clone();
    let dropped = Callback::from(move |event: DragEvent| {
        event.prevent_default();
        let dragged = event.data_transfer().and_then(|it| it.get_data("text/x-field").ok());
        if let Some(dragged) = dragged.and_then(|it| it.parse().ok()) {
            emit.emit(Event::Site(SiteInput::FieldMoved(dragged, place, MovedBy::Drag)));
        }
    });
    let classes =
        classes!("builder-row", is_open.then_some("open"), editor.has_fault(uid).then_some("faulty"));
    html! {
        <li key={uid} class={classes} ondragover={Callback::from(|event: DragEvent| event.prevent_default())}
            ondrop={dropped}>
            <div class="builder-head">
                <span class="handle" draggable="true" ondragstart={Callback::from(drag)} title={named(SiteText::DragNamed)}
                    aria-hidden="true">{ "⠿" }</span>
                <label class="hidden" for={id("position")}>{ named(SiteText::PositionOf) }</label>
                <input id={id("position")} class="position" type="number" min="1" max={count.to_string()}
                    value={(place + 1).to_string()} onchange={position} />
                <button type="button" id={id("title")} class="builder-title" aria-expanded={is_open.to_string()}
                    onclick={on::<MouseEvent>(shown, SiteInput::FieldToggled(uid))}>
                    <span dir="auto">{ title.to_owned() }</span>
                    <span class="soft small block">{ shown.text(kind_name(field.kind)) }
                        if field.condition.is_some() { { " · " }{ shown.text(SiteText::Condition) } }
                        if field.required { { " · * " } }
                    </span>
                </button>
                <span class="builder-acts">
                    <button type="button" id={id("up")} class="quiet" aria-label={named(SiteText::MoveUp)}
                        aria-disabled={(place == 0).then_some("true")} onclick={to(place.saturating_sub(1), MovedBy::Up)}>
                        <span aria-hidden="true">{ "↑" }</span></button>
                    <button type="button" id={id("down")} class="quiet" aria-label={named(SiteText::MoveDown)}
                        aria-disabled={(place + 1 == count).then_some("true")} onclick={to(place + 1, MovedBy::Down)}>
                        <span aria-hidden="true">{ "↓" }</span></button>
                    <button type="button" class="quiet" aria-label={named(SiteText::CopyNamed)}
                        onclick={on::<MouseEvent>(shown, SiteInput::FieldCopied(uid))}>{ shown.text(SiteText::CopyField) }</button>
                    <button type="button" class="quiet bad" aria-label={named(SiteText::RemoveNamed)}
                        onclick={on::<MouseEvent>(shown, SiteInput::FieldRemoved(uid))}>{ shown.text(SiteText::RemoveField) }</button>
                </span>
            </div>
            if is_open { { field::form(shown, editor, field) } }
        </li>
    }
}

/// Shows the position that a field has.
fn reset(event: &yew::Event, position: usize) {
    let input = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(input) = input {
        input.set_value(&position.to_string());
    }
}

fn new_field(shown: &Shown<'_>, editor: &Editor) -> Html {
    let emit = shown.emit.clone();
    let add = Callback::from(move |_: MouseEvent| {
        let document = web_sys::window().and_then(|it| it.document());
        let list = document.and_then(|it| it.get_element_by_id("new-field"));
        let chosen = list.and_then(|it| it.dyn_into::<HtmlSelectElement>().ok()).map(|it| it.value());
        let kind = LinkSiteFieldType::ALL.iter().find(|it| Some(it.as_str()) == chosen.as_deref());
        emit.emit(Event::Site(SiteInput::FieldAdded(kind.copied().unwrap_or(LinkSiteFieldType::Text))));
    });
    html! {
        <div class="new-field">
            <div class="field">
                <label for="new-field">{ shown.text(SiteText::FieldType) }</label>
                <select id="new-field">
                    { for LinkSiteFieldType::ALL.iter().map(|kind| html! {
                        <option value={kind.as_str()} selected={*kind == LinkSiteFieldType::Text}>{ shown.text(kind_name(*kind)) }</option>
                    }) }
                </select>
            </div>
            <button type="button" class="second" onclick={add}>{ shown.text(SiteText::AddField) }</button>
            <button type="button" id="undo" class="quiet" aria-disabled={(!editor.can_undo()).then_some("true")}
                onclick={on::<MouseEvent>(shown, SiteInput::Undone)}>{ shown.text(SiteText::Undo) }</button>
        </div>
    }
}

/// Returns what a screen reader says about the last act.
fn announcement(shown: &Shown<'_>, editor: &Editor) -> String {
    let fill = |text: SiteText, value: &str| shown.language.fill(text, value);
    match &editor.announcement {
        None => String::new(),
        Some(Announcement::Moved(title, position, count)) => {
            format!("{title}: {}", fill(SiteText::MovedTo, &format!("{position}/{count}")))
        }
        Some(Announcement::Added(position, count)) => fill(SiteText::AddedAt, &format!("{position}/{count}")),
        Some(Announcement::Removed(title)) => fill(SiteText::Removed, title),
        Some(Announcement::Undone(title)) => fill(SiteText::Undone, title),
    }
}

/// Returns the name of a type.
pub(super) const fn kind_name(kind: LinkSiteFieldType) -> SiteText {
    match kind {
        LinkSiteFieldType::Text => SiteText::TextKind,
        LinkSiteFieldType::LongText => SiteText::LongText,
        LinkSiteFieldType::Number => SiteText::Number,
        LinkSiteFieldType::Date => SiteText::DateKind,
        LinkSiteFieldType::Choice => SiteText::Choice,
        LinkSiteFieldType::Several => SiteText::Several,
        LinkSiteFieldType::Email => SiteText::EmailKind,
        LinkSiteFieldType::Phone => SiteText::PhoneKind,
        LinkSiteFieldType::Address => SiteText::AddressKind,
        LinkSiteFieldType::Checkbox => SiteText::Checkbox,
        LinkSiteFieldType::File => SiteText::FileKind,
        LinkSiteFieldType::Statement => SiteText::StatementKind,
        LinkSiteFieldType::Hidden => SiteText::Hidden,
    }
}
