//! The API keys of an environment.

use link_types::Mode;
use link_types::console::{ConsoleKey, KeyState, Permission, SignedIn};
use yew::prelude::*;

use super::parts::{alert, choice, draw_list, environment, field, on_submit, question, question_with, time};
use super::shown::Shown;
use crate::core::question::Act;
use crate::core::state::{ACCESSES, LIVES, ROTATION_HOURS, access_of};
use crate::core::{Event, Question, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, signed_in: &SignedIn) -> Html {
    let state = shown.state;
    let (means, url) = match mode {
        Mode::Sandbox => (Text::SandboxMeans, &signed_in.sandbox_url),
        Mode::Production => (Text::ProductionMeans, &signed_in.production_url),
    };
    let may_manage = state.may(mode, Permission::ManageKeys);
    html! {
        <>
            <div class="heading">
                <h1 tabindex="-1">{ shown.text(Text::Keys) }</h1>
                { environment(shown, mode) }
            </div>
            <p class="soft lead">{ shown.text(means) }{ " " }<code translate="no">{ url.clone() }</code></p>
            if let Some(asked) = &state.question {
                if let Act::RevokeKey(_, key) = &asked.act {
                    { question(shown, shown.language.fill(Text::RevokeNamed, name(shown, key)), Text::RevokeText,
                        Text::RevokeKey, asked) }
                }
                if let Act::RotateKey(_, key) = &asked.act {
                    { question_with(shown, shown.language.fill(Text::RotateNamed, name(shown, key)), Text::RotateText,
                        Text::RotateKey, asked, hours(shown, asked)) }
                }
            }
            { draw_list(shown, &state.keys, |keys| list(shown, mode, keys, may_manage)) }
            if may_manage && !state.keys.is_loading() { { form(shown, mode) } }
        </>
    }
}

fn name<'n>(shown: &Shown<'_>, key: &'n ConsoleKey) -> &'n str {
    if key.name.is_empty() { shown.text(Text::Unnamed) } else { &key.name }
}

fn list(shown: &Shown<'_>, mode: Mode, keys: &[ConsoleKey], may_manage: bool) -> Html {
    if keys.is_empty() {
        let text = if may_manage { Text::NoKeys } else { Text::NoKeysReader };
        return html! { <div class="empty"><p class="soft">{ shown.text(text) }</p></div> };
    }
    let has_actions = may_manage && keys.iter().any(|key| key.revoked_at.is_none());
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Keys) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Name) }</th>
                <th scope="col">{ shown.text(Text::Created) }</th>
                <th scope="col">{ shown.text(Text::Expires) }</th>
                <th scope="col">{ shown.text(Text::LastUsed) }</th>
                <th scope="col">{ shown.text(Text::Status) }</th>
                if has_actions { <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th> }
            </tr></thead>
            <tbody>{ for keys.iter().map(|key| row(shown, mode, key, has_actions)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, key: &ConsoleKey, has_actions: bool) -> Html {
    let (class, status) = match key.state {
        KeyState::Active => ("state good", Text::Active),
        KeyState::Expired => ("state off", Text::Expired),
        KeyState::Revoked => ("state off", Text::Revoked),
    };
    let is_active = key.state == KeyState::Active;
    let asked = Event::Asked(Act::RevokeKey(mode, key.clone()));
    let rotated = Event::Asked(Act::RotateKey(mode, key.clone()));
    let never = || html! { <span class="soft">{ shown.text(Text::Never) }</span> };
    html! {
        <tr key={key.id.clone()} class={(!is_active).then_some("off")}>
            <th scope="row" dir="auto" class={key.name.is_empty().then_some("unnamed")}>
                { name(shown, key).to_owned() }
                <code class="block" translate="no">{ format!("lpk_…{}", key.last_four) }</code>
                <span class="soft small block">{ shown.text(access_of(&key.scopes)) }</span>
            </th>
            <td data-label={shown.text(Text::Created)}>{ time(shown, key.created_at) }</td>
            <td data-label={shown.text(Text::Expires)}>
                { key.expires_at.map_or_else(never, |at| time(shown, at)) }</td>
            <td data-label={shown.text(Text::LastUsed)}>
                { key.last_used_at.map_or_else(never, |at| time(shown, at)) }</td>
            <td data-label={shown.text(Text::Status)}><span {class}>{ shown.text(status) }</span></td>
            if has_actions {
                <td class="last">
                    if is_active {
                        <button type="button" class="quiet" onclick={shown.send(rotated)}
                            aria-label={shown.language.fill(Text::RotateNamed, name(shown, key))}>
                            { shown.text(Text::Rotate) }
                        </button>
                    }
                    if key.revoked_at.is_none() {
                        <button type="button" class="quiet bad" onclick={shown.send(asked)}
                            aria-label={shown.language.fill(Text::RevokeNamed, name(shown, key))}>
                            { shown.text(Text::Revoke) }
                        </button>
                    }
                </td>
            }
        </tr>
    }
}

/// Draws the choice of the old key's end.
fn hours(shown: &Shown<'_>, asked: &Question) -> Html {
    let ends = ROTATION_HOURS.iter().map(|hours| {
        let text = match hours {
            0 => Text::AtOnce,
            1 => Text::InOneHour,
            24 => Text::InOneDay,
            _ => Text::InOneWeek,
        };
        (shown.text(text).to_owned(), *hours == asked.hours)
    });
    choice(shown, "old-key-ends", Text::OldKeyEnds, ends, None, Event::HoursChosen)
}

fn form(shown: &Shown<'_>, mode: Mode) -> Html {
    let form = shown.state.key_form(mode);
    let about = |name| form.failure.as_ref().and_then(|it| it.about(name));
    let (fault, code_fault) = (about("name"), about("code"));
    let button = if form.is_sending { Text::Creating } else { Text::CreateKey };
    let accesses = ACCESSES.iter().map(|(text, it)| (shown.text(*text).to_owned(), *it == form.draft.scopes));
    let lives = LIVES.iter().map(|days| {
        let text = match days {
            Some(days) => shown.language.fill(Text::InDays, &days.to_string()),
            None => shown.text(Text::Never).to_owned(),
        };
        (text, *days == form.draft.expires_in_days)
    });
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(Text::NewKey) }</h2>
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.or(code_fault).is_none()) { { alert(shown, failure) } }
            <div class="fields">
                { field(shown, ("key-name", "text", Text::Name), &form.draft.name, fault, Some(Text::KeyNameHelp),
                    Event::NameTyped) }
                { choice(shown, "key-access", Text::Access, accesses, Some(Text::AccessHelp), Event::AccessChosen) }
                { choice(shown, "key-life", Text::Expires, lives, None, Event::LifeChosen) }
                { field(shown, ("key-code", "text", Text::KeyCode), form.draft.code.as_deref().unwrap_or_default(),
                    code_fault, Some(Text::KeyCodeHelp), Event::KeyCodeTyped) }
            </div>
            <div class="actions">
                <button type="submit" class="main" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(button) }</button>
            </div>
        </form>
    }
}
