//! The page of a one-time address, and the page without a session.

use yew::prelude::*;

use super::parts::alert;
use super::shown::Shown;
use crate::core::ceremony::{Ceremony, PasskeyEvent};
use crate::core::{Event, Failure, Text};

/// Draws the page of a one-time address. Only its button uses the address.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let state = shown.state;
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::EnterTitle) }</h1>
            if state.has_code {
                <p class="soft">{ shown.text(Text::EnterText) }</p>
                if let Some(failure) = &state.failure {
                    if *failure == Failure::SignedOut {
                        <p id="failure" class="notice bad" role="alert" tabindex="-1">{ shown.text(Text::EnterFailed) }</p>
                    } else {
                        { alert(shown, failure) }
                    }
                }
                <button type="button" class="main wide" disabled={state.is_signing}
                    onclick={shown.send(Event::SignIn)}>{ shown.text(Text::EnterButton) }</button>
            } else {
                <p class="soft">{ shown.text(Text::EnterWithoutCode) }</p>
            }
        </>
    }
}

/// Draws the page without a session.
pub(super) fn signed_out(shown: &Shown<'_>) -> Html {
    html! {
            <>
                <h1 tabindex="-1">{ shown.text(Text::SignedOutTitle) }</h1>
                <p class="soft">{ shown.text(Text::SignedOutPasskey) }
                    if shown.state.has_typed() { { " " }{ shown.text(Text::TypedStays) } }</p>
                if let Some(failure) = &shown.state.failure { { alert(shown, failure) } }
                <button type="button" class="main wide" disabled={shown.state.is_asking()}
                    onclick={shown.send(Event::Passkey(PasskeyEvent::Wanted(Ceremony::SignIn)))}>
                    { shown.text(Text::PasskeySignIn) }</button>
                <p class="soft">{ shown.text(Text::SignedOutText) }
    </p>
                <p class="soft">{ shown.text(Text::SignedOutHelp) }</p>
                <pre translate="no"><code>{ "linchpin console recover --tenant TENANT" }</code></pre>
                <button type="button" class="second wide" onclick={shown.send(Event::Retry)}>{ shown.text(Text::Retry) }</button>
            </>
        }
}
