//! Tenants that the operator suspends, resumes and deletes.

use axum::http::Method;
use link_store::test_support::Backend;
use link_store::test_support::tenants::rows_of_tenant;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::clock::link_account;
use crate::console::audit::Socket;
use crate::link_sites::site;
use crate::service::{As, TestResponse, TestService, secret, text};
use crate::uploads::{Uploader, picture};

const TENANT: &str = "demo";

async fn order(socket: &Socket, request: Value) -> Value {
    let response = socket.ask(request).await;
    assert!(response["refused"].is_null(), "{response}");
    response["done"].clone()
}

async fn suspend(socket: &Socket) {
    let done = order(socket, json!({"suspendTenant": {"tenant": TENANT}})).await;
    assert_eq!(done["state"], "SUSPENDED");
}

async fn resume(socket: &Socket) {
    assert_eq!(order(socket, json!({"resumeTenant": {"tenant": TENANT}})).await["state"], "ACTIVE");
}

fn is_suspended(response: &TestResponse) -> bool {
    response.status == 403 && response.body["code"] == "TENANT_SUSPENDED"
}

#[rstest]
#[tokio::test]
async fn suspended_tenant_is_refused_until_it_is_resumed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let socket = Socket::listen(&service);
    let other = service.another_tenant().await;
    let (_, token) = service.user().await;
    let session = service.session().await;
    let made = service.post("/alpha/linkSites", site(&service, "loans")).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let hosted = service.post("/linkSessions", json!({"templateId": service.sandbox.template})).await;
    assert_eq!(hosted.status, 201, "{:?}", hosted.body);
    let address = text(&hosted.body["url"]);
    let exchange = service.exchange_of(&token, &secret());

    suspend(&socket).await;
    assert!(is_suspended(&service.get("/users").await), "a key");
    let get_session = async || service.send(Method::GET, "/link/session", As::Session(&session), None).await;
    assert!(is_suspended(&get_session().await), "a session");
    let exchanged = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&exchange)).await;
    assert!(is_suspended(&exchanged), "a link token: {:?}", exchanged.body);
    let page = service.browse(Method::GET, "/s/loans", "", None).await;
    let shown = String::from_utf8_lossy(&page.bytes).into_owned();
    assert!(page.status == 403 && shown.contains("Please come back later"), "{} {shown}", page.status);
    for method in [Method::GET, Method::POST] {
        assert_eq!(service.browse(method, &address, "", Some("")).await.status, 403, "a hosted link");
    }
    assert_eq!(service.send(Method::GET, "/users", As::Tenant(&other), None).await.status, 200);
    let again = socket.ask(json!({"suspendTenant": {"tenant": TENANT}})).await;
    assert_eq!(again["refused"], "the tenant is already suspended");

    resume(&socket).await;
    assert_eq!(service.get("/users").await.status, 200);
    assert_eq!(get_session().await.status, 200);
    let exchanged = service.send(Method::POST, "/link/sessions", As::Anonymous, Some(&exchange)).await;
    assert_eq!(exchanged.status, 201, "{:?}", exchanged.body);
    assert_eq!(service.browse(Method::GET, "/s/loans", "", None).await.status, 200);
    let link = service.get(&format!("/linkSessions/{}", text(&hosted.body["id"]))).await;
    assert_eq!(link.body["status"], "CREATED", "the address was not used up");
}

#[rstest]
#[tokio::test]
async fn events_of_a_suspended_tenant_wait_until_it_is_resumed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let socket = Socket::listen(&service);
    let other = service.another_tenant().await;
    let [own, of_other] = [Receiver::start(&[]).await, Receiver::start(&[]).await];
    for (keys, receiver) in [(&service.sandbox, &own), (&other, &of_other)] {
        let hook =
            json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
        let made = service.send(Method::POST, "/webhooks", As::Tenant(keys), Some(&hook)).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
    }
    suspend(&socket).await;
    for tenant in [TENANT, "other"] {
        order(
            &socket,
            json!({"fireEvent": {"tenant": tenant, "event_type": "USER_CREATED", "user_id": null}}),
        )
        .await;
    }
    of_other.until(1).await;
    assert_eq!(own.requests().len(), 0, "the event of a suspended tenant was delivered");
    resume(&socket).await;
    own.until(1).await;
}

#[tokio::test]
async fn login_of_a_suspended_tenant_goes_on_after_it_is_resumed() {
    let service = TestService::start(Backend::Sqlite).await;
    let socket = Socket::listen(&service);
    let id = link_account(&service, "good").await;
    let path = format!("/accounts/{id}");
    suspend(&socket).await;
    resume(&socket).await;
    assert_eq!(service.get(&path).await.body["connectionStatus"], "CONNECTED");
    link_account(&service, "good").await;
}

#[rstest]
#[tokio::test]
async fn deleted_tenant_leaves_only_its_audit_log_and_its_bill(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let socket = Socket::listen(&service);
    let other = service.another_tenant().await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant"});
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    assert_eq!(service.post("/alpha/linkSites", site(&service, "loans")).await.status, 201);
    link_account(&service, "good").await;
    Uploader::new(&service).await.submit("PAYSLIP", &picture(5_000)).await;
    order(&socket, json!({"inviteOwner": {"tenant": TENANT, "email": "owner@shop.example"}})).await;
    let files = async || service.app.ports.files.list("archives").await.unwrap().len();
    assert!(files().await > 0);

    let delete =
        |name: &str, now: bool| json!({"deleteTenant": {"tenant": TENANT, "name": name, "now": now}});
    let refused = socket.ask(delete("Other", true)).await;
    assert_eq!(refused["refused"], "the name is not that of the tenant");
    let deleted = order(&socket, delete("Demo Company", false)).await;
    assert!(deleted["state"] == "DELETED" && deleted["eraseAt"].is_string(), "{deleted}");
    assert_eq!(deleted["isRouted"], true, "this cell responds that the tenant is stopped");
    assert!(is_suspended(&service.get("/users").await));
    resume(&socket).await;
    assert_eq!(service.get("/users").await.body["items"].as_array().map(Vec::len), Some(2));

    order(&socket, delete("Demo Company", true)).await;
    wait::until_ok("the tenant is erased", async || {
        let tenants = order(&socket, json!({"listTenants": {}})).await;
        let demo = tenants.as_array().unwrap().iter().find(|it| it["id"] == TENANT).unwrap().clone();
        if demo["state"] == "ERASED" { Ok(()) } else { Err(demo) }
    })
    .await;
    let left = rows_of_tenant(&service.app.store, TENANT).await.unwrap();
    // Jobs look for objects of interrupted writes for 10 minutes.
    let kept = ["audit_chains", "audit_events", "audit_outbox", "billing_events", "jobs"];
    assert!(left.keys().all(|table| kept.contains(&table.as_str())), "{left:?}");
    wait::until("the objects of the deleted tenant are gone", async || files().await == 0).await;
    assert!(is_suspended(&service.get("/users").await) || service.get("/users").await.status == 401);
    assert_eq!(service.send(Method::GET, "/users", As::Tenant(&other), None).await.status, 200);
    order(&socket, json!({"verifyAudit": {"tenant": TENANT}})).await;
    let again = socket.ask(json!({"createTenant": {"id": TENANT, "name": "New"}})).await;
    assert!(text(&again["refused"]).contains("already exists"), "{again}");
    let resumed = socket.ask(json!({"resumeTenant": {"tenant": TENANT}})).await;
    assert!(text(&resumed["refused"]).contains("cannot be undone"), "{resumed}");
}
