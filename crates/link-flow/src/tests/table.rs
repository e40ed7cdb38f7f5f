//! What every pair of state and event does. No wildcard: a new state or event must be decided here.

use link_types::LinkErrorCode;
use link_types::link::LinkPhase;

use super::desk::{self, CANARY, Desk, opened, token};
use super::stock;
use crate::event::{Press, Reply, RequestId, TimerId};
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
    let reply = match place {
        Place::Starting => Reply::Session(Ok(Box::new(stock::session()))),
        Place::Consent
        | Place::Providers
        | Place::LoginOptions
        | Place::Login
        | Place::Connecting
        | Place::Challenge
        | Place::Success
        | Place::Failure
        | Place::Accounts
        | Place::Survey
        | Place::Uploads
        | Place::TokenExpired
        | Place::Leaving
        | Place::Closed => Reply::Account(Ok(Box::new(stock::progress(9, LinkPhase::Connected {})))),
    };
    let choice = choice_at(place);
    let field = if place == Place::Survey { "employer" } else { "username" };
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
        Event::Chosen { id: choice.to_owned() },
        Event::Searched { text: Typed::new("gig") },
        Event::Filtered { tab: "GIG".to_owned() },
        Event::Edited { field: field.to_owned(), text: Typed::new("good ") },
        Event::Left { field: field.to_owned() },
        Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: true },
        Event::Submitted(secrets_for(place)),
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

fn secrets_for(place: Place) -> Secrets {
    let mut secrets = Secrets::none();
    match place {
        Place::Challenge => secrets.insert("answer", "1234"),
        Place::Starting
        | Place::Consent
        | Place::Providers
        | Place::LoginOptions
        | Place::Login
        | Place::Connecting
        | Place::Success
        | Place::Failure
        | Place::Accounts
        | Place::Survey
        | Place::Uploads
        | Place::TokenExpired
        | Place::Leaving
        | Place::Closed => secrets.insert("password", CANARY),
    }
    secrets
}

/// What the pair is to do.
fn expected(place: Place, event: &Event, desk: &Desk) -> Does {
    match event {
        Event::Opened { .. } => Nothing,
        Event::TokenSet { .. } => match place {
            Place::Starting | Place::TokenExpired => Works,
            Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Connecting
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::Leaving => KeepsToken,
            Place::Closed => Nothing,
        },
        Event::CloseRequested => match place {
            Place::Connecting | Place::Challenge => Goes(Place::Leaving),
            Place::Leaving => Goes(Place::Connecting),
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired => Closes,
            Place::Closed => Nothing,
        },
        Event::Replied { request, .. } if *request != desk.request => Nothing,
        Event::Replied { .. } => match place {
            Place::Starting => Goes(Place::Consent),
            Place::Connecting | Place::Leaving => Goes(Place::Success),
            Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired
            | Place::Closed => Nothing,
        },
        Event::TimerFired { timer, .. } if Some(timer) == desk.session_timers.last() => match place {
            Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Connecting
            | Place::Challenge
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::Leaving => Goes(Place::TokenExpired),
            Place::Starting | Place::Success | Place::TokenExpired | Place::Closed => Nothing,
        },
        Event::TimerFired { timer, .. } if *timer != desk.timer => Nothing,
        Event::TimerFired { .. } => match place {
            Place::Challenge => Works,
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Connecting
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
        Event::Pressed(press) => expected_press(place, *press),
        Event::File(_) => Nothing, // No file was picked.
        Event::Chosen { .. } => match place {
            Place::Providers | Place::Accounts | Place::Uploads => Works,
            Place::LoginOptions => Goes(Place::Login),
            Place::Success => Goes(Place::Accounts),
            Place::Starting
            | Place::Consent
            | Place::Login
            | Place::Connecting
            | Place::Challenge // A code may not be sent again yet.
            | Place::Failure // Documents are not taken.
            | Place::Survey
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
        Event::Searched { .. } | Event::Filtered { .. } => match place {
            Place::Providers => Works,
            Place::Starting
            | Place::Consent
            | Place::LoginOptions
            | Place::Login
            | Place::Connecting
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
        Event::Left { .. } => Nothing, // Of a field that is still empty.
        Event::Edited { .. } => match place {
            Place::Login | Place::Survey => Works,
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Connecting
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
        Event::SecretLeft { .. } => match place {
            Place::Login => Works,
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Connecting
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
        Event::Submitted(_) => match place {
            Place::Login | Place::Challenge | Place::Survey => Works,
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Connecting
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving
            | Place::Closed => Nothing,
        },
    }
}

fn expected_press(place: Place, press: Press) -> Does {
    match (press, place) {
        (_, Place::Closed) => Nothing,
        (Press::Leave, _) => Closes,
        (Press::Done, Place::Success | Place::Accounts) => Closes,
        (Press::Back, Place::Uploads) | (Press::Back | Press::ChooseAnother, Place::Survey) => {
            Goes(Place::Providers)
        }
        (Press::ChooseAnother, Place::Accounts) => Goes(Place::Consent),
        (Press::Agree, Place::Consent) => Goes(Place::Providers),
        (Press::Back, Place::Providers) => Goes(Place::Consent),
        (Press::Back, Place::LoginOptions | Place::Login) => Goes(Place::Providers),
        (Press::TryAgain, Place::Failure) => Goes(Place::Login),
        (Press::ChooseAnother, Place::Success | Place::Failure) => Goes(Place::Providers),
        (Press::ClearSearch, Place::Providers) => Works,
        (Press::Stay, Place::Leaving) => Goes(Place::Connecting),
        (Press::Retry, Place::Starting) => Works,
        (
            Press::Agree
            | Press::Submit
            | Press::Back
            | Press::Retry
            | Press::TryAgain
            | Press::ChooseAnother
            | Press::ClearSearch
            | Press::Resend
            | Press::Upload
            | Press::SignIn
            | Press::Disconnect
            | Press::Confirm
            | Press::File(_, _)
            | Press::Done
            | Press::Stay,
            Place::Starting
            | Place::Consent
            | Place::Providers
            | Place::LoginOptions
            | Place::Login
            | Place::Connecting
            | Place::Challenge
            | Place::Success
            | Place::Failure
            | Place::Accounts
            | Place::Survey
            | Place::Uploads
            | Place::TokenExpired
            | Place::Leaving,
        ) => Nothing,
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
    for place in PLACES {
        for event in events_at(&desk_at(place), place) {
            let mut desk = desk_at(place);
            assert_eq!(place_of(&desk.flow.state), place);
            let expected = expected(place, &event, &desk);
            let name = format!("{place:?} + {event:?}");
            let done = done(place, event, &mut desk);
            if done != expected {
                wrong.push(format!("{name}: {done:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
