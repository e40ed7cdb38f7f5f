//! The types of events, with an example of each, and test events.

use link_types::Mode;
use link_types::console::{Permission, SignedIn};
use link_types::event::EventType;
use yew::prelude::*;
use yew_router::prelude::*;

use super::delivery::code;
use super::parts::{alert, draw_list, environment_lead, heading, pretty};
use super::shown::Shown;
use crate::core::texts::events::meaning;
use crate::core::{Event, Input, Loaded, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    html! {
        <>
            { heading(shown, Text::Events, Mode::Sandbox) }
            { environment_lead(shown, Text::EventsText, Mode::Sandbox, signed_in) }
            if let Some((event_type, example)) = &shown.state.developer.example {
                { panel(shown, *event_type, example) }
            }
            <table>
                <caption class="hidden">{ shown.text(Text::Events) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(Text::EventType) }</th>
                    <th scope="col">{ shown.text(Text::Meaning) }</th>
                    <th scope="col"><span class="hidden">{ shown.text(Text::Action) }</span></th>
                </tr></thead>
                <tbody>{ for EventType::ALL.iter().map(|it| row(shown, *it)) }</tbody>
            </table>
        </>
    }
}

fn row(shown: &Shown<'_>, event_type: EventType) -> Html {
    let opened = Event::Developer(Input::TypeOpened(event_type));
    html! {
        <tr>
            <th scope="row" class="word" translate="no">{ event_type.as_str() }</th>
            <td>{ meaning(event_type, shown.language) }</td>
            <td class="last">
                <button type="button" class="quiet" onclick={shown.send(opened)}
                    aria-label={shown.language.fill(Text::ShowExampleOf, event_type.as_str())}>
                    { shown.text(Text::Example) }</button>
            </td>
        </tr>
    }
}

fn panel(shown: &Shown<'_>, event_type: EventType, example: &Loaded<String>) -> Html {
    let may_fire = shown.state.may(Mode::Sandbox, Permission::ManageSandbox);
    let is_firing = shown.state.developer.fired == Some(Loaded::Loading);
    html! {
        <section id="example" class="panel" tabindex="-1" aria-labelledby="example-title">
            <h2 id="example-title">{ shown.language.fill(Text::ExampleOf, event_type.as_str()) }</h2>
            <p class="soft">{ meaning(event_type, shown.language) }</p>
            { draw_list(shown, example, |body| code(shown, Text::Example, &pretty(body), body)) }
            if may_fire {
                <div class="actions"><button type="button" class="main" aria-disabled={is_firing.then_some("true")}
                    onclick={shown.send(Event::Developer(Input::FireWanted))}>
                    { shown.text(if is_firing { Text::Firing } else { Text::Fire }) }</button></div>
            }
            { draw_fired(shown) }
        </section>
    }
}

fn draw_fired(shown: &Shown<'_>) -> Html {
    match &shown.state.developer.fired {
        None | Some(Loaded::Loading) => Html::default(),
        Some(Loaded::Failed(failure)) => alert(shown, failure),
        Some(Loaded::Ready(body)) => html! {
            <div id="fired" class="fired" role="status" tabindex="-1">
                <p class="notice good">{ shown.text(Text::Fired) }{ " " }
                    <Link<Route> to={Route::SandboxWebhooks} classes="link">{ shown.text(Text::SeeDeliveries) }</Link<Route>></p>
                { code(shown, Text::Event, &pretty(body), body) }
            </div>
        },
    }
}
