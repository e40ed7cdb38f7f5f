use link_types::challenge::{Challenge, ChallengeKind};
use link_types::link::ConnectStep;
use link_types::{ErrorCode, LinkErrorCode};
use rstest::rstest;

use super::*;
use crate::fixture;
use crate::link::SessionEnd;

const PHONE: Digest32 = Digest32::from_bytes([1; 32]);
const STRANGER: Digest32 = Digest32::from_bytes([2; 32]);

fn upload() -> HandoffStep {
    HandoffStep::Upload(ArchiveType::Payslip)
}

fn challenge() -> HandoffStep {
    HandoffStep::Challenge(AccountId::from_bytes([3; 16]))
}

fn waiting(step: HandoffStep) -> Handoff {
    Handoff::create(&fixture::session(), step, None, &mut fixture::context()).unwrap().0
}

fn request(secret_hash: Digest32) -> ExchangeRequest {
    ExchangeRequest {
        secret_hash,
        template_id: fixture::session().template_id,
        host_origin: "https://link.example".into(),
        on_landing_page: true,
    }
}

fn after(seconds: u64) -> Wall {
    fixture::context().now().wall() + Duration::from_secs(seconds)
}

fn continued() -> Handoff {
    waiting(upload()).redeem(&request(PHONE), &fixture::session(), after(0)).unwrap().0
}

#[test]
fn token_has_256_bits_and_is_stored_as_its_digest() {
    let session = fixture::session();
    let (created, token, _) = Handoff::create(&session, upload(), None, &mut fixture::context()).unwrap();
    let secret = token.expose().strip_prefix(HANDOFF_PREFIX).unwrap();
    assert_eq!(URL_SAFE_NO_PAD.decode(secret).unwrap().len(), 32);
    assert!(Handoff::is_token(&token));
    assert_eq!(created.token_hash, Handoff::hash(&token));
    assert!(!format!("{created:?}{token:?}").contains(secret));
}

#[rstest]
#[case::first_use(waiting(upload()), PHONE, 0, Ok(true))]
#[case::last_moment(waiting(upload()), PHONE, 599, Ok(true))]
#[case::expired(waiting(upload()), PHONE, 600, Err(TokenRefused::Expired))]
#[case::repeated(continued(), PHONE, 59, Ok(false))]
#[case::repeated_too_late(continued(), PHONE, 60, Err(TokenRefused::Used))]
#[case::other_phone(continued(), STRANGER, 1, Err(TokenRefused::Used))]
#[case::taken_back(waiting(upload()).end(HandoffEnd::TakenBack).0, PHONE, 1, Err(TokenRefused::Expired))]
#[case::repeated_after_end(continued().end(HandoffEnd::TakenBack).0, PHONE, 1, Err(TokenRefused::Used))]
fn code_works_once(
    #[case] handoff: Handoff,
    #[case] secret: Digest32,
    #[case] seconds: u64,
    #[case] expected: Result<bool, TokenRefused>,
) {
    let redeemed = handoff.redeem(&request(secret), &fixture::session(), after(seconds));
    assert_eq!(redeemed.map(|(_, change)| !change.rows.is_empty()), expected);
}

#[test]
fn code_works_only_on_the_hosted_page_of_its_session() {
    let elsewhere = ExchangeRequest { on_landing_page: false, ..request(PHONE) };
    let template = link_types::id::LinkTemplateId::from_bytes([9; 16]);
    let other_template = ExchangeRequest { template_id: template, ..request(PHONE) };
    for wrong in [elsewhere, other_template] {
        let refused = waiting(upload()).redeem(&wrong, &fixture::session(), after(0));
        assert_eq!(refused.map(drop), Err(TokenRefused::Invalid));
    }
    let other = LinkSession { id: LinkSessionId::from_bytes([8; 16]), ..fixture::session() };
    let refused = waiting(upload()).redeem(&request(PHONE), &other, after(0));
    assert_eq!(refused.map(drop), Err(TokenRefused::Invalid));
}

#[rstest]
#[case::closed(SessionEnd::Closed)]
#[case::taken_over(SessionEnd::TakenOver)]
fn code_of_ended_session_is_rejected(#[case] end: SessionEnd) {
    let ended = fixture::session().end(end);
    let refused = waiting(upload()).redeem(&request(PHONE), &ended, after(0));
    assert_eq!(refused.map(drop), Err(TokenRefused::Expired));
}

#[test]
fn only_the_phone_that_used_the_code_is_admitted() {
    assert_eq!(waiting(upload()).admits(&PHONE), Err(HandoffOver));
    assert_eq!(continued().admits(&PHONE), Ok(()));
    assert_eq!(continued().admits(&STRANGER), Err(HandoffOver));
    for end in [HandoffEnd::Left, HandoffEnd::TakenBack, HandoffEnd::Submitted] {
        assert_eq!(continued().end(end).0.admits(&PHONE), Err(HandoffOver));
    }
}

#[test]
fn new_code_replaces_code_and_phone() {
    let (session, before) = (fixture::session(), continued());
    let mut context = Context::new(fixture::context().now(), [9; 32]);
    let (next, _, _) = Handoff::create(&session, upload(), Some(before.clone()), &mut context).unwrap();
    assert_ne!(next.token_hash, before.token_hash);
    assert_eq!((next.admits(&PHONE), next.number), (Err(HandoffOver), 2));
}

#[test]
fn session_creates_at_most_ten_codes() {
    let (session, mut context) = (fixture::session(), fixture::context());
    let mut last = None;
    for _ in 0..HANDOFFS_LIMIT {
        last = Some(Handoff::create(&session, upload(), last, &mut context).unwrap().0);
    }
    let refused = Handoff::create(&session, upload(), last, &mut context);
    assert_eq!(refused.map(drop), Err(HandoffRefused::TooMany));
}

#[test]
fn first_reason_of_the_end_is_kept() {
    let (ended, change) = continued().end(HandoffEnd::Submitted).0.end(HandoffEnd::Left);
    assert_eq!((ended.ended, change), (Some(HandoffEnd::Submitted), crate::change::Change::default()));
}

fn asked() -> LinkPhase {
    LinkPhase::Challenge {
        challenge: Challenge {
            id: link_types::id::ChallengeId::from_bytes([4; 16]),
            kind: ChallengeKind::Approve { device: None },
            expires_in_ms: None,
            extendable: false,
            resend: None,
            wrong_answer: false,
            tries_left: None,
        },
    }
}

fn failed() -> LinkPhase {
    let error_code = ErrorCode::from(LinkErrorCode::MfaTimeout);
    LinkPhase::Failed { error_code, declined: false, retry_in_ms: 0 }
}

#[rstest]
#[case::waiting(waiting(challenge()), Some(asked()), 0, HandoffPhase::Waiting { expires_in_ms: 600_000 })]
#[case::expired(waiting(challenge()), Some(asked()), 600, HandoffPhase::Expired {})]
#[case::continued(continued(), None, 700, HandoffPhase::Continued {})]
#[case::left(continued().end(HandoffEnd::Left).0, None, 0, HandoffPhase::Ended {})]
#[case::submitted(continued().end(HandoffEnd::Submitted).0, None, 0, HandoffPhase::Finished {})]
#[case::checking(
    waiting(challenge()), Some(LinkPhase::Connecting { step: ConnectStep::CheckingAnswer }), 1,
    HandoffPhase::Waiting { expires_in_ms: 599_000 }
)]
#[case::connected(waiting(challenge()), Some(LinkPhase::Connected {}), 0, HandoffPhase::Finished {})]
#[case::failed(waiting(challenge()), Some(failed()), 0, HandoffPhase::Finished {})]
#[case::account_is_gone(waiting(challenge()), None, 0, HandoffPhase::Finished {})]
#[case::connected_and_left(
    waiting(challenge()).end(HandoffEnd::Left).0, Some(LinkPhase::Connected {}), 0, HandoffPhase::Finished {}
)]
fn phase_follows_phone_and_account(
    #[case] handoff: Handoff,
    #[case] linking: Option<LinkPhase>,
    #[case] seconds: u64,
    #[case] expected: HandoffPhase,
) {
    assert_eq!(handoff.phase(linking.as_ref(), after(seconds)), expected);
}

#[test]
fn phone_uploads_only_the_kind_that_was_handed_off() {
    assert!(waiting(upload()).accepts(ArchiveType::Payslip));
    assert!(!waiting(upload()).accepts(ArchiveType::BankStatement));
    assert!(!waiting(challenge()).accepts(ArchiveType::Payslip));
}
