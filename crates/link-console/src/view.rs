//! Draws the state. Functions of this module have no rules.

mod audit;
mod enter;
mod keys;
mod members;
mod once;
mod overview;
mod parts;
mod sessions;
pub mod shown;

use link_types::Mode;
use link_types::console::SignedIn;
use yew::prelude::*;
use yew_router::prelude::*;

use self::parts::{draw_failure, notice};
use self::shown::Shown;
use crate::core::{Event, Page, Text, Visitor};
use crate::route::Route;

/// Draws the whole portal.
pub fn portal(shown: &Shown<'_>) -> Html {
    match (&shown.state.visitor, shown.state.page) {
        (Visitor::SignedIn(signed_in), page) if page != Page::Enter => signed_in_portal(shown, signed_in),
        (_, Page::Enter) => alone(enter::page(shown)),
        (Visitor::Unknown, _) => {
            alone(html! { <p class="soft" role="status">{ shown.text(Text::Loading) }</p> })
        }
        (Visitor::Failed(failure), _) => alone(draw_failure(shown, failure)),
        (Visitor::SignedOut | Visitor::SignedIn(_), _) => alone(enter::signed_out(shown)),
    }
}

fn alone(content: Html) -> Html {
    html! {
        <div class="alone">
            <p class="brand"><span class="mark" aria-hidden="true">{ "L" }</span>{ "Linchpin" }</p>
            <main class="card">{ content }</main>
        </div>
    }
}

fn signed_in_portal(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    let page = shown.state.page;
    let item = |route: Route, text: Text| {
        let is_current = route.page() == page;
        html! {
            <li aria-current={is_current.then_some("true")}>
                <Link<Route> to={route} classes={if is_current { "item current" } else { "item" }}>
                    { shown.text(text) }
                </Link<Route>>
            </li>
        }
    };
    let content = match page {
        Page::Overview | Page::Enter => overview::page(shown, signed_in),
        Page::Keys(mode) => keys::page(shown, mode, signed_in),
        Page::Members => members::page(shown, signed_in),
        Page::Audit => audit::page(shown),
        Page::Sessions => sessions::page(shown),
        Page::Missing => html! {
            <>
                <h1 tabindex="-1">{ shown.text(Text::MissingTitle) }</h1>
                <p class="soft">{ shown.text(Text::MissingText) }</p>
                <p><Link<Route> to={Route::Overview} classes="link">{ shown.text(Text::ToOverview) }</Link<Route>></p>
            </>
        },
    };
    html! {
        <div class={classes!("portal", matches!(page, Page::Keys(Mode::Production)).then_some("is-production"))}>
            <a class="skip" href="#content">{ shown.text(Text::SkipToContent) }</a>
            <header class="top">
                <p class="brand"><span class="mark" aria-hidden="true">{ "L" }</span>
                    <span dir="auto">{ &signed_in.tenant_name }</span></p>
                <div class="who">
                    <span class="who-name" dir="auto">{ &signed_in.member.name }</span>
                    <button type="button" class="quiet" onclick={shown.send(Event::SignOut)}
                        disabled={shown.state.is_signing}>{ shown.text(Text::SignOut) }</button>
                </div>
            </header>
            <nav aria-label={shown.text(Text::Navigation)}>
                <ul>
                    { item(Route::Overview, Text::Overview) }
                    { item(Route::SandboxKeys, Text::SandboxKeys) }
                    { item(Route::ProductionKeys, Text::ProductionKeys) }
                    { item(Route::Members, Text::Members) }
                    { item(Route::Sessions, Text::Sessions) }
                    { item(Route::Audit, Text::Audit) }
                </ul>
            </nav>
            <main id="content">
                <div class="notices" role="status">{ notice(shown) }</div>
                { once::panels(shown) }
                { content }
            </main>
        </div>
    }
}
