//! The first page.

use link_types::Mode;
use link_types::console::{Permission, SignedIn};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{environment, role_name};
use super::shown::Shown;
use crate::core::Text;
use crate::route::Route;

/// Draws the two environments, and the next steps.
pub(super) fn page(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let of = |mode, means: Text, url: &str, route: Route| {
        html! {
            <section class={match mode { Mode::Sandbox => "tile sandbox", Mode::Production => "tile production" }}>
                <h2>{ environment(shown, mode) }</h2>
                <p>{ shown.text(means) }</p>
                <dl><dt>{ shown.text(Text::BaseUrl) }</dt><dd><code translate="no">{ url.to_owned() }</code></dd></dl>
                <Link<Route> to={route} classes="link">{ shown.text(Text::SeeKeys) }</Link<Route>>
            </section>
        }
    };
    let step = |route: Route, title: Text, text: Text| {
        html! {
            <li><Link<Route> to={route} classes="link">{ shown.text(title) }</Link<Route>>
                <p class="soft">{ shown.text(text) }</p></li>
        }
    };
    let may = |mode, permission| shown.state.may(mode, permission);
    html! {
        <>
            <h1 tabindex="-1" dir="auto">{ shown.language.fill(Text::Welcome, &signed_in.member.name) }</h1>
            <p class="soft lead">{ shown.text(Text::YourRole) }{ ": " }
                <strong>{ shown.text(role_name(signed_in.member.role)) }</strong></p>
            <div class="tiles">
                { of(Mode::Sandbox, Text::SandboxMeans, &signed_in.sandbox_url, Route::SandboxKeys) }
                { of(Mode::Production, Text::ProductionMeans, &signed_in.production_url, Route::ProductionKeys) }
            </div>
            <h2>{ shown.text(Text::NextSteps) }</h2>
            <ol class="steps">
                if signed_in.has_passkeys {
                    { step(Route::Passkeys, Text::PasskeyStep, Text::PasskeyStepText) }
                }
                if may(Mode::Sandbox, Permission::ManageKeys) {
                    { step(Route::SandboxKeys, Text::CreateKeyStep, Text::CreateKeyStepText) }
                }
                if may(Mode::Sandbox, Permission::ManageWebhooks) {
                    { step(Route::SandboxWebhooks, Text::RegisterStep, Text::RegisterStepText) }
                    { step(Route::Events, Text::FireStep, Text::FireStepText) }
                }
                if may(Mode::Production, Permission::ManageMembers) {
                    { step(Route::Members, Text::InviteStep, Text::InviteStepText) }
                }
                <li><a class="link" href={docs(&signed_in.production_url)}>{ shown.text(Text::DocsStep) }</a>
                    <p class="soft">{ shown.text(Text::DocsStepText) }</p></li>
            </ol>
        </>
    }
}

/// Returns the address of the reference, which is on the host of the REST interface.
pub(super) fn docs(production_url: &str) -> String {
    format!("{}/docs", production_url.trim_end_matches("/v1"))
}
