//! Requests that a phone may not send, and the ends of its access.

use axum::extract::FromRequestParts as _;
use link_server::http::extract::session_caller::SessionCaller;
use link_types::problem::ProblemCode;

use super::*;
use crate::sealed::{assert_absent, each_file, log};

async fn state_of(service: &TestService, secret: &str) -> u16 {
    service.send(Method::GET, "/link/session", As::Session(secret), None).await.status.as_u16()
}

async fn take_back(service: &TestService, computer: &str) -> Value {
    let ended = service.send(Method::DELETE, "/link/handoff", As::Session(computer), None).await;
    assert_eq!(ended.status, 200, "{:?}", ended.body);
    ended.body["phase"].clone()
}

#[tokio::test]
async fn phone_sees_and_does_nothing_but_its_step() {
    let service = TestService::start(Backend::Sqlite).await;
    let (computer, asked) = start_challenge(&service).await;
    let uploads = Uploader { service: &service, session: computer.clone() };
    let archive = uploads.archive("PAYSLIP").await;
    let phone = phone(&service, &computer, &challenge_of(&service, &asked).await).await;
    let session = service.send(Method::GET, "/link/session", As::Session(&phone), None).await.body;
    assert_eq!(session["attempt"]["archives"], json!([]), "the document is not the step");

    let account = text(&asked["accountId"]);
    let login = service.login(&phone, "mx_social_security", "good", "pass").await;
    let place = json!({"consent": null, "providerId": null, "loginOption": null, "archiveType": null});
    let confirmation = json!({"confirmation": "x"});
    let survey = json!({"employer": "Agrícola", "searched": null});
    let subject = json!({"subject": {"upload": {"archiveType": "PAYSLIP"}}});
    for (method, path, body) in [
        (Method::POST, "/link/accounts", Some(&login)),
        (Method::PUT, "/link/attempt", Some(&place)),
        (Method::GET, "/link/linked", None),
        (Method::POST, "/link/survey", Some(&survey)),
        (Method::POST, "/link/handoff", Some(&subject)),
        (Method::GET, "/link/handoff", None),
        (Method::DELETE, "/link/handoff", None),
        (Method::POST, &*format!("/link/accounts/{account}/revocation"), None),
        (Method::POST, &*format!("/link/accounts/{account}/revoke"), Some(&confirmation)),
        (Method::POST, &*format!("/link/archives/{archive}/revocation"), None),
        (Method::POST, &*format!("/link/archives/{archive}/revoke"), Some(&confirmation)),
    ] {
        let refused = service.send(method.clone(), path, As::Session(&phone), body).await;
        assert_eq!(refusal(&refused), (409, "CONFLICT".to_owned()), "{method} {path}");
    }
    for (method, path) in [
        (Method::GET, format!("/link/archives/{archive}")),
        (Method::POST, format!("/link/archives/{archive}/submit")),
        (Method::DELETE, format!("/link/archives/{archive}")),
    ] {
        let refused = service.send(method.clone(), &path, As::Session(&phone), None).await;
        assert_eq!(refused.status, 404, "{method} {path}: the document is not the step");
    }
    let widget = Uploader { service: &service, session: phone };
    assert_eq!(widget.try_archive("BANK_STATEMENT").await.status, 409, "another kind of document");
    assert_eq!(widget.announce(&archive, "PAGE", 500, None).await.status, 404);
}

#[tokio::test]
async fn phone_that_uploads_reaches_no_account_and_no_other_document() {
    let service = TestService::start(Backend::Sqlite).await;
    let (computer, asked) = start_challenge(&service).await;
    let account = text(&asked["accountId"]);
    let uploads = Uploader { service: &service, session: computer.clone() };
    let (own, other) = (uploads.archive("PAYSLIP").await, uploads.archive("BANK_STATEMENT").await);
    let phone = phone(&service, &computer, &UPLOAD).await;
    for (path, status) in [
        (format!("/link/accounts/{account}"), 404),
        (format!("/link/archives/{other}"), 404),
        (format!("/link/archives/{own}"), 200),
    ] {
        let response = service.send(Method::GET, &path, As::Session(&phone), None).await;
        assert_eq!(response.status, status, "{path}");
    }
}

#[tokio::test]
async fn phone_gets_no_consent_of_the_computer() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = Uploader::new(&service).await;
    let place = json!({"consent": computer.receipt(), "archiveType": "PAYSLIP"});
    assert_eq!(computer.send(Method::PUT, "/link/attempt", Some(&place)).await.status, 204);
    let token = token(&service, &computer.session, &UPLOAD).await;
    let session = secret();
    let scanned = scan(&service, &token, &session).await.body;
    let phone = Uploader { service: &service, session };
    let loaded = phone.send(Method::GET, "/link/session", None).await.body;
    for seen in [&scanned, &loaded] {
        let place = &seen["attempt"]["place"];
        assert_eq!((&place["consent"], &place["archiveType"]), (&Value::Null, &json!("PAYSLIP")), "{seen}");
    }
    let own = phone.archive("PAYSLIP").await;
    assert_eq!(phone.upload(&own, "PAGE", &picture(9_000)).await.status, 204);
    take_back(&service, &computer.session).await;
    let submit = format!("/link/archives/{own}/submit");
    let refused = computer.send(Method::POST, &submit, None).await;
    assert_eq!(refusal(&refused), (409, "CONSENT_REQUIRED".to_owned()), "it was given on the phone");
    let consent = json!({"consent": computer.receipt()});
    let submitted = computer.send(Method::POST, &submit, Some(&consent)).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
}

#[rstest]
#[tokio::test]
async fn continue_here_ends_the_access_of_the_phone(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let computer = service.session().await;
    let phone = phone(&service, &computer, &UPLOAD).await;
    let request = Request::get("/sandbox/v1/").header(header::AUTHORIZATION, format!("Bearer {phone}"));
    let (mut parts, ()) = request.body(()).unwrap().into_parts();
    let caller = SessionCaller::from_request_parts(&mut parts, &service.app).await.unwrap();
    assert!(caller.write(|_| Ok(())).await.is_ok() && caller.uses_again().await.is_ok());

    assert_eq!(take_back(&service, &computer).await, json!({"ended": {}}));
    assert_eq!((state_of(&service, &phone).await, state_of(&service, &computer).await), (401, 200));
    // A request that was authenticated before writes nothing.
    let refused = caller.write(|_| -> ApiResult<()> { panic!("the unit of work ran") }).await.unwrap_err();
    assert_eq!(refused.code(), ProblemCode::InvalidToken);
    assert_eq!(caller.uses_again().await.unwrap_err().code(), ProblemCode::InvalidToken);
}

#[tokio::test]
async fn new_code_ends_the_former_code_and_its_phone() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let former = token(&service, &computer, &UPLOAD).await;
    let first = phone(&service, &computer, &UPLOAD).await;
    assert_eq!(refusal(&scan(&service, &former, &secret()).await), (401, "INVALID_TOKEN".to_owned()));
    let second = phone(&service, &computer, &UPLOAD).await;
    assert_eq!((state_of(&service, &first).await, state_of(&service, &second).await), (401, 200));
}

#[tokio::test]
async fn end_of_the_session_ends_the_phone_but_not_vice_versa() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let phone = phone(&service, &computer, &UPLOAD).await;
    let left = service.send(Method::DELETE, "/link/session", As::Session(&phone), None).await;
    assert_eq!((left.status.as_u16(), state_of(&service, &phone).await), (204, 401));
    assert_eq!(
        (phase(&service, &computer).await, state_of(&service, &computer).await),
        ("ended".into(), 200)
    );

    let phone = super::phone(&service, &computer, &UPLOAD).await;
    let unused = token(&service, &service.session().await, &UPLOAD).await;
    let closed = service.send(Method::DELETE, "/link/session", As::Session(&computer), None).await;
    assert_eq!((closed.status.as_u16(), state_of(&service, &phone).await), (204, 401));
    assert_eq!(scan(&service, &unused, &secret()).await.status, 201, "another session is unaffected");
}

#[tokio::test]
async fn code_of_an_ended_session_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let token = token(&service, &computer, &UPLOAD).await;
    service.send(Method::DELETE, "/link/session", As::Session(&computer), None).await;
    assert_eq!(refusal(&scan(&service, &token, &secret()).await), (401, "TOKEN_EXPIRED".to_owned()));
}

#[tokio::test]
async fn computer_and_phone_that_answer_together_do_not_both_count() {
    let service = TestService::start(Backend::Sqlite).await;
    let (computer, asked) = start_challenge(&service).await;
    let phone = phone(&service, &computer, &challenge_of(&service, &asked).await).await;
    let path = format!("/link/accounts/{}/answer", text(&asked["accountId"]));
    let challenge = &asked["phase"]["challenge"]["challenge"];
    let mut statuses = Vec::new();
    for session in [&phone, &computer] {
        let answer = service.sealer(session).await.answer(challenge, "1234");
        let body = json!({"challengeId": challenge["id"], "answer": answer});
        let answered = service.send(Method::POST, &path, As::Session(session), Some(&body)).await;
        statuses.push(answered.status.as_u16());
    }
    assert_eq!(statuses, [200, 409]);
}

#[rstest]
#[tokio::test]
async fn phone_only_reads_after_its_challenge_was_answered(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (computer, asked) = start_challenge(&service).await;
    let step = challenge_of(&service, &asked).await;
    let late = token(&service, &computer, &step).await;
    let linked = service.answer(&computer, &asked, "1234").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    assert_eq!(refusal(&scan(&service, &late, &secret()).await), (401, "TOKEN_EXPIRED".to_owned()));

    let (computer, asked) = start_challenge(&service).await;
    let phone = phone(&service, &computer, &challenge_of(&service, &asked).await).await;
    let path = format!("/link/accounts/{}", text(&asked["accountId"]));
    let linked = service.answer(&computer, &asked, "1234").await;
    let shown = service.send(Method::GET, &path, As::Session(&phone), None).await;
    assert_eq!((shown.status.as_u16(), &shown.body["phase"]), (200, &linked["phase"]));
    let challenge = &asked["phase"]["challenge"]["challenge"];
    let answer = service.sealer(&phone).await.answer(challenge, "1234");
    let answer = json!({"challengeId": challenge["id"], "answer": answer});
    let resend = json!({"challengeId": challenge["id"], "channel": "SMS"});
    let extend = json!({"challengeId": challenge["id"]});
    for (end, body) in [("answer", &answer), ("resend", &resend), ("extend", &extend)] {
        let act = format!("{path}/{end}");
        let refused = service.send(Method::POST, &act, As::Session(&phone), Some(body)).await;
        assert_eq!(refusal(&refused), (401, "INVALID_TOKEN".to_owned()), "{end}");
    }
    let events = json!({"opening": "phone-0001", "events": [
        {"seq": 1, "eventName": "HandoffPageOpened", "afterMs": 5},
    ]});
    let told = service.send(Method::POST, "/link/events", As::Session(&phone), Some(&events)).await;
    assert_eq!(told.status, 204, "the last page reports its events: {:?}", told.body);

    // The person signs in again on the computer, which is another step.
    let again = service.submit(&computer, "mx_social_security", "mfa-otp", "pass").await;
    assert_eq!(again["accountId"], asked["accountId"]);
    service.until_settled(&computer, &again).await;
    for (method, path, body) in
        [(Method::GET, path.as_str(), None), (Method::POST, "/link/events", Some(&events))]
    {
        let refused = service.send(method, path, As::Session(&phone), body).await;
        assert_eq!(refusal(&refused), (401, "INVALID_TOKEN".to_owned()), "{path}");
    }
    assert_eq!(phase(&service, &computer).await, "finished");
}

#[tokio::test]
async fn phone_renews_the_session_until_its_step_was_decided() {
    let clock = Arc::new(TestClock::default());
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, |parts| parts.ports.clock = Arc::clone(&clock) as _)
            .await;
    let (computer, asked) = start_challenge(&service).await;
    let phone = phone(&service, &computer, &challenge_of(&service, &asked).await).await;
    let most = SLIDING_LIFE - Duration::from_secs(60);
    let path = format!("/link/accounts/{}", text(&asked["accountId"]));
    let shown = async || service.send(Method::GET, &path, As::Session(&phone), None).await.status.as_u16();
    let waits = format!("{path}?after=1000&wait=100");
    assert_eq!(shown().await, 200);
    service.answer(&phone, &asked, "1234").await;
    clock.advance(most);
    assert_eq!(shown().await, 200);
    let waited = service.send(Method::GET, &waits, As::Session(&phone), None).await;
    assert_eq!(waited.status, 200, "{:?}", waited.body);
    clock.advance(most);
    assert_eq!((shown().await, state_of(&service, &computer).await), (401, 401), "it has expired");
}

#[tokio::test]
async fn phone_may_leave_after_its_challenge_was_answered() {
    let service = TestService::start(Backend::Sqlite).await;
    let (computer, asked) = start_challenge(&service).await;
    let phone = phone(&service, &computer, &challenge_of(&service, &asked).await).await;
    service.answer(&phone, &asked, "1234").await;
    let left = service.send(Method::DELETE, "/link/session", As::Session(&phone), None).await;
    assert_eq!((left.status.as_u16(), state_of(&service, &phone).await), (204, 401));
    assert_eq!(phase(&service, &computer).await, "finished");
}

#[tokio::test]
async fn submission_on_the_computer_ends_the_access_of_the_phone() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = Uploader::new(&service).await;
    let archive = computer.archive("PAYSLIP").await;
    let phone = phone(&service, &computer.session, &UPLOAD).await;
    assert_eq!(computer.upload(&archive, "PAGE", &picture(9_000)).await.status, 204);
    let submitted = computer.send(Method::POST, &format!("/link/archives/{archive}/submit"), None).await;
    assert_eq!(submitted.status, 200, "{:?}", submitted.body);
    assert_eq!(state_of(&service, &phone).await, 401);
    assert_eq!(phase(&service, &computer.session).await, "finished");
}

#[tokio::test]
async fn request_of_a_phone_that_ended_meanwhile_reports_nothing() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let phone = phone(&service, &computer, &UPLOAD).await;
    let request = Request::get("/sandbox/v1/").header(header::AUTHORIZATION, format!("Bearer {phone}"));
    let (mut parts, ()) = request.body(()).unwrap().into_parts();
    let caller = SessionCaller::from_request_parts(&mut parts, &service.app).await.unwrap();
    take_back(&service, &computer).await;
    let refused = caller.report(|_| -> ApiResult<()> { panic!("the unit of work ran") }).await.unwrap_err();
    assert_eq!(refused.code(), ProblemCode::InvalidToken);
}

#[tokio::test]
async fn phone_uses_up_neither_rate_nor_events_of_the_computer() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 60.try_into().unwrap();
        });
    })
    .await;
    let computer = service.session().await;
    let first = phone(&service, &computer, &UPLOAD).await;
    let events = |opening: String| {
        let event = |seq| json!({"seq": seq, "eventName": "HandoffPageOpened", "afterMs": 5});
        json!({"opening": opening, "events": (1..=99).map(event).collect::<Vec<_>>()})
    };
    let mut told = Vec::new();
    for number in 0..21 {
        let batch = events(format!("opening-{number}"));
        told.push(service.send(Method::POST, "/link/events", As::Session(&first), Some(&batch)).await.status);
    }
    assert_eq!(told.iter().filter(|status| **status == 204).count(), 20, "{told:?}");
    let batch = events("the-computer".to_owned());
    let own = service.send(Method::POST, "/link/events", As::Session(&computer), Some(&batch)).await;
    assert_eq!(own.status, 204, "{:?}", own.body);

    // Another code gives a phone no further rate.
    let mut last = 200;
    for phone in [&first, &super::phone(&service, &computer, &UPLOAD).await] {
        for _ in 0..60 {
            last = state_of(&service, phone).await;
        }
    }
    assert_eq!((last, state_of(&service, &computer).await), (429, 200));
}

#[rstest]
#[tokio::test]
async fn erased_user_leaves_no_hand_off(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let (user, link_token) = service.user().await;
    let computer = secret();
    assert_eq!(service.exchange(&link_token, &computer).await.status, 201);
    let code = token(&service, &computer, &UPLOAD).await;
    let (hash, phone) = (Digest32::from_text(&code), secret());
    assert_eq!(scan(&service, &code, &phone).await.status, 201);
    assert_eq!(service.delete(&format!("/users/{user}")).await.status, 204);
    let left = service.app.store.read(move |reader| reader.link_handoffs().by_token(&hash)).await;
    assert_eq!((left.unwrap(), state_of(&service, &phone).await), (None, 401));
}

#[tokio::test]
async fn tokens_and_secrets_reach_neither_log_nor_storage() {
    let service = TestService::start(Backend::Sqlite).await;
    let computer = service.session().await;
    let (token, phone) = (token(&service, &computer, &UPLOAD).await, secret());
    assert_eq!(scan(&service, &token, &phone).await.status, 201);
    assert_eq!(scan(&service, &token, &secret()).await.status, 401);
    let offered = ask(&service, &computer, &json!({"upload": {"archiveType": "PAYSLIP"}})).await;
    let drawn = text(&offered.body["picture"]).split_off(60);
    let log = log().text();
    for needle in [token.as_str(), phone.as_str(), drawn.as_str()] {
        assert_absent("the log", log.as_bytes(), needle);
        each_file(service.database.folder(), &mut |path, bytes| {
            assert_absent(&path.display().to_string(), &bytes, needle);
        });
    }
}
