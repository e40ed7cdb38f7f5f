//! New keys and one-time addresses, which are shown once, on every page.

use link_types::Mode;
use link_types::console::{CreatedKey, KeyCredentials, OneTimeAddress};
use yew::prelude::*;

use super::parts::{both_times, environment, secret};
use super::shown::Shown;
use crate::core::{Event, Once, Text};
use crate::crypto::standard_secret;

/// Draws what the member has not dismissed, the newest first.
pub(super) fn panels(shown: &Shown<'_>) -> Html {
    let panel = |(place, once): (usize, &Once)| match once {
        Once::Key(mode, created) => key(shown, place, *mode, created),
        Once::Address(address) => one_time(shown, place, address),
        Once::WebhookSecret(mode, name, secret) => webhook(shown, place, *mode, (name, secret)),
    };
    html! { { for shown.state.once.iter().enumerate().map(panel) } }
}

fn key(shown: &Shown<'_>, place: usize, mode: Mode, created: &CreatedKey) -> Html {
    let name = match created.key.name.as_str() {
        "" => format!("lpk_…{}", created.key.last_four),
        name => name.to_owned(),
    };
    let named = shown.language.fill(Text::KeyCreated, &name);
    let title = html! { <><span dir="auto">{ named }</span>{ " " }{ environment(shown, mode) }</> };
    let Some(KeyCredentials { api_key, api_secret }) = &created.credentials else {
        let given = html! { <p>{ shown.text(Text::KeyGivenText) }</p> };
        return panel(shown, (place, &created.key.id), title, given, Text::Done);
    };
    let secrets = html! {
        <>
            <p>{ shown.text(Text::KeyCreatedText) }</p>
            { secret(shown, Text::ApiKey, api_key) }
            { secret(shown, Text::ApiSecret, api_secret) }
        </>
    };
    panel(shown, (place, &created.key.id), title, secrets, Text::Stored)
}

fn webhook(shown: &Shown<'_>, place: usize, mode: Mode, (name, value): (&str, &str)) -> Html {
    let title =
        html! { <>{ shown.language.fill(Text::SecretCreated, name) }{ " " }{ environment(shown, mode) }</> };
    let secrets = html! {
        <>
            <p>{ shown.text(Text::SecretCreatedText) }</p>
            { secret(shown, Text::SigningSecret, value) }
            { for standard_secret(value).map(|it| secret(shown, Text::StandardSecret, &it)) }
        </>
    };
    panel(shown, (place, value), title, secrets, Text::Stored)
}

fn one_time(shown: &Shown<'_>, place: usize, address: &OneTimeAddress) -> Html {
    let title = html! { { shown.language.fill(Text::AddressTitle, &address.member.name) } };
    let secrets = html! {
        <>
            <p>{ shown.language.fill(Text::AddressText, &both_times(shown, address.expires_at)) }</p>
            { secret(shown, Text::Address, &address.url) }
        </>
    };
    panel(shown, (place, address.member.id.as_str()), title, secrets, Text::Done)
}

fn panel(shown: &Shown<'_>, (place, key): (usize, &str), title: Html, secrets: Html, button: Text) -> Html {
    let id = format!("once-{place}");
    html! {
        <section key={key.to_owned()} class="panel once" tabindex="-1" aria-labelledby={id.clone()}>
            <h2 {id}>{ title }</h2>
            { secrets }
            <div class="actions">
                <button type="button" class="main" onclick={shown.send(Event::Dismissed(place))}>
                    { shown.text(button) }</button>
            </div>
        </section>
    }
}
