//! Parts that several pages draw.

use js_sys::{Date, JSON, Object, Reflect};
use link_types::console::{Role, SignedIn};
use link_types::{Mode, Timestamp};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::shown::Shown;
use crate::core::texts::Words;
use crate::core::{Event, Failure, Loaded, Question, Text};

/// Draws a list, or its loading or failed state.
pub(super) fn draw_list<T>(shown: &Shown<'_>, list: &Loaded<T>, ready: impl FnOnce(&T) -> Html) -> Html {
    match list {
        Loaded::Ready(items) => ready(items),
        Loaded::Failed(failure) => draw_failure(shown, failure),
        Loaded::Loading => html! {
            <div class="bones" role="status">
                <span class="hidden">{ shown.text(Text::Loading) }</span>
                <span class="bone" /><span class="bone" /><span class="bone" />
            </div>
        },
    }
}

/// Draws a failure in place of what it prevents.
pub(super) fn draw_failure(shown: &Shown<'_>, failure: &Failure) -> Html {
    let is_denied = *failure == Failure::Denied;
    let (title, text) = if is_denied {
        (Text::DeniedTitle, shown.text(Text::DeniedText).to_owned())
    } else {
        (Text::FailedTitle, shown.message(failure))
    };
    html! {
        <div class="empty" role="alert">
            <h2>{ shown.text(title) }</h2>
            <p class="soft">{ text }</p>
            if !is_denied {
                <button type="button" class="second" onclick={shown.send(Event::Retry)}>
                    { shown.text(Text::Retry) }
                </button>
            }
        </div>
    }
}

/// Draws the last success or failure of the page.
pub(super) fn notice(shown: &Shown<'_>) -> Html {
    let state = shown.state;
    html! {
        <>
            if let Some(text) = state.notice { <p class="notice good">{ shown.text(text) }</p> }
            if let Some(failure) = &state.failure { { alert(shown, failure) } }
        </>
    }
}

/// Draws a failure next to what was tried.
pub(super) fn alert(shown: &Shown<'_>, failure: &Failure) -> Html {
    html! { <p id="failure" class="notice bad" role="alert" tabindex="-1">{ shown.message(failure) }</p> }
}

/// The field with the visitor's own e-mail address, which the browser may fill in. Other fields are about other things.
pub(super) const OWN_ADDRESS: &str = "own-address";

/// Draws a text field with its label, help and fault.
pub(super) fn field<W: Words>(
    shown: &Shown<'_>,
    (id, kind, label): (&'static str, &'static str, W),
    value: &str,
    fault: Option<&str>,
    help: Option<W>,
    typed: fn(String) -> Event,
) -> Html {
    let help = help.map(|it| shown.text(it));
    draw_field(shown, (id, kind, shown.text(label)), value, fault, help, typed)
}

/// Draws a field. One function for all sets of texts, because each copy makes the program larger.
fn draw_field(
    shown: &Shown<'_>,
    (id, kind, label): (&'static str, &'static str, &'static str),
    value: &str,
    fault: Option<&str>,
    help: Option<&'static str>,
    typed: fn(String) -> Event,
) -> Html {
    let (help_id, fault_id) = (format!("{id}-help"), format!("{id}-fault"));
    let described = match (fault, help) {
        (Some(_), _) => Some(fault_id.clone()),
        (None, Some(_)) => Some(help_id.clone()),
        (None, None) => None,
    };
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <input {id} type={kind} value={value.to_owned()} maxlength="254" required=true
                autocomplete={if id == OWN_ADDRESS { "email" } else { "off" }}
                aria-invalid={fault.map(|_| "true")} aria-describedby={described}
                oninput={shown.emit.reform(move |event: InputEvent| typed(text_of(&event)))} />
            if let Some(fault) = fault {
                <p class="fault" id={fault_id}>{ fault.to_owned() }</p>
            } else if let Some(help) = help {
                <p class="soft small" id={help_id}>{ help }</p>
            }
        </div>
    }
}

/// Returns the text of the input or text area that an event comes from.
pub(super) fn text_of(event: &InputEvent) -> String {
    let Some(target) = event.target() else { return String::new() };
    match target.dyn_into::<HtmlTextAreaElement>() {
        Ok(area) => area.value(),
        Err(target) => target.dyn_into::<HtmlInputElement>().map(|it| it.value()).unwrap_or_default(),
    }
}

/// Returns the text of the text area that an event comes from.
pub(super) fn value_of_input(event: &InputEvent) -> String {
    let area = event.target().and_then(|it| it.dyn_into::<HtmlTextAreaElement>().ok());
    area.map(|it| it.value()).unwrap_or_default()
}

/// Returns the value of the input or list that an event comes from.
pub(super) fn value_of(event: &yew::Event) -> String {
    let Some(target) = event.target() else { return String::new() };
    match target.dyn_into::<HtmlSelectElement>() {
        Ok(select) => select.value(),
        Err(target) => target.dyn_into::<HtmlInputElement>().map(|it| it.value()).unwrap_or_default(),
    }
}

/// Draws a field for a day, or `kind` of text, that filters when its value is complete.
pub(super) fn filter_field(
    shown: &Shown<'_>,
    (id, kind, label): (&'static str, &'static str, Text),
    value: &str,
    (fault, help): (Option<&str>, Option<Text>),
    onchange: Callback<yew::Event>,
) -> Html {
    let about_id = format!("{id}-about");
    let about = fault.or(help.map(|it| shown.text(it))).map(str::to_owned);
    html! {
        <div class="field">
            <label for={id}>{ shown.text(label) }</label>
            <input {id} type={kind} value={value.to_owned()} maxlength="64" autocomplete="off" {onchange}
                aria-invalid={fault.map(|_| "true")} aria-describedby={about.is_some().then(|| about_id.clone())} />
            if let Some(about) = about {
                <p class={if fault.is_some() { "fault" } else { "soft small" }} id={about_id}>{ about }</p>
            }
        </div>
    }
}

/// Draws a list of values to choose from, or none of them, which has the name `none`.
pub(super) fn choose(
    shown: &Shown<'_>,
    (id, label, none): (&'static str, Text, Text),
    chosen: Option<&str>,
    values: &[(&'static str, String)],
    event: impl Fn(String) -> Event + 'static,
) -> Html {
    let none = (Some(String::new()), shown.text(none).to_owned(), chosen.is_none());
    let values =
        values.iter().map(|(value, name)| (Some((*value).to_owned()), name.clone(), chosen == Some(*value)));
    let options = std::iter::once(none).chain(values).collect();
    let onchange = shown.emit.reform(move |changed: yew::Event| event(value_of(&changed)));
    select(shown, (id, shown.text(label)), options, None, onchange)
}

/// An option: its value, its text, and whether it is chosen.
pub(super) type SelectOption = (Option<String>, String, bool);

/// Draws a list to choose from. One function for all lists, because each copy makes the program larger.
pub(super) fn select(
    shown: &Shown<'_>,
    (id, label): (&'static str, &'static str),
    options: Vec<SelectOption>,
    help: Option<Text>,
    onchange: Callback<yew::Event>,
) -> Html {
    let help_id = format!("{id}-help");
    let option =
        |(value, text, selected): SelectOption| html! { <option {value} {selected}>{ text }</option> };
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <select {id} {onchange} aria-describedby={help.map(|_| help_id.clone())}>
                { for options.into_iter().map(option) }
            </select>
            if let Some(help) = help { <p class="soft small" id={help_id}>{ shown.text(help) }</p> }
        </div>
    }
}

/// Draws the heading of a page about an environment.
pub(super) fn heading(shown: &Shown<'_>, title: Text, mode: Mode) -> Html {
    html! {
        <div class="heading">
            <h1 tabindex="-1">{ shown.text(title) }</h1>
            { environment(shown, mode) }
        </div>
    }
}

/// Draws what a page is for, and the address of its environment.
pub(super) fn environment_lead(
    shown: &Shown<'_>,
    text: impl Words,
    mode: Mode,
    signed_in: &SignedIn,
) -> Html {
    let url = match mode {
        Mode::Sandbox => &signed_in.sandbox_url,
        Mode::Production => &signed_in.production_url,
    };
    html! { <p class="soft lead">{ shown.text(text) }{ " " }<code translate="no">{ url.clone() }</code></p> }
}

/// Returns JSON with line breaks and indents, or the text as it is if it is not JSON.
pub(super) fn pretty(json: &str) -> String {
    let Ok(value) = JSON::parse(json) else { return json.to_owned() };
    let text = JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, &JsValue::from(2));
    text.ok().and_then(|it| it.as_string()).unwrap_or_else(|| json.to_owned())
}

/// Returns a callback for the submission of a form, which the browser must not send.
pub(super) fn on_submit(shown: &Shown<'_>) -> Callback<SubmitEvent> {
    on_submit_as(shown, Event::Submitted)
}

/// Returns a callback that emits an event when a form is submitted.
pub(super) fn on_submit_as(shown: &Shown<'_>, submitted: Event) -> Callback<SubmitEvent> {
    shown.emit.reform(move |event: SubmitEvent| {
        event.prevent_default();
        submitted.clone()
    })
}

/// Draws a value that is shown once, with a button that copies it.
pub(super) fn secret(shown: &Shown<'_>, label: Text, value: &str) -> Html {
    html! {
        <div class="secret">
            <span class="label">{ shown.text(label) }</span>
            <code translate="no">{ value.to_owned() }</code>
            { copy_button(shown, shown.text(label), value) }
        </div>
    }
}

/// Draws a button that copies a text.
pub(super) fn copy_button(shown: &Shown<'_>, label: &str, copied: &str) -> Html {
    let copied = copied.to_owned();
    let copy = Callback::from(move |event: MouseEvent| {
        if let Some(window) = web_sys::window() {
            drop(window.navigator().clipboard().write_text(&copied));
        }
        // Says so on the button itself, until the pointer or the focus leaves it.
        if let Some(button) = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok()) {
            drop(button.set_attribute("data-copied", ""));
        }
    });
    html! {
        <button type="button" class="second copy" onclick={copy} data-done={shown.text(Text::Copied)}
            aria-label={format!("{}: {label}", shown.text(Text::Copy))}>
            <span>{ shown.text(Text::Copy) }</span>
        </button>
    }
}

/// Draws the confirmation of a destructive act.
pub(super) fn question(
    shown: &Shown<'_>,
    title: String,
    text: impl Words,
    button: impl Words,
    asked: &Question,
) -> Html {
    question_with(shown, title, text, button, asked, Html::default())
}

/// Draws the confirmation of an act, with more to choose.
pub(super) fn question_with(
    shown: &Shown<'_>,
    title: String,
    text: impl Words,
    button: impl Words,
    asked: &Question,
    more: Html,
) -> Html {
    draw_question(shown, title, [shown.text(text), shown.text(button)], asked, more)
}

/// Draws a confirmation. One function for all sets of texts, because each copy makes the program larger.
fn draw_question(
    shown: &Shown<'_>,
    title: String,
    [text, button]: [&'static str; 2],
    asked: &Question,
    more: Html,
) -> Html {
    html! {
        <section id="question" class="panel danger" tabindex="-1" aria-labelledby="question-title">
            <h2 id="question-title">{ title }</h2>
            <p>{ text }</p>
            if let Some(failure) = &asked.failure { { alert(shown, failure) } }
            { more }
            if let Some(word) = asked.word() {
                <div class="field">
                    <label for="word">{ shown.language.fill(Text::TypeToConfirm, word) }</label>
                    <input id="word" value={asked.typed.clone()} autocomplete="off"
                        oninput={shown.emit.reform(|event: InputEvent| Event::WordTyped(text_of(&event)))} />
                </div>
            }
            <div class="actions">
                <button type="button" class="destroy" disabled={!asked.is_ready()}
                    onclick={shown.send(Event::Confirmed)}>{ button }</button>
                <button type="button" class="second" onclick={shown.send(Event::Kept)}>{ shown.text(Text::Keep) }</button>
            </div>
        </section>
    }
}

/// Draws the name of an environment as a badge.
pub(super) fn environment(shown: &Shown<'_>, mode: Mode) -> Html {
    let (class, text) = match mode {
        Mode::Sandbox => ("badge sandbox", Text::Sandbox),
        Mode::Production => ("badge production", Text::Production),
    };
    html! { <span {class}>{ shown.text(text) }</span> }
}

/// Returns the name of a role.
pub(super) const fn role_name(role: Role) -> Text {
    match role {
        Role::Owner => Text::Owner,
        Role::Developer => Text::Developer,
        Role::Support => Text::Support,
        Role::Viewer => Text::Viewer,
    }
}

/// Draws a time, in the member's time zone and in UTC.
pub(super) fn time(shown: &Shown<'_>, at: Timestamp) -> Html {
    html! {
        <time datetime={at.to_string()}>{ local(shown, at) }<span class="soft small block">{ utc(at) }</span></time>
    }
}

/// Returns a time in the member's time zone and in UTC, for a sentence.
pub(super) fn both_times(shown: &Shown<'_>, at: Timestamp) -> String {
    format!("{} ({})", local(shown, at), utc(at))
}

/// Returns a time in UTC, accurate to a minute.
fn utc(at: Timestamp) -> String {
    let text = at.to_string();
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or_default())
}

/// Draws a list of texts to choose from. `id` joins it with its label.
pub(super) fn choice(
    shown: &Shown<'_>,
    id: &'static str,
    label: Text,
    options: impl Iterator<Item = (String, bool)>,
    help: Option<Text>,
    chosen: impl Fn(usize) -> Event + 'static,
) -> Html {
    let onchange = shown.emit.reform(move |event: yew::Event| {
        let select = event.target().and_then(|it| it.dyn_into::<HtmlSelectElement>().ok());
        chosen(select.and_then(|it| usize::try_from(it.selected_index()).ok()).unwrap_or_default())
    });
    let options = options.map(|(text, selected)| (None, text, selected)).collect();
    select(shown, (id, shown.text(label)), options, help, onchange)
}

/// Returns a time in the member's time zone and language.
fn local(shown: &Shown<'_>, at: Timestamp) -> String {
    let options = Object::new();
    for (name, value) in [("dateStyle", "medium"), ("timeStyle", "short")] {
        drop(Reflect::set(&options, &JsValue::from_str(name), &JsValue::from_str(value)));
    }
    let date = Date::new(&JsValue::from_str(&at.to_string()));
    date.to_locale_string(shown.language.tag(), &options).into()
}
