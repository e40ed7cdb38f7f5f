//! The data that belongs to an address: the list, copies, and ending it.

use axum::http::{Method, Request, header};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::standing::{DeletionMode, MovedCopy};
use link_store::StoreError;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::{Value, json};

use super::{ANA, PROVIDER};
use crate::invites::html;
use crate::service::{As, TestService, secret, text};
use crate::uploads::{Uploader, channel_body, picture};

impl TestService {
    /// Changes the standing of the tenant as the operator's commands do.
    async fn stand(&self, state: &'static str) {
        let context = self.app.context(ClockOffset::default());
        let done: Result<(), StoreError> = self
            .app
            .store
            .write(move |tx| {
                let mut context = context.clone();
                let tenant = tx.tenants().get(&"demo".parse().unwrap())?.unwrap();
                let (now, name) = (context.now(), tenant.name.clone());
                let [export, import] = ["export", "import"].map(Digest32::from_text);
                let imported = DeletionMode::Imported(MovedCopy { export, import });
                let changed = match state {
                    "SUSPENDED" => tenant.suspend(now.wall()),
                    "MOVING" => tenant.begin_move(export, false, now.wall()),
                    "DELETED" => tenant.delete(&name, imported, &mut context),
                    _ => tenant.resume(now.wall()),
                };
                let mut change = changed.unwrap().1;
                // The erasure waits, so that the page has something to refuse.
                change.jobs.clear();
                tx.apply(&change, now)
            })
            .await;
        done.unwrap();
    }

    /// Opens a session of a known user on the tenant's own page.
    async fn session_of_user(&self, user: &Value) -> String {
        let path = format!("/tokens?userId={}", text(user));
        let token = self.send(Method::POST, &path, As::Tenant(&self.sandbox), None).await;
        assert_eq!(token.status, 201, "{:?}", token.body);
        let secret = secret();
        let opened = self.exchange(&text(&token.body["accessToken"]), &secret).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        secret
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn page_lists_what_was_given_through_links_to_its_mailbox(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = TestService::start(backend).await;
    let (_, of_ana) = service.visit_of(ANA).await;
    let anas = service.link_in(&of_ana).await;
    let archive =
        Uploader { service: &service, session: of_ana.clone() }.submit("PAYSLIP", &picture(1_000)).await;
    let (_, of_bo) = service.visit_of("bo@example.com").await;
    let bos = service.link_in(&of_bo).await;
    // The other tenant invites Ana too.
    let other = service.another_tenant().await;
    service.sandbox = other;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let form = json!({"form": {"name": "Loan", "reference": "loan", "fields": [
        {"name": "note", "label": "Note", "type": "TEXT", "required": false},
    ]}});
    assert_eq!(service.patch(&template, form).await.status, 200);
    let invite = service.mail_to("ANA@Example.com").await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    service.browse(Method::POST, "/visit/form", &cookie, Some("note=hello")).await;

    let list = service.list(&service.page_of(ANA).await).await;
    for shown in
        [&*anas, &*archive, "Demo Company", "Payslip", "Other", ">Loan<", "Sandbox: this is test data."]
    {
        assert!(list.contains(shown), "{shown}: {list}");
    }
    assert!(!list.contains(&bos), "{list}");
    assert!(list.contains("The text that you agreed to") && list.contains("Linchpin"), "{list}");
    let bo = service.list(&service.page_of("bo@example.com").await).await;
    assert!(bo.contains(&bos) && !bo.contains(&anas) && !bo.contains(">Loan<"), "{bo}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mistyped_address_shows_no_other_data_of_the_user() {
    let service = TestService::start(Backend::Sqlite).await;
    // The tenant means Bo, whose user it is, and mistypes the address: it is Ana's.
    let (invite, of_ana) = service.visit_of(ANA).await;
    let wrong = service.submit(&of_ana, PROVIDER, "nobody", "pass").await;
    let wrong = service.until_settled(&of_ana, &wrong).await;
    assert!(wrong["phase"].get("connected").is_none(), "{wrong}");
    let begun = text(&wrong["accountId"]);
    let cookie = service.page_of(ANA).await;
    assert!(service.list(&cookie).await.contains(&begun), "Ana began this account");
    // Bo continues on the tenant's own page, and links and uploads what is his.
    let of_bo = service.session_of_user(&invite["userId"]).await;
    let bos = service.link_in(&of_bo).await;
    let archive =
        Uploader { service: &service, session: of_bo.clone() }.submit("PAYSLIP", &picture(1_000)).await;
    let list = service.list(&cookie).await;
    assert!(!list.contains(&bos) && !list.contains(&archive), "{list}");
    for what in [&bos, &archive] {
        let copied = service.act("/me/copy", &cookie, what).await;
        assert_eq!(copied.status, 303, "{what}");
        service.act("/me/end", &cookie, what).await;
    }
    let account = service.get(&format!("/accounts/{bos}")).await.body;
    assert_eq!(account["connectionStatus"], "CONNECTED", "{account}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_disconnects_the_account_and_tells_the_tenant() {
    let service = TestService::start(Backend::Sqlite).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["ACCOUNT_DISCONNECTED"], "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let (_, session) = service.visit_of(ANA).await;
    let account = service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;

    let asked = service.act("/me/confirm", &cookie, &account).await;
    assert!(html(&asked).contains("Stop sharing with Demo Company?"), "{}", html(&asked));
    assert!(html(&asked).contains("Demo Company may have copied data before."));
    assert!(service.list(&cookie).await.contains(&account), "asking changes nothing");

    let ended = service.act("/me/end", &cookie, &account).await;
    assert!(html(&ended).contains("Your data is erased"), "{}", html(&ended));
    let received = receiver.until(1).await;
    assert_eq!(received.len(), 1);
    let ends = service.get("/events?type=ACCOUNT_DISCONNECTED").await.body["items"].clone();
    assert_eq!(ends[0]["data"]["reason"], "USER");
    assert_eq!(service.get(&format!("/accounts/{account}/payload")).await.status, 404);
    assert_eq!(service.get(&format!("/accounts/{account}")).await.body["connectionStatus"], "DISCONNECTED");
    let list = service.list(&cookie).await;
    assert!(!list.contains(&account) && list.contains("We hold no data"), "{list}");
    let again = service.act("/me/end", &cookie, &account).await;
    assert_eq!(again.status, 303, "a repeated request changes nothing");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn person_erases_nothing_while_the_company_moves(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (_, session) = service.visit_of(ANA).await;
    let account = service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    service.stand("SUSPENDED").await;
    assert_eq!(service.act("/me/confirm", &cookie, &account).await.status, 200, "suspended alone");
    service.stand("MOVING").await;
    for path in ["/me/confirm", "/me/end"] {
        let refused = service.act(path, &cookie, &account).await;
        assert_eq!(refused.status, 403, "{path}");
        assert!(html(&refused).contains("Please come back later"), "{}", html(&refused));
    }
    service.stand("ACTIVE").await;
    let path = format!("/accounts/{account}");
    assert_eq!(service.get(&path).await.body["connectionStatus"], "CONNECTED", "nothing was erased");
    let ended = service.act("/me/end", &cookie, &account).await;
    assert!(html(&ended).contains("Your data is erased"), "{}", html(&ended));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn person_erases_nothing_in_the_cell_that_the_company_left(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (_, session) = service.visit_of(ANA).await;
    let account = service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    for state in ["SUSPENDED", "MOVING", "DELETED"] {
        service.stand(state).await;
    }
    for path in ["/me/confirm", "/me/end"] {
        let refused = service.act(path, &cookie, &account).await;
        assert_eq!(refused.status, 403, "{path}");
        assert!(html(&refused).contains("Please come back later"), "{}", html(&refused));
    }
}

/// Lets a person open an invitation to a form with one text, and returns the cookie of the visit.
async fn visit_form(service: &TestService) -> String {
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let form = json!({"form": {"name": "Loan", "reference": "loan", "fields": [
        {"name": "note", "label": "Note", "type": "TEXT", "required": false},
    ]}});
    assert_eq!(service.patch(&template, form).await.status, 200);
    let invite = service.mail_to(ANA).await;
    service.enter(&text(&invite["landingPageUrl"])).await
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn form_that_a_move_overtakes_stores_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let cookie = visit_form(&service).await;
    let (sender, body) = channel_body();
    let request = Request::post("/visit/form")
        .header("host", service.app.settings.hosted_url.split_once("://").unwrap().1)
        .header(header::COOKIE, &cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(body);
    let moves = async {
        // The channel holds one piece, so the service reads the body when it takes a third one.
        for piece in ["note", "=", "hel"] {
            sender.send(Ok(piece.into())).await.unwrap();
        }
        service.stand("SUSPENDED").await;
        service.stand("MOVING").await;
        sender.send(Ok("lo".into())).await.unwrap();
        drop(sender);
    };
    let (refused, ()) = tokio::join!(service.send_raw(request.unwrap()), moves);
    assert_eq!(refused.status, 403, "{}", html(&refused));
    service.stand("ACTIVE").await;
    assert_eq!(service.get("/alpha/forms").await.body["items"], json!([]));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn erasing_everything_ends_accounts_archives_and_forms(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let cookie = visit_form(&service).await;
    service.browse(Method::POST, "/visit/form", &cookie, Some("note=hello")).await;
    let session = service.widget_of(&cookie).await;
    let account = service.link_in(&session).await;
    let archive =
        Uploader { service: &service, session: session.clone() }.submit("PAYSLIP", &picture(1_000)).await;

    let page = service.page_of(ANA).await;
    let asked = service.act("/me/confirm", &page, "all").await;
    assert!(html(&asked).contains("Erase what you gave to Demo Company?") && html(&asked).contains("Loan"));
    service.act("/me/end", &page, "all").await;
    assert_eq!(service.get(&format!("/accounts/{account}/payload")).await.status, 404);
    assert_eq!(service.get(&format!("/archives/{archive}/payload")).await.status, 404);
    assert_eq!(service.get("/alpha/forms").await.body["items"], json!([]));
    assert!(service.list(&page).await.contains("We hold no data"));
    let erased = service.app.store.read(|reader| reader.scopes().erasures_after("")).await.unwrap();
    assert!(erased.iter().any(|it| it.scope == account) && erased.iter().any(|it| it.scope == archive));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_the_user_empties_the_page() {
    let service = TestService::start(Backend::Sqlite).await;
    let (invite, session) = service.visit_of(ANA).await;
    service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    assert_eq!(service.delete(&format!("/users/{}", text(&invite["userId"]))).await.status, 204);
    assert!(service.list(&cookie).await.contains("We hold no data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_is_the_payload_without_other_accounts() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, session) = service.visit_of(ANA).await;
    let account = service.link_in(&session).await;
    let cookie = service.page_of(ANA).await;
    let copy = service.act("/me/copy", &cookie, &account).await;
    assert_eq!(copy.status, 200);
    let disposition = copy.headers[header::CONTENT_DISPOSITION].to_str().unwrap().to_owned();
    assert_eq!(disposition, format!("attachment; filename=\"{account}.json\""));
    assert_eq!(copy.headers[header::CACHE_CONTROL], "no-store");
    let mut payload = service.get(&format!("/accounts/{account}/payload")).await.body;
    assert_ne!(payload["employments"], Value::Null, "{payload}");
    payload["links"] = Value::Null;
    let copied: Value = serde_json::from_slice(&copy.bytes).unwrap();
    // The signed URLs of files differ by the time of the request.
    let without_files = |mut value: Value| {
        value["documents"] = Value::Null;
        value
    };
    assert_eq!(without_files(copied), without_files(payload));

    let form = format!("environment=demo/SANDBOX&what={account}&format=PDF");
    let pdf = service.browse(Method::POST, "/me/copy", &cookie, Some(&form)).await;
    assert!(pdf.bytes.starts_with(b"%PDF-"), "{:?}", pdf.headers);
    let stranger = service.browse(Method::POST, "/me/copy", "", Some(&form)).await;
    assert_eq!(stranger.status, 403);
}
