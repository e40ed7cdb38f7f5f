//! Passkeys, and the confirmation of an act with one.

use link_types::console::{Passkey, SignedIn};
use yew::prelude::*;

use super::parts::{alert, draw_list, question, time};
use super::shown::Shown;
use crate::core::ceremony::{Ceremony, PasskeyEvent};
use crate::core::question::Act;
use crate::core::{Event, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let state = shown.state;
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::Passkeys) }</h1>
            <p class="soft lead">{ shown.text(Text::PasskeysText) }</p>
            if let Some(asked) = &state.question {
                if let Act::RemovePasskey(passkey) = &asked.act {
                    { question(shown, shown.language.fill(Text::RemovePasskeyNamed, &passkey.browser),
                        Text::RemovePasskeyText, Text::RemovePasskey, asked) }
                }
            }
            if state.has_passkeys() {
                <p><button type="button" class="main" disabled={state.is_asking()}
                    onclick={shown.send(Event::Passkey(PasskeyEvent::Wanted(Ceremony::Add)))}>
                    { shown.text(if state.is_adding_passkey { Text::PasskeyWaiting } else { Text::AddPasskey }) }
                </button></p>
            } else {
                <p class="notice">{ shown.text(Text::PasskeysNeedHost) }</p>
            }
            { draw_list(shown, &state.passkeys, |passkeys| list(shown, passkeys)) }
        </>
    }
}

fn list(shown: &Shown<'_>, passkeys: &[Passkey]) -> Html {
    if passkeys.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(Text::NoPasskeys) }</p></div> };
    }
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Passkeys) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::PasskeyFrom) }</th>
                <th scope="col">{ shown.text(Text::PasskeyCreated) }</th>
                <th scope="col">{ shown.text(Text::LastUsed) }</th>
                <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th>
            </tr></thead>
            <tbody>{ for passkeys.iter().map(|passkey| row(shown, passkey)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, passkey: &Passkey) -> Html {
    let asked = Event::Asked(Act::RemovePasskey(passkey.clone()));
    html! {
        <tr key={passkey.id.as_str().to_owned()}>
            <th scope="row">{ &passkey.browser }</th>
            <td data-label={shown.text(Text::PasskeyCreated)}>{ time(shown, passkey.created_at) }</td>
            <td data-label={shown.text(Text::LastUsed)}>
                if let Some(at) = passkey.last_used_at { { time(shown, at) } } else { { shown.text(Text::NeverUsed) } }
            </td>
            <td class="last">
                <button type="button" class="quiet bad" onclick={shown.send(asked)}
                    aria-label={shown.language.fill(Text::RemovePasskeyNamed, &passkey.browser)}>
                    { shown.text(Text::Remove) }</button>
            </td>
        </tr>
    }
}

/// Draws the question whether it is the member who acts. It is above the page until they answer.
pub(super) fn confirmation(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let Some(unconfirmed) = &shown.state.unconfirmed else { return Html::default() };
    html! {
        <section id="confirmation" class="panel" tabindex="-1" aria-labelledby="confirmation-title">
            <h2 id="confirmation-title">{ shown.text(Text::ConfirmTitle) }</h2>
            <p>{ shown.text(Text::ConfirmText) }</p>
            if let Some(failure) = &unconfirmed.failure { { alert(shown, failure) } }
            <p class="soft">{ shown.text(Text::ConfirmWithout) }</p>
            <div class="actions">
                if signed_in.has_passkeys {
                    <button type="button" class="main" disabled={shown.state.is_asking()}
                        onclick={shown.send(Event::Passkey(PasskeyEvent::Wanted(Ceremony::Confirm)))}>
                        { shown.text(Text::UsePasskey) }</button>
                }
                <button type="button" class="second" onclick={shown.send(Event::Passkey(PasskeyEvent::Declined))}>
                    { shown.text(Text::Cancel) }</button>
            </div>
        </section>
    }
}
