//! The page of a one-time address, and the page without a session.

use yew::prelude::*;

use super::parts::{OWN_ADDRESS, alert, field, on_submit};
use super::shown::Shown;
use super::single_sign_on::organization;
use crate::core::ceremony::{Ceremony, PasskeyEvent};
use crate::core::single_sign_on::SignOnInput;
use crate::core::single_sign_on::request::Way;
use crate::core::texts::sign_in::{SignInText, SignOnText};
use crate::core::{Event, Failure, Text};

/// Draws the page of a one-time address. Only its button uses the address.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let state = shown.state;
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::EnterTitle) }</h1>
            if state.has_code {
                <p class="soft">{ shown.text(SignInText::EnterText) }</p>
                if let Some(failure) = &state.failure {
                    if *failure == Failure::SignedOut {
                        <p id="failure" class="notice bad" role="alert" tabindex="-1">{ shown.text(SignInText::EnterFailed) }
                            { " " }<a href="/console/">{ shown.text(SignInText::ToSignIn) }</a></p>
                    } else {
                        { alert(shown, failure) }
                    }
                }
                <button type="button" class="main wide" disabled={state.is_signing}
                    onclick={shown.send(Event::SignIn)}>{ shown.text(SignInText::EnterButton) }</button>
                <button type="button" class="second wide" disabled={state.is_signing}
                    onclick={shown.send(Event::SignOn(SignOnInput::Wanted(Way::Invitation)))}>
                    { shown.text(SignOnText::Continue) }</button>
            } else {
                <p class="soft">{ shown.text(SignInText::EnterWithoutCode) }</p>
            }
        </>
    }
}

/// Draws the page without a session.
pub(super) fn show_entry(shown: &Shown<'_>) -> Html {
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::SignedOutTitle) }</h1>
            <p class="soft">{ shown.text(SignInText::SignedOutPasskey) }
                if shown.state.has_typed() { { " " }{ shown.text(SignInText::TypedStays) } }</p>
            if let Some(failure) = &shown.state.failure { { alert(shown, failure) } }
            <button type="button" class="main wide" disabled={shown.state.is_asking()}
                onclick={shown.send(Event::Passkey(PasskeyEvent::Wanted(Ceremony::SignIn)))}>
                { shown.text(SignInText::PasskeySignIn) }</button>
            if shown.state.mailed_link.is_offered { { show_mailed_link(shown) } }
            { organization(shown) }
            <p class="soft">{ shown.text(SignInText::SignedOutText) }</p>
            <p class="soft">{ shown.text(SignInText::SignedOutHelp) }</p>
            <pre translate="no"><code>{ "linchpin console recover --tenant TENANT" }</code></pre>
            <button type="button" class="second wide" onclick={shown.send(Event::Retry)}>{ shown.text(Text::Retry) }</button>
        </>
    }
}

/// Draws the request of a mailed link.
fn show_mailed_link(shown: &Shown<'_>) -> Html {
    let link = &shown.state.mailed_link;
    let form = &link.form;
    let fault = form.failure.as_ref().and_then(|it| it.about("email"));
    html! {
        <form class="mailed" onsubmit={on_submit(shown)} novalidate=true>
            if link.is_requested {
                <p id="mailed" class="notice good" role="status" tabindex="-1">{ shown.text(SignInText::LinkRequested) }</p>
            }
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            { field(shown, (OWN_ADDRESS, "email", Text::Email), &form.draft, fault,
                Some(Text::LinkHelp), Event::EmailTyped) }
            <button type="submit" class="second wide" aria-disabled={form.is_sending.then_some("true")}>{ shown.text(SignInText::LinkButton) }</button>
        </form>
    }
}
