//! The logins of the sandbox: those of every sandbox, and the tenant's own.

use link_types::console::{Permission, SignedIn};
use link_types::scenario::ScenarioAsk;
use link_types::{LinkErrorCode, Mode};
use yew::prelude::*;

use super::parts::{alert, choose, draw_list, environment_lead, field, heading, on_submit, question};
use super::shown::Shown;
use crate::core::question::Act;
use crate::core::rest::{Login, Logins, PublishedLogin};
use crate::core::{Event, Input, Text};

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let may_manage = shown.state.may(Mode::Sandbox, Permission::ManageSandbox);
    html! {
        <>
            { heading(shown, Text::Logins, Mode::Sandbox) }
            { environment_lead(shown, Text::LoginsText, Mode::Sandbox, signed_in) }
            if let Some(asked) = &shown.state.question {
                if let Act::DeleteLogin(login) = &asked.act {
                    { question(shown, shown.language.fill(Text::DeleteNamed, &login.login), Text::DeleteLoginText,
                        Text::DeleteLogin, asked) }
                }
            }
            { draw_list(shown, &shown.state.developer.logins, |logins| content(shown, logins, may_manage)) }
        </>
    }
}

fn content(shown: &Shown<'_>, logins: &Logins, may_manage: bool) -> Html {
    html! {
        <>
            <h2>{ shown.text(Text::OwnLogins) }</h2>
            { own(shown, &logins.items, may_manage) }
            if logins.next_cursor.is_some() {
                <p><button type="button" class="second" onclick={shown.send(Event::Developer(Input::MoreWanted))}>
                    { shown.text(Text::ShowMore) }</button></p>
            }
            if may_manage { { form(shown) } }
            <h2>{ shown.text(Text::PublishedLogins) }</h2>
            <p class="soft">{ shown.text(Text::PasswordOfAll) }{ " " }
                <code translate="no">{ logins.published.password.clone() }</code></p>
            <table>
                <caption class="hidden">{ shown.text(Text::PublishedLogins) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(Text::Login) }</th>
                    <th scope="col">{ shown.text(Text::Outcome) }</th>
                    <th scope="col">{ shown.text(Text::Answers) }</th>
                </tr></thead>
                <tbody>{ for logins.published.logins.iter().map(|it| draw_published(shown, it)) }</tbody>
            </table>
        </>
    }
}

fn draw_published(shown: &Shown<'_>, login: &PublishedLogin) -> Html {
    let answers: Vec<_> = login.answers.iter().flatten().map(String::as_str).collect();
    html! {
        <tr>
            <th scope="row" translate="no"><code>{ login.login.clone() }</code></th>
            <td data-label={shown.text(Text::Outcome)} lang="en">{ login.description.clone() }</td>
            <td data-label={shown.text(Text::Answers)} translate="no">
                { if answers.is_empty() { "–".to_owned() } else { answers.join(", ") } }</td>
        </tr>
    }
}

fn own(shown: &Shown<'_>, logins: &[Login], may_manage: bool) -> Html {
    if logins.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(Text::NoOwnLogins) }</p></div> };
    }
    let row = |login: &Login| {
        let asks: Vec<_> = login.asks.iter().map(|it| it.as_str()).collect();
        let end = login.error_code.map_or(shown.text(Text::Connects), LinkErrorCode::as_str);
        let outcome = asks.into_iter().chain([end]).collect::<Vec<_>>().join(" → ");
        html! {
            <tr key={login.id.to_string()}>
                <th scope="row" translate="no"><code>{ login.login.clone() }</code></th>
                <td data-label={shown.text(Text::Password)} translate="no"><code>{ login.password.clone() }</code></td>
                <td data-label={shown.text(Text::Outcome)}>{ outcome }</td>
                if may_manage {
                    <td class="last">
                        <button type="button" class="quiet bad"
                            onclick={shown.send(Event::Asked(Act::DeleteLogin(login.clone())))}
                            aria-label={shown.language.fill(Text::DeleteNamed, &login.login)}>
                            { shown.text(Text::Delete) }</button>
                    </td>
                }
            </tr>
        }
    };
    html! {
        <table>
            <caption class="hidden">{ shown.text(Text::OwnLogins) }</caption>
            <thead><tr>
                <th scope="col">{ shown.text(Text::Login) }</th>
                <th scope="col">{ shown.text(Text::Password) }</th>
                <th scope="col">{ shown.text(Text::Outcome) }</th>
                if may_manage { <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th> }
            </tr></thead>
            <tbody>{ for logins.iter().map(row) }</tbody>
        </table>
    }
}

fn form(shown: &Shown<'_>) -> Html {
    let form = &shown.state.developer.login_form;
    let fault = form.failure.as_ref().and_then(|it| it.about("login"));
    let button = if form.is_sending { Text::Creating } else { Text::CreateLogin };
    let asks: Vec<_> = ScenarioAsk::ALL.iter().map(|it| (it.as_str(), it.as_str().to_owned())).collect();
    let codes: Vec<_> = LinkErrorCode::ALL.iter().map(|it| (it.as_str(), it.as_str().to_owned())).collect();
    let ask = form.draft.asks.first().map(|it| it.as_str());
    html! {
        <form class="panel" onsubmit={on_submit(shown)} novalidate=true aria-labelledby="form-title">
            <h2 id="form-title">{ shown.text(Text::NewLogin) }</h2>
            if let Some(failure) = form.failure.as_ref().filter(|_| fault.is_none()) { { alert(shown, failure) } }
            <div class="fields">
                { field(shown, ("login-name", "text", Text::Login), &form.draft.login, fault, Some(Text::LoginHelp),
                    |login| Event::Developer(Input::LoginTyped(login))) }
                { choose(shown, ("login-ask", Text::Challenge, Text::None), ask, &asks,
                    |word| Event::Developer(Input::AskChosen(word.parse().ok()))) }
                { choose(shown, ("login-error", Text::ErrorAtTheEnd, Text::None), form.draft.error_code.map(LinkErrorCode::as_str), &codes,
                    |word| Event::Developer(Input::ErrorChosen(word.parse().ok()))) }
            </div>
            <div class="actions">
                <button type="submit" class="main" aria-disabled={form.is_sending.then_some("true")}>
                    { shown.text(button) }</button>
            </div>
        </form>
    }
}
