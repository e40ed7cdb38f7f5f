use link_types::Mode;
use rstest::rstest;

use super::*;
use crate::fixture;

const KEY: [u8; 32] = [7; 32];
const LIMITS: MailLimits = MailLimits { per_tenant: 4, per_recipient: 4 };

fn visit_id() -> LinkSiteSessionId {
    LinkSiteSessionId::from_bytes([1; 16])
}

fn standing() -> CodeStanding {
    CodeStanding {
        mode: Mode::Production,
        is_allowed: false,
        is_suppressed: false,
        has_server: true,
        tenant_today: 0,
        codes_today: 0,
        codes_to_mailbox_today: 0,
    }
}

fn request_at(
    proof: &AddressProof,
    address: &str,
    elapsed: Duration,
) -> Result<AddressProof, CodeRequestError> {
    let id = visit_id();
    let request =
        CodeRequest { visit_id: &id, address: Sensitive::new(address), locale: "en".to_owned(), key: &KEY };
    let mut context = fixture::context_after(elapsed);
    proof.request(request, &standing(), LIMITS, &mut context).map(|(proof, _)| proof)
}

fn send() -> AddressProof {
    request_at(&AddressProof::NotAsked, "ana@example.com", Duration::ZERO).unwrap()
}

fn code_of(proof: &AddressProof) -> String {
    proof.sent_code().unwrap().mail.as_ref().unwrap().code.expose().to_owned()
}

fn wrong_code(proof: &AddressProof) -> String {
    let code: u32 = code_of(proof).parse().unwrap();
    format!("{:06}", (code + 1) % 1_000_000)
}

fn check_at(proof: AddressProof, typed: &str, elapsed: Duration) -> (AddressProof, Result<(), CodeError>) {
    let now = fixture::context_after(elapsed).now().wall();
    proof.check(&visit_id(), &Sensitive::new(typed), &KEY, now)
}

#[test]
fn code_proves_the_address_within_10_minutes() {
    let (sent, last) = (send(), CODE_LIFE - Duration::from_secs(1));
    assert!(sent.is_awaited() && sent.address().is_none());
    let code = code_of(&sent);
    let (proven, result) = check_at(sent.clone(), &code, last);
    assert_eq!((result, proven.address().map(Sensitive::expose)), (Ok(()), Some("ana@example.com")));
    assert!(!proven.is_awaited());
    assert_eq!(check_at(proven.clone(), "000000", last), (proven, Ok(())), "a repeated request");
    let (late, result) = check_at(sent.clone(), &code, CODE_LIFE);
    assert_eq!((late, result), (sent, Err(CodeError::Over)));
}

#[test]
fn five_wrong_attempts_use_a_code_up() {
    let mut proof = send();
    let (code, wrong) = (code_of(&proof), wrong_code(&proof));
    for attempt in 1..=MAX_ATTEMPTS {
        let (next, result) = check_at(proof, &wrong, Duration::ZERO);
        let expected = if attempt < MAX_ATTEMPTS { CodeError::Wrong } else { CodeError::Over };
        assert_eq!(result, Err(expected), "{attempt}");
        proof = next;
    }
    assert_eq!(check_at(proof.clone(), &code, Duration::ZERO).1, Err(CodeError::Over));
    let again = request_at(&proof, "ana@example.com", CODE_WAIT).unwrap();
    let code = code_of(&again);
    assert_eq!(check_at(again, &code, CODE_WAIT).1, Ok(()), "a new code has new attempts");
}

#[rstest]
#[case::spaces("123 456", true)]
#[case::dash("123-456", true)]
#[case::arabic("\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}", true)]
#[case::persian("\u{6f1}\u{6f2}\u{6f3}\u{6f4}\u{6f5}\u{6f6}", true)]
#[case::wide("\u{ff11}\u{ff12}\u{ff13}\u{ff14}\u{ff15}\u{ff16}", true)]
#[case::short("12345", false)]
#[case::long("1234567", false)]
#[case::letters("12345a", false)]
#[case::empty("", false)]
fn code_is_read_as_people_type_it(#[case] typed: &str, #[case] is_code: bool) {
    let read = read_code(&Sensitive::new(typed));
    assert_eq!(read.as_ref().map(Sensitive::expose), is_code.then_some("123456"));
    if !is_code {
        let (proof, result) = check_at(send(), typed, Duration::ZERO);
        assert_eq!((proof, result), (send(), Err(CodeError::Digits)), "it is not an attempt");
    }
}

#[test]
fn code_of_another_visit_or_of_an_earlier_mail_is_wrong() {
    let first = send();
    let other = LinkSiteSessionId::from_bytes([2; 16]);
    let now = fixture::context().now().wall();
    let elsewhere = first.clone().check(&other, &Sensitive::new(code_of(&first)), &KEY, now);
    assert_eq!(elsewhere.1, Err(CodeError::Wrong));
    let second = request_at(&first, "ana@example.com", CODE_WAIT).unwrap();
    assert_ne!(code_of(&second), code_of(&first));
    assert_eq!(check_at(second, &code_of(&first), CODE_WAIT).1, Err(CodeError::Wrong));
}

#[test]
fn mailbox_of_the_last_code_waits_60_seconds() {
    let (first, soon) = (send(), CODE_WAIT - Duration::from_secs(1));
    for same in ["ana@example.com", "Ana+x@Example.com"] {
        assert_eq!(request_at(&first, same, soon), Err(CodeRequestError::TooSoon), "{same}");
    }
    let corrected = request_at(&first, "ana@example.org", Duration::from_secs(1)).unwrap();
    assert_eq!(corrected.sent_code().map(|it| (it.address.expose(), it.codes)), Some(("ana@example.org", 2)));
    let returned = request_at(&corrected, "ana@example.com", soon).unwrap();
    assert_eq!(returned.sent_code().map(|it| it.codes), Some(3), "the last code went to another mailbox");
}

#[test]
fn visit_has_four_codes() {
    let mut proof = AddressProof::NotAsked;
    for number in 1..=MAX_CODES {
        proof = request_at(&proof, "ana@example.com", CODE_WAIT * u32::from(number)).unwrap();
    }
    let late = CODE_WAIT * 10;
    assert_eq!(request_at(&proof, "ana@example.com", late), Err(CodeRequestError::TooMany));
    assert_eq!(request_at(&proof, "bo@example.com", late), Err(CodeRequestError::TooMany));
}

#[test]
fn visit_without_proof_and_proven_visit_get_no_code() {
    let proven = AddressProof::Proven { address: Sensitive::new("ana@example.com") };
    for proof in [AddressProof::NotNeeded, proven] {
        let refused = request_at(&proof, "bo@example.com", Duration::ZERO);
        assert_eq!(refused, Err(CodeRequestError::NotNeeded));
    }
    assert_eq!(check_at(AddressProof::NotAsked, "123456", Duration::ZERO).1, Err(CodeError::Missing));
}

#[test]
fn text_that_is_not_a_mailbox_gets_no_code() {
    for wrong in ["", "ana", "\"ana\"@example.com", "ana@[192.0.2.7]", "ana@exa mple.com"] {
        let refused = request_at(&AddressProof::NotAsked, wrong, Duration::ZERO);
        assert_eq!(refused, Err(CodeRequestError::Address), "{wrong}");
    }
    let international = request_at(&AddressProof::NotAsked, "ana@b\u{fc}cher.example", Duration::ZERO);
    assert!(international.is_ok());
}

#[test]
fn visit_without_a_working_code_and_another_one_is_used_up() {
    let mut proof = AddressProof::NotAsked;
    let at = |elapsed| fixture::context_after(elapsed).now().wall();
    for number in 1..=MAX_CODES {
        assert!(!proof.is_used_up(at(CODE_LIFE * 2)), "{number}");
        proof = request_at(&proof, "ana@example.com", CODE_WAIT * u32::from(number)).unwrap();
    }
    let last = CODE_WAIT * u32::from(MAX_CODES);
    assert!(!proof.is_used_up(at(last)), "the last code works");
    assert!(proof.is_used_up(at(last + CODE_LIFE)));
    let wrong = wrong_code(&proof);
    for _ in 1..=MAX_ATTEMPTS {
        assert!(!proof.is_used_up(at(last)));
        proof = check_at(proof, &wrong, last).0;
    }
    assert!(proof.is_used_up(at(last)));
}

#[test]
fn codes_use_at_most_half_of_the_limit_of_a_tenant() {
    let admit = |standing: CodeStanding| standing.admit(LIMITS);
    let unavailable = Err(CodeRequestError::Unavailable);
    assert_eq!(
        admit(CodeStanding { codes_today: 1, ..standing() }),
        Ok(Admission::HandOver { counts: true })
    );
    assert_eq!(admit(CodeStanding { codes_today: 2, ..standing() }), unavailable);
    assert_eq!(admit(CodeStanding { tenant_today: 4, ..standing() }), unavailable);
}

#[test]
fn codes_to_a_mailbox_have_a_third_of_its_limit() {
    let admit = |standing: CodeStanding| standing.admit(LIMITS);
    let after = |codes_to_mailbox_today| CodeStanding { codes_to_mailbox_today, ..standing() };
    assert_eq!(admit(after(1)), Ok(Admission::HandOver { counts: true }));
    assert_eq!(admit(after(2)), Err(CodeRequestError::Refused));
    let suppressed = CodeStanding { is_suppressed: true, ..standing() };
    assert_eq!(admit(suppressed), Err(CodeRequestError::Refused));
}

#[test]
fn sandbox_stores_codes_and_production_needs_a_server() {
    let sandbox = CodeStanding { mode: Mode::Sandbox, ..standing() };
    let without = CodeStanding { has_server: false, ..sandbox };
    assert_eq!(sandbox.admit(LIMITS), Ok(Admission::Keep));
    assert_eq!(without.admit(LIMITS), Ok(Admission::HandOver { counts: false }));
    let production = CodeStanding { has_server: false, ..standing() };
    assert_eq!(production.admit(LIMITS), Err(CodeRequestError::Unavailable));
    let suppressed = CodeStanding { is_suppressed: true, ..without };
    assert_eq!(suppressed.admit(LIMITS), Err(CodeRequestError::Refused), "a person who wants no mail");
    let allowed = CodeStanding { is_allowed: true, ..sandbox };
    let counted = [sandbox, without, production, suppressed, allowed, standing()].map(|it| it.is_counted());
    assert_eq!(counted, [false, false, false, false, true, true]);
}

#[test]
fn forgotten_address_must_be_proven_again() {
    let proven = AddressProof::Proven { address: Sensitive::new("ana@example.com") };
    assert_eq!(proven.forget(), AddressProof::NotAsked);
    assert_eq!(send().forget(), send());
    assert_eq!(AddressProof::NotNeeded.forget(), AddressProof::NotNeeded);
}

#[test]
fn settled_mail_of_an_earlier_code_keeps_the_next_one() {
    let first = send();
    let second = request_at(&first, "bo@example.com", Duration::from_secs(1)).unwrap();
    let hash = first.sent_code().unwrap().code_hash;
    assert!(first.mail_settled(&hash).sent_code().unwrap().mail.is_none());
    assert_eq!(second.clone().mail_settled(&hash), second);
}

#[test]
fn debug_output_hides_address_and_code() {
    let sent = send();
    let shown = format!("{sent:?}");
    assert!(!shown.contains("ana@") && !shown.contains(&code_of(&sent)), "{shown}");
}
