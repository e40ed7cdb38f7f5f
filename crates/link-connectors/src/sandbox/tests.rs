//! Every published login, through the port.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account_source::Purpose;
use link_domain::linking::account_source::{
    AccountSource, Credentials, PosedChallenge, Read, ReadOutcome, ReadRequest, SourceInput, SourceState,
    Step, StepRequest,
};
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::data::{DataPointBody, DataPointKind};
use link_types::id::ProviderId;
use link_types::provider::{Provider, ProviderType};
use link_types::{LinkErrorCode, Sensitive};
use rstest::rstest;

use super::SandboxSource;
use super::state::Stage;

const AT: TenantTime = TenantTime::from_micros(1_795_176_000_000_000);

#[rstest]
#[case("good", "pass", None)]
#[case("many", "pass", None)]
#[case("GOOD@example.com", "pass", None)]
#[case("good", "password", Some(LinkErrorCode::InvalidCredentials))]
#[case("someone", "pass", Some(LinkErrorCode::InvalidCredentials))]
#[case("error-NOTHING", "pass", Some(LinkErrorCode::InvalidCredentials))]
fn login_connects_or_fails_as_published(
    #[case] login: &str,
    #[case] password: &str,
    #[case] failure: Option<LinkErrorCode>,
) {
    match (log_in("mx_social_security", login, password), failure) {
        (Step::Connected { .. }, None) => {}
        (Step::Failed { code }, Some(expected)) => assert_eq!(code, expected),
        (other, _) => panic!("{login}: {other:?}"),
    }
}

#[test]
fn every_error_code_has_a_login() {
    for code in LinkErrorCode::ALL {
        let step = log_in("ph_social_security", &format!("error-{code}"), "pass");
        assert_eq!(step, Step::Failed { code: *code });
    }
}

#[test]
fn correct_code_connects_and_wrong_codes_use_up_tries() {
    let (state, challenge) = unwrap_challenge(log_in("mx_social_security", "mfa-otp", "pass"));
    assert_eq!((challenge.tries_left, challenge.wrong_answer), (Some(3), false));
    let (state, challenge) = unwrap_challenge(answer(&state, "0000"));
    assert_eq!((challenge.tries_left, challenge.wrong_answer), (Some(2), true));
    assert!(matches!(answer(&state, "1234"), Step::Connected { .. }));
    let (state, _) = unwrap_challenge(answer(&state, "0000"));
    assert_eq!(answer(&state, "0000"), Step::Failed { code: LinkErrorCode::InvalidMfa });
}

#[test]
fn resent_code_keeps_the_tries() {
    let (state, _) = unwrap_challenge(log_in("mx_social_security", "mfa-otp", "pass"));
    let (state, _) = unwrap_challenge(answer(&state, "0000"));
    let resend = SourceInput::Resend { channel: CodeChannel::Voice };
    let (_, challenge) = unwrap_challenge(step("mx_social_security", &state, &resend));
    assert_eq!((challenge.tries_left, challenge.wrong_answer), (Some(2), false));
}

#[rstest]
#[case("mfa-image", "k7m4", "K7N4")]
#[case("mfa-question", "Aurora ", "Cumbre")]
#[case("mfa-timeout", "1234", "4321")]
fn typed_answer_is_judged(#[case] login: &str, #[case] right: &str, #[case] wrong: &str) {
    let (state, challenge) = unwrap_challenge(log_in("mx_social_security", login, "pass"));
    assert_eq!((challenge.tries_left, challenge.check_after), (Some(3), None));
    assert!(matches!(answer(&state, right), Step::Connected { .. }));
    let (state, challenge) = unwrap_challenge(answer(&state, wrong));
    assert!(challenge.wrong_answer);
    let (state, _) = unwrap_challenge(answer(&state, wrong));
    assert_eq!(answer(&state, wrong), Step::Failed { code: LinkErrorCode::InvalidMfa });
}

#[rstest]
#[case::approved("mfa-push", true)]
#[case::link_followed("mfa-email", true)]
#[case::refused("mfa-push-denied", false)]
fn approval_elsewhere_is_seen_on_continue(#[case] login: &str, #[case] approved: bool) {
    let (state, challenge) = unwrap_challenge(log_in("mx_social_security", login, "pass"));
    assert!(challenge.check_after.is_some() && challenge.tries_left.is_none());
    let seen = step("mx_social_security", &state, &SourceInput::Continue {});
    match approved {
        true => assert!(matches!(seen, Step::Connected { .. }), "{seen:?}"),
        false => assert_eq!(seen, Step::Declined {}),
    }
}

#[rstest]
#[case("mfa-push", CodeChannel::Sms)]
#[case("mfa-push-denied", CodeChannel::Sms)]
#[case("mfa-push-timeout", CodeChannel::Sms)]
#[case("mfa-email", CodeChannel::Sms)]
#[case("mfa-image", CodeChannel::Voice)]
fn code_replaces_another_challenge(#[case] login: &str, #[case] channel: CodeChannel) {
    let (state, challenge) = unwrap_challenge(log_in("mx_social_security", login, "pass"));
    assert!(challenge.resend.unwrap().channels.contains(&channel));
    let (state, challenge) =
        unwrap_challenge(step("mx_social_security", &state, &SourceInput::Resend { channel }));
    assert!(matches!(challenge.kind, ChallengeKind::OneTimeCode { channel: by, .. } if by == channel));
    assert!(matches!(answer(&state, "1234"), Step::Connected { .. }));
}

#[test]
fn another_picture_differs_and_has_the_same_text() {
    let (state, first) = unwrap_challenge(log_in("mx_social_security", "mfa-image", "pass"));
    let resend = SourceInput::Resend { channel: CodeChannel::Picture };
    let (state, second) = unwrap_challenge(step("mx_social_security", &state, &resend));
    assert_ne!(first.kind, second.kind);
    assert!(matches!(answer(&state, "K7M4"), Step::Connected { .. }));
}

#[rstest]
#[case("mfa-timeout", true)]
#[case("mfa-push-timeout", false)]
fn timeout_logins_have_15_seconds(#[case] login: &str, #[case] extendable: bool) {
    let (_, challenge) = unwrap_challenge(log_in("mx_social_security", login, "pass"));
    assert_eq!(challenge.lasts, Some(std::time::Duration::from_secs(15)));
    assert_eq!((challenge.extendable, challenge.check_after), (extendable, None));
}

#[test]
fn challenges_are_sequential_with_separate_tries() {
    let provider = "mx_social_security";
    let (state, _) = unwrap_challenge(log_in(provider, "mfa-many", "pass"));
    let wrong = SourceInput::AnswerChoice { value: "none".to_owned() };
    let (state, _) = unwrap_challenge(step(provider, &state, &wrong));
    let chosen = SourceInput::AnswerChoice { value: "cumbre".to_owned() };
    let (state, code) = unwrap_challenge(step(provider, &state, &chosen));
    assert!(matches!(code.kind, ChallengeKind::OneTimeCode { .. }));
    assert_eq!((code.tries_left, code.wrong_answer), (Some(3), false));
    let (state, question) = unwrap_challenge(answer(&state, "1234"));
    assert!(matches!(question.kind, ChallengeKind::Question { .. }));
    assert!(matches!(answer(&state, "aurora"), Step::Connected { .. }));
}

#[test]
fn resend_by_another_channel_changes_the_destination() {
    let channel = |challenge: &PosedChallenge| {
        let ChallengeKind::OneTimeCode { channel, destination, .. } = &challenge.kind else {
            panic!("no code: {challenge:?}");
        };
        (*channel, destination.clone())
    };
    let (state, first) = unwrap_challenge(log_in("mx_social_security", "mfa-otp", "pass"));
    let resend = SourceInput::Resend { channel: CodeChannel::Email };
    let (state, again) = unwrap_challenge(step("mx_social_security", &state, &resend));
    assert_ne!(channel(&first), channel(&again));
    let (_, after_a_wrong_one) = unwrap_challenge(answer(&state, "0000"));
    assert_eq!(channel(&after_a_wrong_one), channel(&again));
}

#[test]
fn image_challenge_is_a_png_without_its_text() {
    let (state, challenge) = unwrap_challenge(log_in("mx_social_security", "mfa-image", "pass"));
    let ChallengeKind::Image { image, .. } = &challenge.kind else { panic!("{challenge:?}") };
    assert!(image.starts_with("data:image/png;base64,iVBOR"), "{image}");
    assert!(image.len() < 16_000, "{} bytes", image.len());
    assert!(!image.contains("K7M4") && !state.as_str().contains("K7M4"));
}

#[test]
fn only_some_pictures_have_a_recording_and_other_ways() {
    for (login, has_more) in [("mfa-image", true), ("mfa-image-only", false)] {
        let (state, challenge) = unwrap_challenge(log_in("mx_social_security", login, "pass"));
        let ChallengeKind::Image { recording, .. } = &challenge.kind else { panic!("{challenge:?}") };
        let channels = challenge.resend.unwrap().channels;
        assert_eq!((recording.is_some(), channels.len() > 1), (has_more, has_more), "{login}");
        assert!(matches!(answer(&state, "k7m4"), Step::Connected { .. }), "{login}");
    }
}

#[test]
fn slow_login_connects_after_its_waits() {
    let mut now = log_in("mx_social_security", "slow", "pass");
    for _ in 0..3 {
        let Step::Wait { state, .. } = now else { panic!("{now:?}") };
        now = step("mx_social_security", &state, &SourceInput::Continue {});
    }
    assert!(matches!(now, Step::Connected { .. }), "{now:?}");
}

#[rstest]
#[case("partial", LinkErrorCode::ServiceUnavailable, false)]
#[case("reauth", LinkErrorCode::ExpiredCredentials, true)]
fn partial_login_ends_with_a_partial_reading(
    #[case] login: &str,
    #[case] code: LinkErrorCode,
    #[case] whole: bool,
) {
    let read = read("mx_social_security", login);
    assert_eq!(read.outcome, ReadOutcome::Partial { code });
    let has = |kind| read.batch.bodies.iter().any(|body| body.kind() == kind);
    assert!(has(DataPointKind::Identities) && has(DataPointKind::Employments));
    assert_eq!(has(DataPointKind::Contributions), whole);
}

#[rstest]
#[case("aurora", true)]
#[case("none", false)]
fn every_choice_except_none_is_correct(#[case] value: &str, #[case] right: bool) {
    let (state, _) = unwrap_challenge(log_in("mx_social_security", "mfa-choice", "pass"));
    let input = SourceInput::AnswerChoice { value: value.to_owned() };
    assert_eq!(matches!(step("mx_social_security", &state, &input), Step::Connected { .. }), right);
}

#[test]
fn invalid_login_input_fails_with_its_own_code() {
    assert_eq!(log_in("mx_social_security", "good", ""), Step::Failed { code: LinkErrorCode::AuthRequired });
    let input = SourceInput::LogIn { login_option: Some("fax".into()), credentials: Credentials::default() };
    let refused = step("mx_social_security", &SourceState::default(), &input);
    assert_eq!(refused, Step::Failed { code: LinkErrorCode::UnsupportedAuthType });
    let closed = log_in("ph_barangay_payroll", "good", "pass");
    assert_eq!(closed, Step::Failed { code: LinkErrorCode::ServiceUnavailable });
}

#[test]
fn provider_data_is_complete_and_deterministic() {
    let source = SandboxSource::new();
    for provider in source.providers().iter().filter(|provider| provider.enabled) {
        let read = read(provider.id.as_str(), "good");
        for kind in provider.supported.iter().filter(|kind| **kind != DataPointKind::Eincomes) {
            assert!(
                read.batch.bodies.iter().any(|body| body.kind() == *kind),
                "{} lacks {kind}",
                provider.id
            );
        }
        assert_eq!(read, self::read(provider.id.as_str(), "good"));
        assert_ne!(read.batch, self::read(provider.id.as_str(), "mfa-otp").batch);
    }
}

#[test]
fn login_many_has_a_list_of_over_300_items() {
    let source = SandboxSource::new();
    let long = [DataPointKind::Contributions, DataPointKind::Incomes, DataPointKind::Transactions];
    for provider in source.providers().iter().filter(|it| it.enabled && it.login_required) {
        let batch = read(provider.id.as_str(), "many").batch;
        let count = |kind| batch.bodies.iter().filter(|body| body.kind() == kind).count();
        assert!(long.iter().any(|kind| count(*kind) > 300), "{}", provider.id);
    }
}

#[test]
fn lists_are_oldest_first_and_end_before_today() {
    let batch = read("mx_social_security", "good").batch;
    let days: Vec<_> = batch
        .bodies
        .iter()
        .filter_map(|body| if let DataPointBody::Contribution(it) = body { it.date } else { None })
        .collect();
    assert_eq!(days.len(), 12);
    assert!(days.is_sorted() && days.iter().all(|day| *day < link_types::Timestamp::from(AT).date()));
}

#[test]
fn every_provider_kind_exists_in_both_countries() {
    let source = SandboxSource::new();
    let any = |test: &dyn Fn(&Provider) -> bool| source.providers().iter().any(test);
    for country in ["MX", "PH"] {
        for kind in ["SOCIAL_SECURITY", "GOVERNMENT_PENSION", "HEALTH_INSURANCE", "HOUSING_FUND"] {
            assert!(any(&|it| it.country == country && it.sub_type == kind), "{country} {kind}");
        }
    }
    for provider_type in ProviderType::ALL {
        assert!(any(&|it| it.provider_type == *provider_type), "{provider_type}");
    }
    assert!(any(&|it| !it.login_required && it.login_options.is_empty()));
    assert!(any(&|it| !it.enabled));
    assert!(any(&|it| it.login_options.len() > 1));
    assert!(any(&|it| it
        .login_options
        .iter()
        .flat_map(|o| &o.fields)
        .any(|field| field.visible_when.is_some())));
}

#[test]
fn every_login_form_accepts_published_logins() {
    for provider in SandboxSource::new().providers().iter() {
        for option in &provider.login_options {
            let name = option.fields.iter().find(|field| !field.is_secret()).unwrap();
            let login = if option.id == "email" { "mfa-otp@example.com" } else { "mfa-otp" };
            assert_eq!(name.format.check(login), Ok(()), "{}", provider.id);
            assert!(option.fields.iter().filter(|field| field.required).count() == 2, "{}", provider.id);
        }
    }
}

fn log_in(provider: &str, login: &str, password: &str) -> Step {
    let source = SandboxSource::new();
    let provider_id: ProviderId = provider.parse().unwrap();
    let providers = source.providers();
    let found = providers.iter().find(|it| it.id == provider_id).unwrap();
    let option = &found.login_options[0];
    let values = [login, password].map(Sensitive::new);
    let names = option.fields.iter().map(|field| field.name.clone());
    let credentials = Credentials(names.zip(values).collect::<BTreeMap<_, _>>());
    let input = SourceInput::LogIn { login_option: Some(option.id.clone()), credentials };
    step(provider, &SourceState::default(), &input)
}

fn answer(state: &SourceState, code: &str) -> Step {
    step("mx_social_security", state, &SourceInput::AnswerText { text: Sensitive::new(code) })
}

fn step(provider: &str, state: &SourceState, input: &SourceInput) -> Step {
    let provider_id = provider.parse().unwrap();
    now(SandboxSource::new().step(StepRequest { owner: &owner(), provider_id: &provider_id, state, input }))
}

fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: link_types::Mode::Sandbox }
}

fn unwrap_challenge(step: Step) -> (SourceState, PosedChallenge) {
    match step {
        Step::Challenge { state, challenge } => (state, challenge),
        other @ (Step::Connected { .. } | Step::Wait { .. } | Step::Failed { .. } | Step::Declined {}) => {
            panic!("expected a challenge, not {other:?}")
        }
    }
}

fn read(provider: &str, login: &str) -> Read {
    let state = Stage::after_login(login.to_owned()).to_state();
    read_from(provider, &state, None)
}

fn read_from(provider: &str, state: &SourceState, last_read_at: Option<TenantTime>) -> Read {
    let (owner, provider_id) = (owner(), provider.parse().unwrap());
    let (owner, provider_id, purpose) = (&owner, &provider_id, Purpose::SignIn);
    let request = ReadRequest { owner, provider_id, state, purpose, at: AT, last_read_at };
    now(SandboxSource::new().read(request))
}

/// Polls once, because the sandbox responds immediately.
fn now<T>(answer: impl Future<Output = T>) -> T {
    match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the sandbox does not wait"),
    }
}

#[rstest]
#[case("sync-unavailable", LinkErrorCode::ServiceUnavailable)]
#[case("sync-error", LinkErrorCode::SystemError)]
#[case("sync-locked", LinkErrorCode::AccountLocked)]
#[case("sync-reauth", LinkErrorCode::ExpiredCredentials)]
#[case("sync-mfa", LinkErrorCode::AuthRequired)]
#[case("sync-terms", LinkErrorCode::TosRequired)]
fn sync_login_fails_at_every_reading_but_the_first(#[case] login: &str, #[case] code: LinkErrorCode) {
    let Step::Connected { state } = log_in("mx_social_security", login, "pass") else { panic!("{login}") };
    let first = read_from("mx_social_security", &state, None);
    assert_eq!(first.outcome, ReadOutcome::Complete);
    let second = read_from("mx_social_security", &first.state, Some(AT));
    assert_eq!((second.outcome, &second.state), (ReadOutcome::Failed { code }, &first.state));
    let after_login = read_from("mx_social_security", &state, Some(AT));
    assert_eq!(after_login.outcome, ReadOutcome::Complete, "a new login makes it readable");
}

#[test]
fn reauth_login_is_complete_after_the_next_login() {
    let Step::Connected { state } = log_in("mx_social_security", "reauth", "pass") else { panic!() };
    assert_eq!(read_from("mx_social_security", &state, Some(AT)).outcome, ReadOutcome::Complete);
}
