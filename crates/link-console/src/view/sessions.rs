//! Sessions.

use link_types::console::ConsoleSession;
use yew::prelude::*;

use super::parts::{draw_list, question, time};
use super::shown::Shown;
use crate::core::question::Act;
use crate::core::{Event, Loaded, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>) -> Html {
    let state = shown.state;
    html! {
        <>
            <h1 tabindex="-1">{ shown.text(Text::Sessions) }</h1>
            <p class="soft lead">{ shown.text(Text::SessionsText) }</p>
            if let Some(asked) = &state.question {
                if let Act::EndSession(session) = &asked.act {
                    { question(shown, shown.language.fill(Text::EndNamed, &session.browser), Text::EndText,
                        Text::EndSession, asked) }
                }
            }
            { draw_list(shown, &state.sessions, |sessions| list(shown, sessions)) }
        </>
    }
}

fn list(shown: &Shown<'_>, sessions: &[ConsoleSession]) -> Html {
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::Sessions) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Browser) }</th>
                <th scope="col">{ shown.text(Text::SignedIn) }</th>
                <th scope="col">{ shown.text(Text::LastUsed) }</th>
                <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th>
            </tr></thead>
            <tbody>{ for sessions.iter().map(|session| row(shown, session)) }</tbody>
        </table>
    }
}

fn row(shown: &Shown<'_>, session: &ConsoleSession) -> Html {
    let asked = Event::Asked(Act::EndSession(session.clone()));
    html! {
        <tr key={session.id.as_str().to_owned()}>
            <th scope="row">
                { &session.browser }
                if session.is_current { <span class="badge">{ shown.text(Text::ThisSession) }</span> }
                if !session.is_confirmed { <span class="badge">{ shown.text(Text::Unconfirmed) }</span> }
                if let Some((name, email)) = member_of(shown, session) {
                    <span class="soft small block">{ format!("{name} · {email}") }</span>
                }
            </th>
            <td data-label={shown.text(Text::SignedIn)}>{ time(shown, session.created_at) }</td>
            <td data-label={shown.text(Text::LastUsed)}>{ time(shown, session.last_used_at) }</td>
            <td class="last">
                <button type="button" class="quiet bad" onclick={shown.send(asked)}
                    aria-label={shown.language.fill(Text::EndNamed, &session.browser)}>
                    { shown.text(Text::EndSession) }</button>
            </td>
        </tr>
    }
}

/// Returns the name and the e-mail address of a session's member, if the members are loaded.
fn member_of(shown: &Shown<'_>, session: &ConsoleSession) -> Option<(String, String)> {
    let Loaded::Ready(members) = &shown.state.members else { return None };
    members.iter().find(|it| it.id == session.member_id).map(|it| (it.name.clone(), it.email.clone()))
}
