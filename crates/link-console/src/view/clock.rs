//! The clock of the sandbox.

use link_types::Mode;
use link_types::clock::{Clock, ClockAdvanceStatus};
use link_types::console::{Permission, SignedIn};
use yew::prelude::*;

use super::parts::{both_times, draw_list, environment_lead, heading, time};
use super::shown::Shown;
use crate::core::{Event, Input, Text};

const STEPS: [(u32, Text); 4] = [
    (3_600, Text::OneHour),
    (86_400, Text::OneDay),
    (7 * 86_400, Text::SevenDays),
    (30 * 86_400, Text::ThirtyDays),
];

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, signed_in: &SignedIn) -> Html {
    html! {
        <>
            { heading(shown, Text::Clock, Mode::Sandbox) }
            { environment_lead(shown, Text::ClockText, Mode::Sandbox, signed_in) }
            { draw_list(shown, &shown.state.developer.clock, |clock| content(shown, clock)) }
        </>
    }
}

fn content(shown: &Shown<'_>, clock: &Clock) -> Html {
    let may_manage = shown.state.may(Mode::Sandbox, Permission::ManageSandbox);
    let advance = clock.advance.as_ref();
    let is_moving = advance.is_some_and(|it| it.status == ClockAdvanceStatus::Started);
    let step = |(seconds, text): &(u32, Text)| {
        html! {
            <button type="button" class="second" disabled={is_moving}
                onclick={shown.send(Event::Developer(Input::AdvanceWanted(*seconds)))}>{ shown.text(*text) }</button>
        }
    };
    html! {
        <section class="panel" aria-label={shown.text(Text::Clock)}>
            <dl class="facts">
                <div><dt>{ shown.text(Text::SandboxTime) }</dt><dd class="large">{ time(shown, clock.now) }</dd></div>
                <div><dt>{ shown.text(Text::RealTime) }</dt><dd>{ time(shown, clock.real_time) }</dd></div>
            </dl>
            <div role="status">
                if let Some(advance) = advance {
                    <p>{ match advance.status {
                        ClockAdvanceStatus::Started => shown.language.fill(Text::ClockMoving, &both_times(shown, advance.until)),
                        ClockAdvanceStatus::Finished => shown.text(Text::ClockFinished).to_owned(),
                        ClockAdvanceStatus::Stopped => shown.text(Text::ClockStopped).to_owned(),
                    } }{ " " }<span class="soft">{ shown.language.fill(Text::Stops, &advance.stops.to_string()) }</span></p>
                }
            </div>
            if may_manage {
                <fieldset class="steps-of-clock"><legend>{ shown.text(Text::AdvanceBy) }</legend>
                    <div class="actions">{ for STEPS.iter().map(step) }</div></fieldset>
            }
            <div class="actions">
                if may_manage && is_moving {
                    <button type="button" class="destroy" onclick={shown.send(Event::Developer(Input::StopWanted))}>
                        { shown.text(Text::Stop) }</button>
                }
                <button type="button" class="quiet" onclick={shown.send(Event::Developer(Input::RefreshWanted))}>
                    { shown.text(Text::Refresh) }</button>
            </div>
        </section>
    }
}
