//! The result of every pair of state and event. No wildcard: a new state is a new column of every row, a new event is a
//! new row. [`accounts_table`](super::accounts_table), [`challenge_table`](super::challenge_table) and the table of
//! uploads cover what happens within a state.

use core::any::{Any, TypeId};

use link_types::LinkErrorCode;
use link_types::link::LinkPhase;
use link_types::uploading::FileFact;

use super::fixtures;
use super::harness::{self, CANARY, Harness, open_event, token};
use crate::event::{FilePress, Press, Reply, RequestId, TimerId};
use crate::screen::Screen;
use crate::screen::deferred::accounts::Accounts;
use crate::screen::deferred::challenge::ChallengeScreen;
use crate::screen::deferred::connecting::Connecting;
use crate::screen::deferred::data_choice::DataChoice;
use crate::screen::deferred::failure::Failure;
use crate::screen::deferred::handoff::Handoff;
use crate::screen::deferred::login::Login;
use crate::screen::deferred::login_options::LoginOptions;
use crate::screen::deferred::success::Success;
use crate::screen::deferred::survey::Survey;
use crate::screen::deferred::uploads::Uploads;
use crate::state::State;
use crate::submission::Secrets;
use crate::view::Typed;
use crate::{Effect, Event};

/// A state without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StateKind {
    Starting,
    Consent,
    DataChoice,
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
    Handoff,
    TokenExpired,
    Leaving,
    Closed,
}

pub(super) const STATE_KINDS: [StateKind; 17] = [
    StateKind::Starting,
    StateKind::Consent,
    StateKind::DataChoice,
    StateKind::Providers,
    StateKind::LoginOptions,
    StateKind::Login,
    StateKind::Connecting,
    StateKind::Challenge,
    StateKind::Success,
    StateKind::Failure,
    StateKind::Accounts,
    StateKind::Survey,
    StateKind::Uploads,
    StateKind::Handoff,
    StateKind::TokenExpired,
    StateKind::Leaving,
    StateKind::Closed,
];

/// A row of the table: a column for each state.
type Row = [Does; STATE_KINDS.len()];

/// The result of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// No effect, and the same view.
    Nothing,
    /// No visible change, but the token is there when it is needed.
    KeepsToken,
    /// Something changes in the same state.
    Works,
    /// Goes to that state.
    Goes(StateKind),
    /// Closes and emits that once.
    Closes,
}
use Does::{Closes, Goes, KeepsToken, Nothing, Works};

const NONE: Row = [Nothing; STATE_KINDS.len()];

pub(super) fn kind_of(state: &State) -> StateKind {
    match state {
        State::Shown(Screen::Starting(_)) => StateKind::Starting,
        State::Shown(Screen::Consent(_)) => StateKind::Consent,
        State::Shown(Screen::Providers(_)) => StateKind::Providers,
        State::Shown(Screen::Deferred(screen)) => {
            let (screen, kinds): (&dyn Any, _) = (
                &**screen,
                [
                    (TypeId::of::<DataChoice>(), StateKind::DataChoice),
                    (TypeId::of::<LoginOptions>(), StateKind::LoginOptions),
                    (TypeId::of::<Login>(), StateKind::Login),
                    (TypeId::of::<Connecting>(), StateKind::Connecting),
                    (TypeId::of::<ChallengeScreen>(), StateKind::Challenge),
                    (TypeId::of::<Success>(), StateKind::Success),
                    (TypeId::of::<Failure>(), StateKind::Failure),
                    (TypeId::of::<Accounts>(), StateKind::Accounts),
                    (TypeId::of::<Survey>(), StateKind::Survey),
                    (TypeId::of::<Uploads>(), StateKind::Uploads),
                    (TypeId::of::<Handoff>(), StateKind::Handoff),
                ],
            );
            kinds.into_iter().find(|(id, _)| screen.type_id() == *id).unwrap().1
        }
        State::Expired { .. } => StateKind::TokenExpired,
        State::Leaving { .. } => StateKind::Leaving,
        State::Closed => StateKind::Closed,
    }
}

/// Returns a flow in that state, without a request under way if possible.
fn harness_at(place: StateKind) -> Harness {
    match place {
        StateKind::Starting => harness::exchanging(),
        StateKind::Consent => harness::at_consent(),
        StateKind::DataChoice => harness::at_data_choice(),
        StateKind::Providers => harness::at_providers(),
        StateKind::LoginOptions => harness::at_provider(fixtures::provider_with_options()),
        StateKind::Login => harness::at_login(),
        StateKind::Connecting => harness::at_connecting(),
        StateKind::Challenge => harness::at_challenge(fixtures::code()),
        StateKind::Success => harness::at_success(),
        StateKind::Failure => harness::at_failure(LinkErrorCode::InvalidCredentials),
        StateKind::Accounts => harness::at_accounts(),
        StateKind::Survey => harness::at_survey(),
        StateKind::Uploads => harness::at_uploads(),
        StateKind::Handoff => harness::at_handoff(),
        StateKind::TokenExpired => {
            let mut harness = harness::at_login();
            harness.session_ends();
            harness
        }
        StateKind::Leaving => {
            let mut harness = harness::at_connecting();
            harness.send(Event::CloseRequested);
            harness
        }
        StateKind::Closed => {
            let mut harness = harness::at_success();
            harness.press(Press::Done);
            harness
        }
    }
}

/// Returns one event of each kind that could have an effect there.
fn events_at(harness: &Harness, place: StateKind) -> Vec<Event> {
    let reply = if place == StateKind::Starting {
        Reply::Session(Ok(Box::new(fixtures::session())))
    } else {
        Reply::Account(Ok(Box::new(fixtures::progress(9, LinkPhase::Connected {}))))
    };
    let field = if place == StateKind::Survey { "employer" } else { "username" };
    let mut secrets = Secrets::none();
    if place == StateKind::Challenge {
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
        Press::Listen,
        Press::OpenTab,
        Press::Upload,
        Press::SignIn,
        Press::Disconnect,
        Press::Confirm,
        Press::File(FilePress::Pause, 1),
        Press::Done,
        Press::Leave,
        Press::Stay,
        Press::Help,
    ];
    let mut events = vec![
        open_event(),
        Event::TokenSet { token: token("next") },
        Event::CloseRequested,
        Event::Replied { request: harness.request, reply: reply.clone() },
        Event::Replied { request: RequestId(9_999), reply },
        Event::TimerFired { timer: harness.timer, elapsed_ms: 1_000 },
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
    events.extend(
        harness.session_timers.last().map(|timer| Event::TimerFired { timer: *timer, elapsed_ms: 1 }),
    );
    events.extend(presses.map(Event::Pressed));
    events
}

fn choice_at(place: StateKind) -> &'static str {
    match place {
        StateKind::DataChoice => "INCOMES",
        StateKind::LoginOptions => "registry",
        StateKind::Challenge => "/email",
        StateKind::Success => "/accounts",
        StateKind::Failure => "/upload",
        StateKind::Accounts => "a-07070707070707070707070707070707",
        StateKind::Uploads => "PAYSLIP",
        StateKind::Starting
        | StateKind::Consent
        | StateKind::Providers
        | StateKind::Login
        | StateKind::Connecting
        | StateKind::Survey
        | StateKind::Handoff
        | StateKind::TokenExpired
        | StateKind::Leaving
        | StateKind::Closed => "mx_social_security",
    }
}

/// Shorter names for the columns of the table.
const LIST: Does = Goes(StateKind::Providers);
const ASK: Does = Goes(StateKind::Leaving);
const ENDS: Does = Goes(StateKind::TokenExpired);
const WON: Does = Goes(StateKind::Success);
const CONSENT: Does = Goes(StateKind::Consent);
const LOGIN: Does = Goes(StateKind::Login);
const OWN: Does = Goes(StateKind::Accounts);
const GOES_ON: Does = Goes(StateKind::Connecting);
const KEEPS: Does = KeepsToken;
const SHUTS: Does = Closes;
const NOT: Does = Nothing;
const DOES: Does = Works;

/// Returns the result of the event in each state, in the order of [`STATE_KINDS`]: starting, consent, choice of data,
/// providers, login options, login, connecting, challenge, success, failure, accounts, survey, uploads, handoff, token
/// expired, leaving, closed.
fn row(event: &Event, harness: &Harness) -> Row {
    match event {
        Event::Opened { .. } => NONE,
        Event::TokenSet { .. } => [
            DOES, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS, KEEPS,
            DOES, KEEPS, NOT,
        ],
        Event::CloseRequested => [
            SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, ASK, ASK, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, ASK,
            SHUTS, GOES_ON, NOT,
        ],
        Event::Replied { request, .. } if *request != harness.request => NONE,
        Event::Replied { .. } => {
            [CONSENT, NOT, NOT, NOT, NOT, NOT, WON, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, WON, NOT]
        }
        Event::TimerFired { timer, .. } if Some(timer) == harness.session_timers.last() => {
            [NOT, ENDS, ENDS, ENDS, ENDS, ENDS, ENDS, ENDS, NOT, ENDS, ENDS, ENDS, ENDS, ENDS, NOT, ENDS, NOT]
        }
        Event::TimerFired { timer, .. } if *timer != harness.timer => NONE,
        // The clock of the challenge.
        Event::TimerFired { .. } => {
            [NOT, NOT, NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT]
        }
        Event::Pressed(press) => row_of_press(*press),
        // A code cannot be sent another way yet, and uploads are not offered after that failure.
        Event::Chosen { .. } => {
            [NOT, NOT, DOES, DOES, LOGIN, NOT, NOT, NOT, OWN, NOT, DOES, NOT, DOES, NOT, NOT, NOT, NOT]
        }
        Event::Searched { .. } | Event::Filtered { .. } => {
            [NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        // The field is still empty.
        Event::Left { .. } => NONE,
        Event::Edited { .. } => {
            [NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT]
        }
        Event::SecretLeft { .. } => {
            [NOT, NOT, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        Event::Submitted(_) => {
            [NOT, NOT, NOT, NOT, NOT, DOES, NOT, DOES, NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT]
        }
        // No file was picked.
        Event::File(_) => NONE,
    }
}

fn row_of_press(press: Press) -> Row {
    match press {
        Press::Agree => [NOT, LIST, LIST, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::Back => {
            [NOT, NOT, CONSENT, CONSENT, LIST, LIST, NOT, NOT, NOT, NOT, NOT, LIST, LIST, DOES, NOT, NOT, NOT]
        }
        Press::Retry => [DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::TryAgain => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, LOGIN, NOT, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::ChooseAnother => {
            [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, LIST, LIST, CONSENT, LIST, NOT, NOT, NOT, NOT, NOT]
        }
        Press::ClearSearch => {
            [NOT, NOT, NOT, DOES, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT]
        }
        Press::Done => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, SHUTS, NOT, SHUTS, NOT, NOT, NOT, NOT, NOT, NOT],
        Press::Leave => [
            SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS, SHUTS,
            SHUTS, SHUTS, NOT,
        ],
        Press::Stay => [NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, GOES_ON, NOT],
        // Buttons of other pages, which have their own tables.
        Press::Submit
        | Press::Resend
        | Press::Listen
        | Press::OpenTab
        | Press::Upload
        | Press::SignIn
        | Press::Disconnect
        | Press::Confirm
        | Press::File(..)
        | Press::Photo(..)
        | Press::RemoveRejected(_)
        // The fixtures have no help.
        | Press::Help => NONE,
    }
}

fn observe(place: StateKind, event: Event, harness: &mut Harness) -> Does {
    let before = harness.view();
    let effects = harness.send(event);
    let closes = effects.iter().filter(|effect| matches!(effect, Effect::Close { .. })).count();
    let after = kind_of(&harness.flow.state);
    if after == StateKind::Closed && place != StateKind::Closed {
        assert_eq!(
            (closes, effects.last().map(|last| matches!(last, Effect::Close { .. }))),
            (1, Some(true))
        );
        return Closes;
    }
    if after != place {
        return Goes(after);
    }
    if !effects.is_empty() || harness.view() != before {
        return Works;
    }
    if harness.flow.context.spare_token.is_some() { KeepsToken } else { Nothing }
}

#[test]
fn state_event_table_is_complete() {
    let mut wrong = Vec::new();
    for (at, place) in STATE_KINDS.into_iter().enumerate() {
        for event in events_at(&harness_at(place), place) {
            let mut harness = harness_at(place);
            assert_eq!(kind_of(&harness.flow.state), place);
            let expected = row(&event, &harness)[at];
            let name = format!("{place:?} + {event:?}");
            let done = observe(place, event, &mut harness);
            if done != expected {
                wrong.push(format!("{name}: {done:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
