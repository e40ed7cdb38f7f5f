//! A login on the provider's own page.

use link_types::Sensitive;
use link_types::link::LinkPhase;
use rstest::rstest;
use url::Url;

use super::*;
use crate::change::job::JobKind;
use crate::linking::account_source::ProviderPage;
use crate::linking::withdrawal::Withdrawal;

const CALLBACK: &str = "https://hosted.example/sign-in/callback/mx_social_security";
const ISSUER: &str = "https://login.example";

fn asks_on_page() -> Step {
    let page = ProviderPage {
        url: "https://login.example/authorize?client_id=1&code_challenge=x".to_owned(),
        issuer: Some(ISSUER.to_owned()),
    };
    let challenge = PosedChallenge {
        kind: ChallengeKind::Redirect { address: link_types::challenge::RedirectAddress::default() },
        lasts: Some(Duration::from_secs(3_600)),
        check_after: None,
        extendable: false,
        resend: None,
        tries_left: None,
        wrong_answer: false,
        redirect: Some(page),
    };
    Step::Challenge { state: SourceState::new("verifier"), challenge }
}

fn after(seconds: u64) -> Context {
    fixture::context_after(Duration::from_secs(seconds))
}

fn waiting() -> Account {
    let mut context = after(0);
    let (account, _) = fixture::begin_account(&mut context);
    let input = step_input(&account, asks_on_page());
    account.apply(input, &mut context).unwrap().0
}

/// Returns the ticket that the widget shows.
fn ticket(account: &Account) -> RedirectTicket {
    let LinkPhase::Challenge { challenge } = account.progress(after(0).now()).phase else {
        panic!("no challenge is waiting");
    };
    let ChallengeKind::Redirect { address } = challenge.kind else { panic!("{:?}", challenge.kind) };
    RedirectTicket::parse(address.expose().strip_prefix(REDIRECT_PATH).unwrap()).unwrap()
}

fn leave(account: &Account) -> Departure {
    account.leave(&ticket(account), CALLBACK, after(0).now()).unwrap()
}

fn parameter(url: &Sensitive, wanted: &str) -> String {
    let url = Url::parse(url.expose()).unwrap();
    let (_, value) = url.query_pairs().find(|(name, _)| name == wanted).unwrap();
    value.into_owned()
}

fn come_back(departure: &Departure) -> Returned {
    Returned {
        provider_id: waiting().provider_id,
        state: RedirectState::parse(&parameter(&departure.url, "state")).unwrap(),
        browser: Some(departure.browser.clone()),
        issuer: Some(ISSUER.to_owned()),
        response: ProviderResponse::Code { code: Sensitive::new("code"), redirect_uri: CALLBACK.to_owned() },
    }
}

#[test]
fn ticket_leads_to_the_providers_page_and_back() {
    let account = waiting();
    let departure = leave(&account);
    assert!(departure.url.expose().starts_with("https://login.example/authorize?client_id=1&"));
    assert_eq!(parameter(&departure.url, "redirect_uri"), CALLBACK);
    let (account, change) = account.receive_redirect(come_back(&departure), &mut after(599)).unwrap();
    assert_eq!(change.events, vec![]);
    let (source, input) = account.link().unwrap().requested_step(requested_at_version(&account)).unwrap();
    assert_eq!(source, SourceState::new("verifier"));
    let code = Sensitive::new("code");
    assert_eq!(input, PendingInput::Redirect { code, redirect_uri: CALLBACK.to_owned() });
}

#[test]
fn state_works_once() {
    let account = waiting();
    let returned = come_back(&leave(&account));
    let (account, _) = account.receive_redirect(returned.clone(), &mut after(1)).unwrap();
    assert_eq!(account.receive_redirect(returned, &mut after(2)).unwrap_err(), RedirectError::Over);
}

#[test]
fn second_tab_works_until_one_comes_back() {
    let account = waiting();
    let first = leave(&account);
    let second = account.leave(&ticket(&account), CALLBACK, after(60).now()).unwrap();
    assert_ne!(parameter(&first.url, "state"), parameter(&second.url, "state"));
    // The cookie of the later tab replaces that of the first.
    let returned = Returned { browser: Some(second.browser), ..come_back(&first) };
    assert!(account.receive_redirect(returned, &mut after(70)).is_ok());
}

#[rstest]
#[case::expired(|it: Returned| it, 600, RedirectError::Expired)]
#[case::no_cookie(|it: Returned| Returned { browser: None, ..it }, 1, RedirectError::OtherBrowser)]
#[case::other_cookie(
    |it: Returned| Returned { browser: Some(Sensitive::new("other")), ..it }, 1, RedirectError::OtherBrowser
)]
#[case::other_callback(
    |it: Returned| Returned { provider_id: "mx_other".parse().unwrap(), ..it }, 1, RedirectError::OtherProvider
)]
#[case::no_issuer(|it: Returned| Returned { issuer: None, ..it }, 1, RedirectError::WrongIssuer)]
#[case::other_issuer(
    |it: Returned| Returned { issuer: Some("https://other.example".into()), ..it }, 1, RedirectError::WrongIssuer
)]
#[case::state_of_another_login(|it: Returned| Returned { state: come_back(&leave(&other())).state, ..it }, 1, RedirectError::Over)]
fn wrong_return_is_rejected_and_the_challenge_still_waits(
    #[case] change: fn(Returned) -> Returned,
    #[case] seconds: u64,
    #[case] expected: RedirectError,
) {
    let account = waiting();
    let returned = change(come_back(&leave(&account)));
    assert_eq!(account.clone().receive_redirect(returned, &mut after(seconds)).unwrap_err(), expected);
    assert!(account.leave(&ticket(&account), CALLBACK, after(seconds).now()).is_ok());
}

/// Returns another login at the same account, whose challenge has another secret.
fn other() -> Account {
    let mut context = after(3);
    let (account, _) = fixture::begin_account(&mut context);
    let input = step_input(&account, asks_on_page());
    account.apply(input, &mut context).unwrap().0
}

#[rstest]
#[case::refused("access_denied", LinkErrorCode::InvalidMfa, true)]
#[case::provider_down("temporarily_unavailable", LinkErrorCode::ServiceUnavailable, false)]
#[case::rejected_request("invalid_scope", LinkErrorCode::SystemError, false)]
fn error_of_the_provider_fails_the_link(
    #[case] error: &str,
    #[case] code: LinkErrorCode,
    #[case] declined: bool,
) {
    let account = waiting();
    let returned = Returned { response: ProviderResponse::from_error(error), ..come_back(&leave(&account)) };
    let (account, change) = account.receive_redirect(returned, &mut after(1)).unwrap();
    assert_eq!(data(&change.events[0], true)["errorCode"], code.as_str());
    let Some(LinkStep::Failed(failure)) = account.link().map(|it| &it.step) else { panic!("{account:?}") };
    assert_eq!((failure.code, failure.declined), (code, declined));
}

#[test]
fn ticket_ends_with_its_challenge() {
    let account = waiting();
    let ticket = ticket(&account);
    let late = account.leave(&ticket, CALLBACK, after(3_600).now());
    assert_eq!(late.unwrap_err(), RedirectError::Expired);
    let returned = come_back(&leave(&account));
    let (account, _) = account.receive_redirect(returned, &mut after(1)).unwrap();
    assert_eq!(account.leave(&ticket, CALLBACK, after(2).now()).unwrap_err(), RedirectError::Over);
}

#[test]
fn ticket_of_another_challenge_is_rejected() {
    let forged = RedirectTicket::parse(&format!("demo.s.{}.forged", waiting().id)).unwrap();
    assert_eq!(waiting().leave(&forged, CALLBACK, after(1).now()).unwrap_err(), RedirectError::Over);
    for text in ["", "demo.s", "demo.x.a-0192f0c1a2b37c4d8e5f60718293a4b5.x", "demo.s.a-1.x"] {
        assert_eq!(RedirectTicket::parse(text), None, "{text}");
    }
}

#[test]
fn debug_output_has_neither_ticket_nor_state_nor_code() {
    let account = waiting();
    let returned = come_back(&leave(&account));
    let shown = format!(
        "{:?}{:?}{returned:?}{:?}",
        ticket(&account),
        leave(&account),
        account.progress(after(0).now())
    );
    for secret in [returned.browser.unwrap().expose(), "\"code\"", "login.example/authorize"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

/// Returns an account that a login on the provider's page connected.
fn connect_on_page() -> Account {
    let account = exchanging();
    account.clone().apply(step_input(&account, connect()), &mut after(5)).unwrap().0
}

/// Returns a login whose code the connector is exchanging, at an account that is not connected.
fn exchanging() -> Account {
    let account = waiting();
    let returned = come_back(&leave(&account));
    let (account, _) = account.receive_redirect(returned, &mut after(1)).unwrap();
    let wait = Step::Wait { state: SourceState::new("exchanging"), for_at_least: Duration::from_secs(3) };
    account.clone().apply(step_input(&account, wait), &mut after(2)).unwrap().0
}

/// Submits another login at an account.
fn log_in_again(account: Account) -> Account {
    let mut context = after(20);
    let again = fixture::submission();
    account.apply(AccountInput::Submit(again), &mut context).unwrap().0
}

/// Returns the states whose access the provider is asked to end. Each has a job.
fn withdrawn_states(change: &Change) -> Vec<&str> {
    let mut states = Vec::new();
    for row in &change.rows {
        if let Row::Withdrawal(Withdrawal { account_id, number, state, .. }) = row {
            let job = JobKind::WithdrawAccess { account_id: account_id.clone(), number: *number };
            assert_eq!(change.jobs.iter().filter(|it| it.kind == job).count(), 1, "{number}");
            states.push(state.as_str());
        }
    }
    states
}

fn revoke(account: Account) -> Change {
    account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut after(30)).unwrap().1
}

#[test]
fn end_of_the_account_withdraws_the_access_at_the_provider() {
    assert_eq!(withdrawn_states(&revoke(connect_on_page())), ["session"]);
}

#[test]
fn end_of_a_link_withdraws_the_access_that_it_obtained() {
    assert_eq!(withdrawn_states(&revoke(exchanging())), ["exchanging"]);
    assert!(withdrawn_states(&revoke(waiting())).is_empty(), "the person has not come back");
    let mut late = after(86_500);
    let (_, removed) = exchanging().apply(AccountInput::Abandon, &mut late).unwrap();
    assert_eq!(withdrawn_states(&removed), ["exchanging"]);
}

#[test]
fn failed_link_withdraws_the_access_that_it_obtained_once() {
    let account = exchanging();
    let failed = Step::Failed { code: LinkErrorCode::ServiceUnavailable };
    let (account, change) = account.clone().apply(step_input(&account, failed), &mut after(5)).unwrap();
    assert_eq!(withdrawn_states(&change), ["exchanging"]);
    assert!(withdrawn_states(&revoke(account)).is_empty());
}

#[test]
fn end_during_another_login_withdraws_both_accesses() {
    let account = log_in_again(connect_on_page());
    let (account, _) = account.clone().apply(step_input(&account, asks_on_page()), &mut after(21)).unwrap();
    let departure = account.leave(&ticket(&account), CALLBACK, after(21).now()).unwrap();
    let (account, _) = account.receive_redirect(come_back(&departure), &mut after(22)).unwrap();
    assert_eq!(withdrawn_states(&revoke(account)), ["session", "verifier"]);
}

#[test]
fn login_with_a_form_withdraws_the_access_that_it_replaces() {
    let account = log_in_again(connect_on_page());
    let (account, change) = account.clone().apply(step_input(&account, connect()), &mut after(22)).unwrap();
    assert_eq!(withdrawn_states(&change), ["session"]);
    assert!(withdrawn_states(&revoke(account)).is_empty());
}

#[test]
fn login_with_a_form_has_no_access_to_withdraw() {
    let mut context = after(0);
    let (account, _) = fixture::begin_account(&mut context);
    let (account, _) = account.clone().apply(step_input(&account, connect()), &mut context).unwrap();
    let change = revoke(account);
    assert!(withdrawn_states(&change).is_empty());
    assert!(!change.jobs.iter().any(|it| matches!(it.kind, JobKind::WithdrawAccess { .. })));
}
