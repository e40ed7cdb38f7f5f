//! Random actions: half of them as a person would act, half of them arbitrary.

use link_types::archive::{ArchiveErrorCode, ArchiveType};
use link_types::challenge::Challenge;
use link_types::data::DataPointKind;
use link_types::error_code::{ErrorCode, LinkErrorCode};
use link_types::handoff::HandoffPhase;
use link_types::host::WidgetOptions;
use link_types::link::{ConnectStep, LinkPhase};
use link_types::list::Page;
use link_types::problem::ProblemCode;
use link_types::template::SyncInterval;
use link_types::uploading::{AnalyzeStep, ArchivePhase, ResumePoint, Revocation};
use proptest::prelude::*;

use crate::event::{Press, Reply, RequestError};
use crate::state::State;
use crate::tests::fixtures;
use crate::tests::harness::{CANARY, open_event, token};
use crate::tests::table::{StateKind, kind_of};
use crate::view::Typed;
use crate::{Event, Secrets};

/// An event, before the open requests and timers are known.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Plain(Event),
    /// The event that the screen waits for.
    Onward,
    /// Replies to the newest request, or one this many before it, with a reply of its type.
    Answer(Box<Answers>, usize),
    /// Replies to the newest request, or one this many before it, with any reply.
    Reply(Reply, usize),
    /// Replies to the newest save of the resume point, or one this many before it.
    Saved(Reply, usize),
    /// Fires the newest timer, or one this many before it.
    Timer(u32, usize),
}

/// One reply of each type.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    pub(super) session: Reply,
    pub(super) providers: Reply,
    pub(super) provider: Reply,
    pub(super) account: Reply,
    pub(super) linked: Reply,
    pub(super) archive: Reply,
    pub(super) revocation: Reply,
    pub(super) handoff: Reply,
    pub(super) done: Reply,
}

fn press() -> impl Strategy<Value = Press> {
    prop_oneof![
        4 => Just(Press::Agree),
        1 => Just(Press::Submit),
        1 => Just(Press::Back),
        2 => Just(Press::Retry),
        3 => Just(Press::TryAgain),
        1 => Just(Press::ChooseAnother),
        1 => Just(Press::ClearSearch),
        2 => Just(Press::Resend),
        2 => Just(Press::Listen),
        2 => Just(Press::OpenTab),
        2 => Just(Press::Stay),
        2 => Just(Press::Upload),
        2 => Just(Press::SignIn),
        2 => Just(Press::Disconnect),
        3 => Just(Press::Confirm),
    ]
}

fn phase() -> impl Strategy<Value = LinkPhase> {
    let code = prop::sample::select(LinkErrorCode::ALL).prop_map(ErrorCode::Known);
    let code = prop_oneof![code, Just(ErrorCode::Unknown("NEW".to_owned()))];
    let kinds = prop::sample::select(fixtures::challenges());
    let challenge =
        (kinds, any::<bool>(), 1..4_u8).prop_map(|(challenge, wrong_answer, id)| LinkPhase::Challenge {
            challenge: Challenge { id: fixtures::challenge_id(id), wrong_answer, ..challenge },
        });
    prop_oneof![
        2 => prop::sample::select(ConnectStep::ALL).prop_map(|step| LinkPhase::Connecting { step }),
        3 => challenge,
        1 => Just(LinkPhase::Connected {}),
        1 => (code, any::<bool>(), 0..3_u32).prop_map(|(error_code, declined, wait)| LinkPhase::Failed { error_code, declined, retry_in_ms: wait * 1_000 }),
        1 => Just(LinkPhase::Disconnected {}),
    ]
}

fn refusal() -> impl Strategy<Value = RequestError> {
    let coded = |status, code| fixtures::problem(status, code);
    prop_oneof![
        Just(RequestError::Unreachable),
        Just(RequestError::Unreadable { status: 502 }),
        Just(coded(401, ProblemCode::TokenExpired)),
        Just(coded(401, ProblemCode::InvalidToken)),
        Just(coded(409, ProblemCode::Conflict)),
        Just(coded(429, ProblemCode::RequestLimitExceeded)),
        Just(coded(409, ProblemCode::ConsentRequired)),
        Just(coded(409, ProblemCode::AccountMismatch)),
        Just(coded(503, ProblemCode::ServiceUnavailable)),
        Just(fixtures::refused_fields(&["credentials.username", "credentials.password"])),
    ]
}

fn place() -> impl Strategy<Value = ResumePoint> {
    let provider = prop::option::weighted(0.3, prop::sample::select(&["mx_social_security", "gone"][..]));
    let option = prop::option::weighted(0.3, prop::sample::select(&["registry", "gone"][..]));
    let kind = prop::option::weighted(0.1, prop::sample::select(ArchiveType::ALL));
    let account = prop::option::weighted(0.2, Just(fixtures::account_id()));
    let choices = (any::<bool>(), provider, option, kind, account);
    choices.prop_map(|(consented, provider, option, archive_type, account_id)| ResumePoint {
        consent: consented.then(fixtures::receipt),
        provider_id: provider.map(|id| id.parse().unwrap()),
        login_option: option.map(str::to_owned),
        archive_type,
        account_id,
    })
}

/// Returns the options of an opening, and whether the program comes in parts.
pub(super) fn opening() -> impl Strategy<Value = (WidgetOptions, bool)> {
    let own = fixtures::account_id().as_str().to_owned();
    let account =
        prop::option::weighted(0.2, prop_oneof![Just(own), Just("a-".to_owned() + &"08".repeat(16))]);
    let provider = prop::option::weighted(0.2, Just("mx_social_security".to_owned()));
    (account, provider, any::<Option<bool>>(), any::<Option<bool>>(), any::<bool>()).prop_map(
        |(account_id, provider_id, enable_upload, enable_consent_page, in_parts)| {
            let options = WidgetOptions {
                account_id,
                provider_id,
                enable_upload,
                enable_consent_page,
                ..WidgetOptions::default()
            };
            (options, in_parts)
        },
    )
}

fn session_reply() -> BoxedStrategy<Reply> {
    let account = prop::option::weighted(0.3, (0..9_u32, phase()));
    let session = (account, 0..8_u8, place(), 0..10_u32).prop_map(|(account, other, place, archives)| {
        let mut session = fixtures::session();
        session.attempt.account = account.map(|(version, phase)| fixtures::progress(version, phase));
        session.attempt.consent_needed = place.account_id.is_none() || other % 2 == 1;
        session.attempt.place = place;
        if archives == 9 {
            session.attempt.archives.push(fixtures::archive(1, ArchivePhase::Uploading {}, Vec::new()));
        }
        session.template.allow_consent_skip = other == 2 || other == 4;
        if other == 3 || other == 7 {
            session.template.optional_data = vec![DataPointKind::Incomes, DataPointKind::Ratings];
        }
        session.template.sync_interval = (other > 3).then_some(SyncInterval::Daily);
        session.has_linked = other > 4;
        session.is_handoff = archives == 8;
        session.template.uploads_enabled = other != 1;
        if other == 0 {
            session.user_id = fixtures::user_id(9);
        }
        session
    });
    prop_oneof![
        4 => session.prop_map(|session| Reply::Session(Ok(Box::new(session)))),
        1 => refusal().prop_map(|refusal| Reply::Session(Err(refusal))),
    ]
    .boxed()
}

fn providers_reply() -> BoxedStrategy<Reply> {
    prop_oneof![
        4 => Just(Reply::Providers(Ok(fixtures::providers()))),
        1 => Just(Reply::Providers(Ok(Page { next_cursor: Some("more".to_owned()), ..fixtures::providers() }))),
        1 => refusal().prop_map(|refusal| Reply::Providers(Err(refusal))),
    ]
    .boxed()
}

fn provider_reply() -> BoxedStrategy<Reply> {
    let provider = prop_oneof![
        3 => Just(fixtures::provider()),
        1 => Just(fixtures::provider_with_options()),
        1 => Just(fixtures::provider_without_login()),
    ];
    prop_oneof![
        5 => provider.prop_map(|provider| Reply::Provider(Ok(Box::new(provider)))),
        1 => refusal().prop_map(|refusal| Reply::Provider(Err(refusal))),
    ]
    .boxed()
}

fn account_reply() -> BoxedStrategy<Reply> {
    prop_oneof![
        4 => (0..40_u32, phase()).prop_map(|(version, phase)| {
            Reply::Account(Ok(Box::new(fixtures::progress(version, phase))))
        }),
        1 => refusal().prop_map(|refusal| Reply::Account(Err(refusal))),
    ]
    .boxed()
}

pub(super) fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        session_reply(),
        providers_reply(),
        provider_reply(),
        account_reply(),
        linked_reply(),
        archive_reply(),
        revocation_reply(),
        handoff_reply(),
        done_reply()
    ]
}

fn linked_reply() -> BoxedStrategy<Reply> {
    prop_oneof![
        4 => Just(Reply::Linked(Ok(Box::new(fixtures::linked_accounts())))),
        1 => refusal().prop_map(|refusal| Reply::Linked(Err(refusal))),
    ]
    .boxed()
}

fn archive_reply() -> impl Strategy<Value = Reply> {
    let codes = prop::sample::select(ArchiveErrorCode::ALL);
    let phase = prop_oneof![
        3 => Just(ArchivePhase::Uploading {}),
        2 => prop::sample::select(AnalyzeStep::ALL).prop_map(|step| ArchivePhase::Analyzing { step }),
        1 => Just(ArchivePhase::Analyzed {}),
        1 => codes.prop_map(|error_code| ArchivePhase::Failed { error_code }),
        1 => Just(ArchivePhase::Revoked {}),
    ];
    let archive =
        (1..9_u32, phase).prop_map(|(version, phase)| fixtures::archive(version, phase, Vec::new()));
    prop_oneof![
        4 => archive.prop_map(|archive| Reply::Archive(Ok(Box::new(archive)))),
        1 => refusal().prop_map(|refusal| Reply::Archive(Err(refusal))),
    ]
}

fn revocation_reply() -> BoxedStrategy<Reply> {
    let right = Revocation { confirmation: "yes".to_owned() };
    prop_oneof![
        4 => Just(Reply::Revocation(Ok(right))),
        1 => refusal().prop_map(|refusal| Reply::Revocation(Err(refusal))),
    ]
    .boxed()
}

fn handoff_reply() -> BoxedStrategy<Reply> {
    let phase = prop::sample::select(vec![
        fixtures::WAITING,
        HandoffPhase::Continued {},
        HandoffPhase::Finished {},
        HandoffPhase::Expired {},
        HandoffPhase::Ended {},
    ]);
    prop_oneof![
        5 => phase.prop_map(|phase| Reply::Handoff(Ok(Box::new(fixtures::handoff(phase))))),
        1 => refusal().prop_map(|refusal| Reply::Handoff(Err(refusal))),
    ]
    .boxed()
}

fn done_reply() -> BoxedStrategy<Reply> {
    prop_oneof![4 => Just(Reply::Done(Ok(()))), 1 => refusal().prop_map(|refusal| Reply::Done(Err(refusal)))]
        .boxed()
}

fn answers() -> impl Strategy<Value = Answers> {
    let link = (session_reply(), providers_reply(), provider_reply(), account_reply());
    let later = (linked_reply(), archive_reply(), revocation_reply(), handoff_reply(), done_reply());
    (link, later).prop_map(
        |((session, providers, provider, account), (linked, archive, revocation, handoff, done))| Answers {
            session,
            providers,
            provider,
            account,
            linked,
            archive,
            revocation,
            handoff,
            done,
        },
    )
}

fn secrets() -> impl Strategy<Value = Secrets> {
    const TEXTS: [&str; 4] = ["", CANARY, "1234", "12 34"];
    (prop::sample::select(&TEXTS[..]), prop::sample::select(&TEXTS[..])).prop_map(|(password, answer)| {
        let mut secrets = Secrets::none();
        secrets.insert("password", password);
        secrets.insert("answer", answer);
        secrets
    })
}

fn event() -> impl Strategy<Value = Event> {
    let field =
        || prop::sample::select(&["username", "password", "kind", "curp", "email", "answer", "employer"][..]);
    let text = || prop::sample::select(&["", "good", "good ", "email", "curp", "ana@example.com"][..]);
    let choice = || {
        prop::sample::select(
            &[
                "mx_social_security",
                "gig_rides",
                "registry",
                "father",
                "none",
                "/extend",
                "/email",
                "/survey",
                "/upload",
                "/phone",
                "/accounts",
                "a-07070707070707070707070707070707",
                "a-08080808080808080808080808080808",
                "archive-06060606060606060606060606060606",
            ][..],
        )
    };
    prop_oneof![
        1 => Just(open_event()),
        1 => Just(Event::TokenSet { token: token("next") }),
        2 => Just(Event::CloseRequested),
        12 => press().prop_map(Event::Pressed),
        6 => choice().prop_map(|id| Event::Chosen { id: id.to_owned() }),
        1 => text().prop_map(|text| Event::Searched { text: Typed::new(text) }),
        1 => Just(Event::Filtered { tab: "GIG".to_owned() }),
        6 => (field(), text()).prop_map(|(field, text)| Event::Edited { field: field.to_owned(), text: Typed::new(text) }),
        1 => field().prop_map(|field| Event::Left { field: field.to_owned() }),
        1 => (field(), any::<bool>()).prop_map(|(field, empty)| Event::SecretLeft {
            field: field.to_owned(), empty, stray_space: !empty,
        }),
        6 => secrets().prop_map(Event::Submitted),
    ]
}

pub(super) fn actions() -> impl Strategy<Value = Vec<Action>> {
    let back = || prop_oneof![6 => Just(0_usize), 1 => 1..4_usize];
    let one = prop_oneof![
        6 => event().prop_map(Action::Plain),
        8 => Just(Action::Onward),
        12 => (answers(), back()).prop_map(|(answers, back)| Action::Answer(Box::new(answers), back)),
        1 => (reply(), back()).prop_map(|(reply, back)| Action::Reply(reply, back)),
        1 => Just(Action::Plain(Event::Pressed(Press::Done))),
        4 => (done_reply(), back()).prop_map(|(reply, back)| Action::Saved(reply, back)),
        2 => (0..130_000_u32, back()).prop_map(|(elapsed, back)| Action::Timer(elapsed, back)),
    ];
    prop::collection::vec(one, 1..120)
}

/// Returns what a person who wants to finish would do.
pub(super) fn onward(state: &State) -> Event {
    let mut secrets = Secrets::none();
    secrets.insert("password", CANARY);
    secrets.insert("answer", "1234");
    match state {
        State::Shown(screen) => match kind_of(state) {
            StateKind::Starting => Event::Pressed(Press::Retry),
            StateKind::Consent | StateKind::DataChoice => Event::Pressed(Press::Agree),
            StateKind::Providers => Event::Chosen { id: "mx_social_security".to_owned() },
            StateKind::LoginOptions => Event::Chosen { id: "password".to_owned() },
            StateKind::Login if screen.loss().is_none() => {
                Event::Edited { field: "username".to_owned(), text: Typed::new("good") }
            }
            StateKind::Login | StateKind::Connecting | StateKind::Challenge => Event::Submitted(secrets),
            StateKind::Success | StateKind::Accounts => Event::Pressed(Press::ChooseAnother),
            StateKind::Failure => Event::Pressed(Press::TryAgain),
            StateKind::Survey => Event::Submitted(secrets),
            StateKind::Uploads => Event::Pressed(Press::Back),
            StateKind::Handoff => Event::Pressed(Press::Confirm),
            StateKind::TokenExpired | StateKind::Leaving | StateKind::Closed => Event::CloseRequested,
        },
        State::Expired { .. } => Event::TokenSet { token: token("next") },
        State::Leaving { .. } => Event::Pressed(Press::Stay),
        State::Closed => Event::CloseRequested,
    }
}
