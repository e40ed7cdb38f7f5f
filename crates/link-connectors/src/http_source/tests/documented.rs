//! Runs the examples of docs/how-to/connectors.md: the service sends the documented requests and parses the documented
//! responses.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::data::provider_file::FileReference;
use link_domain::kernel::clock::TenantTime;
use link_domain::linking::account_source::{
    AccountSource as _, Credentials, FileRequest, PosedChallenge, ProviderPage, ReadOutcome, Resend,
    SourceInput, SourceState, Step,
};
use link_domain::linking::withdrawal::WithdrawRequest;
use link_domain::lookups::record_source::{Outcome, Queried};
use link_types::archive::FileFormat;
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::data::DataPointKind;
use link_types::format::FieldFormat;
use link_types::{LinkErrorCode, Sensitive};
use serde_json::Value;

use super::super::protocol_document;
use super::super::signature::{SignedResponse, SigningKey};
use super::inquiries::{record, signal};
use super::stub::{Stub, StubResponse};
use super::{HttpSource, NONCE, PROVIDER, SECONDS, SECRET, read, source, step};

const GUIDE: &str = include_str!("../../../../../docs/how-to/connectors.md");
const REDIRECT_GUIDE: &str = include_str!("../../../../../docs/how-to/redirect-logins.md");

/// Returns the code block of the guide whose fence has this text.
fn example(says: &str) -> &'static str {
    example_in(GUIDE, says)
}

fn example_in(guide: &'static str, says: &str) -> &'static str {
    let fence = format!("```{says}\n");
    let begins = guide.find(&fence).unwrap_or_else(|| panic!("no example {says}")) + fence.len();
    let rest = &guide[begins..];
    rest[..rest.find("```").unwrap()].trim_end()
}

fn json(text: impl AsRef<[u8]>) -> Value {
    serde_json::from_slice(text.as_ref()).unwrap()
}

/// Calls a connector that responds with the operation's example, and compares the request with the example.
async fn exchange_example<T>(operation: &str, act: impl AsyncFnOnce(&HttpSource) -> T) -> T {
    let stub = Stub::start([StubResponse::ok(example(&format!("json {operation} answer")))]).await;
    let done = act(&source(&stub.url)).await;
    let asked = stub.requests().remove(0);
    let method = if operation == "providers" { "GET" } else { "POST" };
    assert_eq!(asked.line, format!("{method} /linchpin/v1/{operation} HTTP/1.1"));
    if operation != "providers" {
        assert_eq!(json(&asked.body), json(example(&format!("json {operation} request"))));
    }
    done
}

#[tokio::test]
async fn providers_example_is_parsed() {
    let known = exchange_example("providers", async |source: &HttpSource| {
        source.renew_providers().await;
        source.providers()
    })
    .await;
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].id.as_str(), PROVIDER);
    assert!(known[0].mfa && known[0].login_required);
}

#[tokio::test]
async fn start_example_matches() {
    let values = [("username", "lucia"), ("password", "a password")];
    let values = values.map(|(name, value)| (name.to_owned(), Sensitive::new(value)));
    let credentials = Credentials(BTreeMap::from(values));
    let input = SourceInput::LogIn { login_option: Some("username".to_owned()), credentials };
    let step = exchange_example("start", async |source: &HttpSource| step(source, "", input).await).await;
    let challenge = PosedChallenge {
        kind: ChallengeKind::OneTimeCode {
            channel: CodeChannel::Sms,
            destination: Some("•••• 0142".to_owned()),
            format: FieldFormat::Digits { min: 6, max: 6 },
        },
        lasts: Some(Duration::from_secs(300)),
        check_after: None,
        extendable: false,
        resend: Some(Resend { after: Duration::from_secs(30), channels: vec![CodeChannel::Sms] }),
        tries_left: Some(3),
        wrong_answer: false,
        redirect: None,
    };
    assert_eq!(step, Step::Challenge { state: SourceState::new("{\"session\":\"5b1c\"}"), challenge });
}

#[tokio::test]
async fn redirect_examples_match() {
    let (asked_state, url) = {
        let shown = json(example_in(REDIRECT_GUIDE, "json redirect answer"));
        let redirect = shown["challenge"]["kind"]["redirect"].clone();
        (shown["state"].as_str().unwrap().to_owned(), redirect["url"].as_str().unwrap().to_owned())
    };
    let stub = Stub::start([StubResponse::ok(example_in(REDIRECT_GUIDE, "json redirect answer"))]).await;
    let input = SourceInput::LogIn {
        login_option: Some("username".to_owned()),
        credentials: Credentials(BTreeMap::new()),
    };
    let Step::Challenge { state, challenge } = step(&source(&stub.url), "", input).await else {
        panic!("no challenge")
    };
    assert_eq!((state.as_str(), challenge.lasts), (asked_state.as_str(), Some(Duration::from_secs(600))));
    let issuer = Some("https://login.provider.example".to_owned());
    assert_eq!(challenge.redirect, Some(ProviderPage { url, issuer }));

    let stub = Stub::start([StubResponse::ok(example("json step answer"))]).await;
    let input = SourceInput::AnswerRedirect {
        code: Sensitive::new("SplxlOBeZQQYbYS6WxSbIA"),
        redirect_uri: "https://hosted.example/sign-in/callback/mx_aurora_portal".to_owned(),
    };
    step(&source(&stub.url), &asked_state, input).await;
    let sent = json(&stub.requests().remove(0).body);
    assert_eq!(sent, json(example_in(REDIRECT_GUIDE, "json redirect request")));
}

#[tokio::test]
async fn revoke_example_matches() {
    let stub = Stub::start([StubResponse::ok(example_in(REDIRECT_GUIDE, "json revoke answer"))]).await;
    let (provider_id, state) =
        (PROVIDER.parse().unwrap(), SourceState::new("{\"refreshToken\":\"8xLOxBtZp8\"}"));
    let request = WithdrawRequest { provider_id: &provider_id, state: &state };
    assert_eq!(source(&stub.url).withdraw(request).await, Ok(()));
    let asked = stub.requests().remove(0);
    assert_eq!(asked.line, "POST /linchpin/v1/revoke HTTP/1.1");
    assert_eq!(json(&asked.body), json(example_in(REDIRECT_GUIDE, "json revoke request")));
}

#[tokio::test]
async fn step_example_matches() {
    let input = SourceInput::AnswerText { text: Sensitive::new("480112") };
    let act = async |source: &HttpSource| step(source, "{\"session\":\"5b1c\"}", input).await;
    let step = exchange_example("step", act).await;
    assert_eq!(step, Step::Connected { state: SourceState::new("{\"session\":\"77d0\"}") });
}

#[tokio::test]
async fn fetch_example_matches() {
    let act = async |source: &HttpSource| read(source, "{\"session\":\"77d0\"}", None).await;
    let read = exchange_example("fetch", act).await;
    assert_eq!(read.outcome, ReadOutcome::Complete);
    let kinds: Vec<_> = read.batch.bodies.iter().map(|it| it.kind()).collect();
    use DataPointKind::*;
    assert_eq!(kinds, [Identities, Documents, Employments, Contributions, Contributions]);
    let files: Vec<_> = read.batch.files.iter().map(|it| it.reference.as_str()).collect();
    assert_eq!(files, ["/constancia#AP-202510"]);
}

#[tokio::test]
async fn document_example_matches() {
    let (provider_id, state) = (PROVIDER.parse().unwrap(), SourceState::new("{\"session\":\"77d0\"}"));
    let reference = FileReference::new("/constancia#AP-202510").unwrap();
    let act = async |source: &HttpSource| {
        source.file(FileRequest { provider_id: &provider_id, state: &state, reference: &reference }).await
    };
    let file = exchange_example("document", act).await.unwrap().unwrap();
    assert_eq!((file.format(), file.as_slice()), (FileFormat::Pdf, b"%PDF-1.7\n".as_slice()));
}

#[tokio::test]
async fn refresh_example_matches() {
    let last = Some(TenantTime::from_micros((SECONDS - 30 * 86_400) * 1_000_000));
    let act = async |source: &HttpSource| read(source, "{\"session\":\"77d0\"}", last).await;
    let read = exchange_example("refresh", act).await;
    assert_eq!(read.outcome, ReadOutcome::Failed { code: LinkErrorCode::ExpiredCredentials });
}

#[tokio::test]
async fn record_example_matches() {
    let queried = exchange_example("record", async |source: &HttpSource| record(source, None).await).await;
    let Queried::Waiting { task, after } = queried else { panic!("{queried:?}") };
    assert_eq!((task.as_str(), after), ("5b1c", Duration::from_secs(5)));
    let stub = Stub::start([StubResponse::ok(example("json record/5b1c answer"))]).await;
    let queried = record(&source(&stub.url), Some("5b1c")).await;
    let Queried::Ended(Outcome::Success(result)) = queried else { panic!("{queried:?}") };
    assert_eq!(result.nss, "00000000142");
    assert_eq!(stub.requests()[0].line, "GET /linchpin/v1/record/5b1c HTTP/1.1");
}

#[tokio::test]
async fn signal_example_matches() {
    let queried = exchange_example("signal", async |source: &HttpSource| signal(source, None).await).await;
    let Queried::Ended(Outcome::Success(found)) = queried else { panic!("{queried:?}") };
    let known: Vec<_> = found.0.iter().filter(|it| it.value.is_some()).map(|it| it.name.as_str()).collect();
    let expected = ["registered", "employed", "monthsInJob", "employers60Months", "contributionWeeks"];
    assert_eq!(known, expected);
}

#[tokio::test]
async fn signature_examples_match() {
    let stub = Stub::start([StubResponse::ok(example("json step answer"))]).await;
    let input = SourceInput::AnswerText { text: Sensitive::new("480112") };
    step(&source(&stub.url), "{\"session\":\"5b1c\"}", input).await;
    let asked = stub.requests().remove(0);
    let lines: Vec<_> = example("text signatures").lines().filter_map(|it| it.split_once(": ")).collect();
    let shown = |name: &str| lines.iter().find(|(it, _)| *it == name).map(|(_, it)| *it);
    assert_eq!(shown("secret"), Some(SECRET));
    assert_eq!(shown("Linchpin-Timestamp"), asked.header("linchpin-timestamp"));
    assert_eq!(shown("Linchpin-Nonce"), asked.header("linchpin-nonce"));
    assert_eq!(shown("request body").map(str::as_bytes), Some(asked.body.as_slice()));
    assert_eq!(shown("request's Linchpin-Signature"), asked.header("linchpin-signature"));
    let body = shown("answer body").unwrap().as_bytes();
    let signed = SigningKey::new(Sensitive::new(SECRET)).sign_response(SignedResponse {
        nonce: NONCE,
        status: 200,
        body,
    });
    assert_eq!(shown("answer's Linchpin-Signature"), Some(signed.as_str()));
}

/// Checks that every field of every message is in the guide.
#[test]
fn every_message_field_is_documented() {
    let document = serde_json::to_value(protocol_document()).unwrap();
    let mut fields = Vec::new();
    for (schema, body) in document["components"]["schemas"].as_object().unwrap() {
        let own = body["properties"].as_object().into_iter().flat_map(|it| it.keys().cloned());
        fields.extend(own.map(|field| (schema.clone(), field)));
    }
    assert!(fields.len() > 100, "{}", fields.len());
    let missing: Vec<_> = fields.iter().filter(|(_, field)| !GUIDE.contains(&format!("`{field}`"))).collect();
    assert_eq!(missing, Vec::<&(String, String)>::new());
}
