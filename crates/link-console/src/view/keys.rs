//! The API keys of an environment.

use link_types::Mode;
use link_types::console::{ConsoleKey, Permission, SignedIn};
use yew::prelude::*;

use super::parts::{alert, draw_list, environment, field, on_submit, question, time};
use super::shown::Shown;
use crate::core::state::Act;
use crate::core::{Event, Text};

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
            }
            { draw_list(shown, &state.keys, |keys| list(shown, mode, keys, may_manage)) }
            if may_manage { { form(shown, mode) } }
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
                <th scope="col">{ shown.text(Text::Key) }</th>
                <th scope="col">{ shown.text(Text::Created) }</th>
                <th scope="col">{ shown.text(Text::Status) }</th>
                if has_actions { <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th> }
            </tr></thead>
            <tbody>{ for keys.iter().map(|key| row(shown, mode, key, has_actions)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, key: &ConsoleKey, has_actions: bool) -> Html {
    let is_active = key.revoked_at.is_none();
    let (class, status) = if is_active { ("state good", Text::Active) } else { ("state off", Text::Revoked) };
    let asked = Event::Asked(Act::RevokeKey(mode, key.clone()));
    html! {
        <tr key={key.id.clone()} class={(!is_active).then_some("off")}>
            <th scope="row" dir="auto" class={key.name.is_empty().then_some("unnamed")}>{ name(shown, key).to_owned() }</th>
            <td data-label={shown.text(Text::Key)}><code translate="no">{ format!("lpk_…{}", key.last_four) }</code></td>
            <td data-label={shown.text(Text::Created)}>{ time(shown, key.created_at) }</td>
            <td data-label={shown.text(Text::Status)}><span {class}>{ shown.text(status) }</span></td>
            if has_actions {
                <td class="last">
                    if is_active {
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

fn form(shown: &Shown<'_>, mode: Mode) -> Html {
    let form = shown.state.key_form(mode);
    let fault = form.failure.as_ref().and_then(|it| it.about("name"));
    let button = if form.is_sending { Text::Creating } else { Text::CreateKey };
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(Text::NewKey) }</h2>
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            { field(shown, ("key-name", "text", Text::Name), &form.draft.name, fault, Some(Text::KeyNameHelp),
                Event::NameTyped) }
            <div class="actions">
                <button type="submit" class="main" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(button) }</button>
            </div>
        </form>
    }
}
