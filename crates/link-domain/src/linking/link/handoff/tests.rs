use link_types::LinkErrorCode;
use link_types::challenge::ChallengeKind;
use rstest::rstest;

use super::*;
use crate::fixture;
use crate::kernel::source::RevokedBy;
use crate::linking::account::AccountInput;
use crate::linking::account_source::{PosedChallenge, SourceState, Step};
use crate::linking::link::SessionEnd;

const PHONE: Digest32 = Digest32::from_bytes([1; 32]);
const STRANGER: Digest32 = Digest32::from_bytes([2; 32]);

fn upload() -> HandoffStep {
    HandoffStep::Upload(ArchiveType::Payslip)
}

fn challenge() -> HandoffStep {
    HandoffStep::challenges_of(&begin_account()).unwrap()
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
        on_own_host_of: None,
    }
}

fn after(seconds: u64) -> Wall {
    fixture::context().now().wall() + Duration::from_secs(seconds)
}

fn continue_handoff() -> Handoff {
    waiting(upload()).redeem(&request(PHONE), &fixture::session(), StepProgress::Open, after(0)).unwrap().0
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
#[case::expired(waiting(upload()), PHONE, 600, Err(TokenError::Expired))]
#[case::repeated(continue_handoff(), PHONE, 59, Ok(false))]
#[case::repeated_too_late(continue_handoff(), PHONE, 60, Err(TokenError::Used))]
#[case::other_phone(continue_handoff(), STRANGER, 1, Err(TokenError::Used))]
#[case::taken_back(waiting(upload()).end(HandoffEnd::TakenBack).0, PHONE, 1, Err(TokenError::Expired))]
#[case::repeated_after_end(continue_handoff().end(HandoffEnd::TakenBack).0, PHONE, 1, Err(TokenError::Used))]
fn code_works_once(
    #[case] handoff: Handoff,
    #[case] secret: Digest32,
    #[case] seconds: u64,
    #[case] expected: Result<bool, TokenError>,
) {
    let redeemed = handoff.redeem(&request(secret), &fixture::session(), StepProgress::Open, after(seconds));
    assert_eq!(redeemed.map(|(_, change)| !change.rows.is_empty()), expected);
}

#[test]
fn code_works_only_on_the_hosted_page_of_its_session() {
    let elsewhere = ExchangeRequest { on_landing_page: false, ..request(PHONE) };
    let template = link_types::id::LinkTemplateId::from_bytes([9; 16]);
    let other_template = ExchangeRequest { template_id: template, ..request(PHONE) };
    for wrong in [elsewhere, other_template] {
        let refused = waiting(upload()).redeem(&wrong, &fixture::session(), StepProgress::Open, after(0));
        assert_eq!(refused.map(drop), Err(TokenError::Invalid));
    }
    let other = LinkSession { id: LinkSessionId::from_bytes([8; 16]), ..fixture::session() };
    let refused = waiting(upload()).redeem(&request(PHONE), &other, StepProgress::Open, after(0));
    assert_eq!(refused.map(drop), Err(TokenError::Invalid));
}

#[rstest]
#[case::closed(SessionEnd::Closed)]
#[case::taken_over(SessionEnd::TakenOver)]
fn code_of_ended_session_is_rejected(#[case] end: SessionEnd) {
    let ended = fixture::session().end(end);
    let refused = waiting(upload()).redeem(&request(PHONE), &ended, StepProgress::Open, after(0));
    assert_eq!(refused.map(drop), Err(TokenError::Expired));
}

#[test]
fn only_the_phone_that_used_the_code_is_admitted() {
    let open = StepProgress::Open;
    assert_eq!(waiting(upload()).access(&PHONE, open), Err(HandoffOverError));
    assert_eq!(continue_handoff().access(&PHONE, open), Ok(PhoneAccess::Works));
    assert_eq!(continue_handoff().access(&STRANGER, open), Err(HandoffOverError));
    for end in [HandoffEnd::Left, HandoffEnd::TakenBack, HandoffEnd::Submitted] {
        let ended = continue_handoff().end(end).0;
        assert_eq!(ended.access(&PHONE, open), Err(HandoffOverError));
    }
}

#[rstest]
#[case::open(StepProgress::Open, Ok(PhoneAccess::Works))]
#[case::decided(StepProgress::Decided, Ok(PhoneAccess::Reads))]
#[case::replaced(StepProgress::Replaced, Err(HandoffOverError))]
fn phone_reads_but_does_nothing_after_its_step_was_decided(
    #[case] progress: StepProgress,
    #[case] expected: Result<PhoneAccess, HandoffOverError>,
) {
    let phone = continue_handoff();
    assert_eq!(phone.access(&PHONE, progress), expected);
    assert_eq!(phone.access(&STRANGER, progress), Err(HandoffOverError));
}

#[rstest]
#[case::unused(waiting(upload()), StepProgress::Decided, Err(TokenError::Expired))]
#[case::unused_and_replaced(waiting(upload()), StepProgress::Replaced, Err(TokenError::Expired))]
#[case::repeated(continue_handoff(), StepProgress::Decided, Ok(()))]
#[case::repeated_and_replaced(continue_handoff(), StepProgress::Replaced, Err(TokenError::Used))]
fn code_gives_no_access_after_its_step_was_decided(
    #[case] handoff: Handoff,
    #[case] progress: StepProgress,
    #[case] expected: Result<(), TokenError>,
) {
    let redeemed = handoff.redeem(&request(PHONE), &fixture::session(), progress, after(1));
    assert_eq!(redeemed.map(drop), expected);
}

#[test]
fn new_code_replaces_code_and_phone() {
    let (session, before) = (fixture::session(), continue_handoff());
    let mut context = Context::new(fixture::context().now(), [9; 32]);
    let (next, _, _) = Handoff::create(&session, upload(), Some(before.clone()), &mut context).unwrap();
    assert_ne!(next.token_hash, before.token_hash);
    assert_eq!((next.access(&PHONE, StepProgress::Open), next.number), (Err(HandoffOverError), 2));
}

#[test]
fn session_creates_at_most_ten_codes() {
    let (session, mut context) = (fixture::session(), fixture::context());
    let mut last = None;
    for _ in 0..HANDOFFS_LIMIT {
        last = Some(Handoff::create(&session, upload(), last, &mut context).unwrap().0);
    }
    let refused = Handoff::create(&session, upload(), last, &mut context);
    assert_eq!(refused.map(drop), Err(HandoffError::TooMany));
}

#[test]
fn first_reason_of_the_end_is_kept() {
    let (ended, change) = continue_handoff().end(HandoffEnd::Submitted).0.end(HandoffEnd::Left);
    assert_eq!((ended.ended, change), (Some(HandoffEnd::Submitted), crate::change::Change::default()));
}

fn apply_step(account: Account, step: Step) -> Account {
    let input = AccountInput::Stepped { version: account.version, step, tries: None };
    account.apply(input, &mut fixture::context()).unwrap().0
}

fn begin_account() -> Account {
    fixture::begin_account(&mut fixture::context()).0
}

fn pose_challenge(begun: Account) -> Option<Account> {
    let challenge = PosedChallenge {
        kind: ChallengeKind::Approve { device: None },
        lasts: None,
        check_after: None,
        extendable: false,
        resend: None,
        tries_left: None,
        wrong_answer: false,
        redirect: None,
    };
    Some(apply_step(begun, Step::Challenge { state: SourceState::default(), challenge }))
}

fn connect(begun: Account) -> Option<Account> {
    Some(apply_step(begun, Step::Connected { state: SourceState::default() }))
}

fn fail(begun: Account) -> Option<Account> {
    Some(apply_step(begun, Step::Failed { code: LinkErrorCode::MfaTimeout }))
}

fn revoke(begun: Account) -> Option<Account> {
    connect(begun)
        .map(|it| it.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut fixture::context()).unwrap().0)
}

/// Signs in again, as on the computer.
fn again(account: Account) -> Account {
    account.apply(AccountInput::Submit(fixture::submission()), &mut fixture::context()).unwrap().0
}

#[rstest]
#[case::being_checked(Some, StepProgress::Open)]
#[case::challenge(pose_challenge, StepProgress::Open)]
#[case::connected(connect, StepProgress::Decided)]
#[case::failed(fail, StepProgress::Decided)]
#[case::revoked(revoke, StepProgress::Decided)]
#[case::account_is_gone(|_| None, StepProgress::Decided)]
#[case::tried_again(|it| fail(it).map(again), StepProgress::Replaced)]
#[case::signed_in_again(|it| connect(it).map(again), StepProgress::Replaced)]
fn step_is_decided_with_the_login_of_its_challenges(
    #[case] after: fn(Account) -> Option<Account>,
    #[case] expected: StepProgress,
) {
    let begun = begin_account();
    let step = HandoffStep::challenges_of(&begun).unwrap();
    let account = after(begun);
    assert_eq!(step.progress(account.as_ref()), expected);
    assert_eq!(upload().progress(account.as_ref()), StepProgress::Open);
}

#[rstest]
#[case::waiting(waiting(challenge()), StepProgress::Open, 0, HandoffPhase::Waiting { expires_in_ms: 600_000 })]
#[case::expired(waiting(challenge()), StepProgress::Open, 600, HandoffPhase::Expired {})]
#[case::continued(continue_handoff(), StepProgress::Open, 700, HandoffPhase::Continued {})]
#[case::left(continue_handoff().end(HandoffEnd::Left).0, StepProgress::Open, 0, HandoffPhase::Ended {})]
#[case::submitted(continue_handoff().end(HandoffEnd::Submitted).0, StepProgress::Open, 0, HandoffPhase::Finished {})]
#[case::decided(waiting(challenge()), StepProgress::Decided, 0, HandoffPhase::Finished {})]
#[case::replaced(waiting(challenge()), StepProgress::Replaced, 0, HandoffPhase::Finished {})]
#[case::decided_and_left(
    waiting(challenge()).end(HandoffEnd::Left).0, StepProgress::Decided, 0, HandoffPhase::Finished {}
)]
fn phase_follows_phone_and_step(
    #[case] handoff: Handoff,
    #[case] progress: StepProgress,
    #[case] seconds: u64,
    #[case] expected: HandoffPhase,
) {
    assert_eq!(handoff.phase(progress, after(seconds)), expected);
}

#[test]
fn phone_uploads_only_the_kind_that_was_handed_off() {
    assert!(waiting(upload()).accepts(ArchiveType::Payslip));
    assert!(!waiting(upload()).accepts(ArchiveType::BankStatement));
    assert!(!waiting(challenge()).accepts(ArchiveType::Payslip));
}
