//! What every pair of state and event does. No wildcard: a new state is a new column of every row, a new event a new
//! row. Within the states, [`accounts_table`](super::accounts_table), [`challenge_table`](super::challenge_table) and
//! the uploads' own table go on.

use link_types::LinkErrorCode;
use link_types::link::LinkPhase;
use link_types::uploading::FileFact;

use super::desk::{self, CANARY, Desk, opened, token};
use super::stock;
use crate::event::{FilePress, Press, Reply, RequestId, TimerId};
use crate::secrets::Secrets;
use crate::state::State;
use crate::view::Typed;
use crate::{Effect, Event};

/// A state, without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Starting,
    Consent,
    Providers,
    LoginOptions,
    Login,
    Connecting,
    Challenge,
    Success,
    Failure,
    Accounts,
    Survey,
    Uploads,
    TokenExpired,
    Leaving,
    Closed,
}

pub(super) const PLACES: [Place; 15] = [
    Place::Starting,
    Place::Consent,
    Place::Providers,
    Place::LoginOptions,
    Place::Login,
    Place::Connecting,
    Place::Challenge,
    Place::Success,
    Place::Failure,
    Place::Accounts,
    Place::Survey,
    Place::Uploads,
    Place::TokenExpired,
    Place::Leaving,
    Place::Closed,
];

/// A line of the table: a column for each state.
type Row = [Does; PLACES.len()];

/// What a pair does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// No effect, and the same view.
    Nothing,
    /// Nothing to be seen, but the token is there when it is needed.
    KeepsToken,
    /// Something changes in the same state.
    Works,
    /// To that state.
    Goes(Place),
    /// Closes, and says so once.
    Closes,
}
use Does::{Closes, Goes, KeepsToken, Nothing, Works};

const NONE: Row = [Nothing; PLACES.len()];

pub(super) fn place_of(state: &State) -> Place {
    match state {
        State::Starting(_) => Place::Starting,
        State::Consent(_) => Place::Consent,
        State::Providers(_) => Place::Providers,
        State::LoginOptions(_) => Place::LoginOptions,
        State::Login(_) => Place::Login,
        State::Connecting(_) => Place::Connecting,
        State::Challenge(_) => Place::Challenge,
        State::Success(_) => Place::Success,
        State::Failure(_) => Place::Failure,
        State::Accounts(_) => Place::Accounts,
        State::Survey(_) => Place::Survey,
        State::Uploads(_) => Place::Uploads,
        State::TokenExpired(_) => Place::TokenExpired,
        State::Leaving(_) => Place::Leaving,
        State::Closed => Place::Closed,
    }
}

/// A flow that stands there, at rest where the state can be.
fn desk_at(place: Place) -> Desk {
    match place {
        Place::Starting => desk::exchanging(),
        Place::Consent => desk::at_consent(),
        Place::Providers => desk::at_providers(),
        Place::LoginOptions => desk::at_provider(stock::provider_with_options()),
        Place::Login => desk::at_login(),
        Place::Connecting => desk::at_connecting(),
        Place::Challenge => desk::at_challenge(stock::code()),
        Place::Success => desk::at_success(),
        Place::Failure => desk::at_failure(LinkErrorCode::InvalidCredentials),
        Place::Accounts => desk::at_accounts(),
        Place::Survey => desk::at_survey(),
        Place::Uploads => desk::at_uploads(),
        Place::TokenExpired => {
            let mut desk = desk::at_login();
            desk.session_ends();
            desk
        }
        Place::Leaving => {
            let mut desk = desk::at_connecting();
            desk.send(Event::CloseRequested);
            desk
        }
        Place::Closed => {
            let mut desk = desk::at_success();
            desk.press(Press::Done);
            desk
        }
    }
}

/// One event of each kind, such that it could do something there.
fn events_at(desk: &Desk, place: Place) -> Vec<Event> {
    let reply = if place == Place::Starting {
        Reply::Session(Ok(Box::new(stock::session())))
    } else {
        Reply::Account(Ok(Box::new(stock::progress(9, LinkPhase::Connected {}))))
    };
    let field = if place == Place::Survey { "employer" } else { "username" };
    let mut secrets = Secrets::none();
    if place == Place::Challenge {
        secrets.insert("answer", "1234");
    } else {
        secrets.insert("password", CANARY);
    }
    let presses = [
        Press::Agree,
        Press::Submit,
        Press::Back,
        Press::Retry,
        Press::TryAgain,
        Press::ChooseAnother,
        Press::ClearSearch,
        Press::Resend,
        Press::Upload,
        Press::SignIn,
        Press::Disconnect,
        Press::Confirm,
        Press::File(FilePress::Pause, 1),
        Press::Done,
        Press::Leave,
        Press::Stay,
    ];
    let mut events = vec![
        opened(),
        Event::TokenSet { token: token("next") },
        Event::CloseRequested,
        Event::Replied { request: desk.request, reply: reply.clone() },
        Event::Replied { request: RequestId(9_999), reply },
        Event::TimerFired { timer: desk.timer, elapsed_ms: 1_000 },
        Event::TimerFired { timer: TimerId(9_999), elapsed_ms: 1_000 },
        Event::Chosen { id: choice_at(place).to_owned() },
        Event::Searched { text: Typed::new("gig") },
        Event::Filtered { tab: "GIG".to_owned() },
        Event::Edited { field: field.to_owned(), text: Typed::new("good ") },
        Event::Left { field: field.to_owned() },
        Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: true },
        Event::Submitted(secrets),
        Event::File(FileFact::Connection { online: false, save_data: true }),
    ];
    events.extend(desk.session_timers.last().map(|timer| Event::TimerFired { timer: *timer, elapsed_ms: 1 }));
    events.extend(presses.map(Event::Pressed));
    events
}

fn choice_at(place: Place) -> &'static str {
    match place {
        Place::LoginOptions => "registry",
        Place::Challenge => "/email",
        Place::Success => "/accounts",
        Place::Failure => "/upload",
        Place::Accounts => "a-07070707070707070707070707070707",
        Place::Uploads => "PAYSLIP",
        Place::Starting
        | Place::Consent
        | Place::Providers
        | Place::Login
        | Place::Connecting
        | Place::Survey
        | Place::TokenExpired
        | Place::Leaving
        | Place::Closed => "mx_social_security",
    }
}

/// Shorter names for the columns of the table.
const LIST: Does = Goes(Place::Providers);
const ASK: Does = Goes(Place::Leaving);
const ENDS: Does = Goes(Place::TokenExpired);
const WON: Does = Goes(Place::Success);
const CONSENT: Does = Goes(Place::Consent);
const LOGIN: Does = Goes(Place::Login);
const OWN: Does = Goes(Place::Accounts);
const GOES_ON: Does = Goes(Place::Connecting);
const KEEPS: Does = KeepsToken;
const SHUTS: Does = Closes;
const NOT: Does = Nothing;
const DOES: Does = Works;

/// What the event does in each state, in the order of [`PLACES`]: starting, consent, providers, login options, login,
/// connecting, challenge, success, failure, accounts, survey, uploads, token expired, leaving, closed.
fn row(event: &Event, desk: &Desk) -> Row {
    match event {
        Event::Opened { .. } => NONE,
        Event::TokenSet { .. } => [
            DOES, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, DOES, KEEPS,
            NOT,
        ],
        Event::CloseRequested => [
            SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, ASK, ASK, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, GOES_ON,
            NOT,
        ],
        Event::Replied { request, .. } if *request != desk.request => NONE,
        Event::Replied { .. } => {
            [CONSENT, NOT, NOT, NOT, NOT, WON, NOT, NOT, NOT, NOT, NOT, NOT, NOT, WON, NOT]
        }
        Event::TimerFired { timer, .. } if Some(timer) == desk.session_timers.last() => {
            [NOT, ENDS, ENDS, ENDS, ENDS, ENDS, ENDS, NOT, ENDS, ENDS, ENDS, ENDS, NOT, ENDS, NOT]
        }
        Event::TimerFired { timer, .. } if *timer != desk.timer => NONE,
        // The challenge's clock.
        Event::TimerFired { .. } => {
            [NOT, NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        Event::Pressed(press) => row_of_press(*press),
        // A code may not be sent another way yet; documents are not taken after that failure.
        Event::Chosen { .. } => {
            [NOT, NOT, DOES, LOGIN, NOT, NOT, NOT, OWN, NOT, DOES, NOT, DOES, NOT, NOT, NOT]
        }
        Event::Searched { .. } | Event::Filtered { .. } => {
            [NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        // Of a field that is still empty.
        Event::Left { .. } => NONE,
        Event::Edited { .. } => [NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT],
        Event::SecretLeft { .. } => {
            [NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        Event::Submitted(_) => [NOT, NOT, NOT, NOT, DOES, NOT, DOES, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT],
        // No file was picked.
        Event::File(_) => NONE,
    }
}

fn row_of_press(press: Press) -> Row {
    match press {
        Press::Agree => [NOT, LIST, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::Back => [NOT, NOT, CONSENT, LIST, LIST, NOT, NOT, NOT, NOT, NOT, LIST, LIST, NOT, NOT, NOT],
        Press::Retry => [DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::TryAgain => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, LOGIN, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::ChooseAnother => {
            [NOT, NOT, NOT, NOT, NOT, NOT, NOT, LIST, LIST, CONSENT, LIST, NOT, NOT, NOT, NOT]
        }
        Press::ClearSearch => [NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::Done => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, SHUTS, NOT, SHUTS, NOT, NOT, NOT, NOT, NOT],
        Press::Leave => [
            SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS,
            NOT,
        ],
        Press::Stay => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, GOES_ON, NOT],
        // Buttons of pages that none of these stands is: they have tables of their own.
        Press::Submit
        | Press::Resend
        | Press::Upload
        | Press::SignIn
        | Press::Disconnect
        | Press::Confirm
        | Press::File(..) => NONE,
    }
}

fn done(place: Place, event: Event, desk: &mut Desk) -> Does {
    let before = desk.view();
    let effects = desk.send(event);
    let closes = effects.iter().filter(|effect| matches!(effect, Effect::Close { .. })).count();
    let after = place_of(&desk.flow.state);
    if after == Place::Closed && place != Place::Closed {
        assert_eq!(
            (closes, effects.last().map(|last| matches!(last, Effect::Close { .. }))),
            (1, Some(true))
        );
        return Closes;
    }
    if after != place {
        return Goes(after);
    }
    if !effects.is_empty() || desk.view() != before {
        return Works;
    }
    if desk.flow.context.spare_token.is_some() { KeepsToken } else { Nothing }
}

#[test]
fn every_pair_of_state_and_event_does_what_is_written_here() {
    let mut wrong = Vec::new();
    for (at, place) in PLACES.into_iter().enumerate() {
        for event in events_at(&desk_at(place), place) {
            let mut desk = desk_at(place);
            assert_eq!(place_of(&desk.flow.state), place);
            let expected = row(&event, &desk)[at];
            let name = format!("{place:?} + {event:?}");
            let done = done(place, event, &mut desk);
            if done != expected {
                wrong.push(format!("{name}: {done:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
