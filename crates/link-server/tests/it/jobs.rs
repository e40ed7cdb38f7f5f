//! Expiry jobs of the running worker.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind};
use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::Mode;
use link_types::id::AccountId;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::service::{As, TestService, secret, text};

const A_MONTH: Duration = Duration::from_secs(30 * 86_400);

#[tokio::test]
async fn early_account_expiry_job_is_rescheduled() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    // The provider has no continuous sync, whose job would be due sooner.
    let progress = service.submit(&session, "ph_sahod_payroll", "good", "pass").await;
    let linked = service.until_settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let account_id: AccountId = text(&linked["accountId"]).parse().unwrap();

    // Both jobs are due at once, as if the clock had run ahead when they were scheduled.
    let mut context = service.app.context(Default::default());
    let tenants =
        service.app.store.read(|reader| -> ApiResult<_> { Ok(reader.tenants().list()?) }).await.unwrap();
    let owner = Owner { tenant: tenants[0].id.clone(), mode: Mode::Sandbox };
    let long_ago = TenantTime::from_micros(context.now().wall().micros()) - Duration::from_secs(60);
    let kinds = [
        JobKind::ExpireAccount { account_id: account_id.clone() },
        JobKind::RemovePending { account_id: account_id.clone() },
    ];
    let jobs = kinds.map(|kind| Job::due(&owner, kind, long_ago, &mut context)).into();
    let change = Change { jobs, ..Change::default() };
    let now = context.now();
    service.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();

    wait::until_ok("both jobs have run", async || {
        let keys = [format!("expire/{account_id}"), format!("pending/{account_id}")];
        let owner = owner.clone();
        let found = service
            .app
            .store
            .read(move |reader| -> ApiResult<_> { Ok(keys.map(|key| reader.jobs().get(&owner, &key))) });
        let now = service.app.now(Default::default()).tenant();
        let due = found.await.unwrap().map(|job| job.unwrap().map(|job| job.due_at));
        match due {
            [Some(expires), pending] if expires > now + A_MONTH && pending.is_none_or(|it| it > now) => {
                Ok(())
            }
            _ => Err(format!("{due:?}")),
        }
    })
    .await;
}

#[tokio::test]
async fn task_list_filters_by_user_source_and_status() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "partial", "pass").await;
    service.until_settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let account = service.get("/accounts").await.body["items"][0].clone();
    let (id, user) = (text(&account["id"]), text(&account["userId"]));

    let task = service.get("/tasks").await.body["items"][0].clone();
    assert_eq!(
        task,
        json!({
            "id": task["id"], "type": "LINK_ACCOUNT", "userId": user, "sourceId": id, "sourceType": "ACCOUNT",
            "providers": ["mx_social_security"], "status": "PARTIAL", "errorCode": "SERVICE_UNAVAILABLE",
            "datapoints": ["IDENTITIES", "EMPLOYMENTS", "LINKS", "INSIGHTS"],
            "startedAt": task["startedAt"], "finishedAt": task["finishedAt"],
        })
    );
    let path = format!("/tasks/{}", text(&task["id"]));
    assert_eq!(service.get(&path).await.body, task);
    let elsewhere = service.send(Method::GET, &path, As::Tenant(&service.production), None).await;
    assert_eq!(elsewhere.status, 404);

    let found = async |query: &str| {
        let listed = service.get(&format!("/tasks?{query}")).await;
        assert_eq!(listed.status, 200, "{query} {}", listed.body);
        listed.body["items"].as_array().unwrap().len()
    };
    let day = text(&task["startedAt"])[..10].to_owned();
    for (query, count) in [
        (format!("userId={user}"), 1),
        (format!("sourceId={id}"), 1),
        ("sourceId=a-00000000000000000000000000000000".to_owned(), 0),
        ("status=PARTIAL".to_owned(), 1),
        ("status=STARTED".to_owned(), 0),
        (format!("userId={user}&sourceId={id}&status=PARTIAL&startDate={day}&endDate={day}"), 1),
        ("endDate=2020-01-01".to_owned(), 0),
    ] {
        assert_eq!(found(&query).await, count, "{query}");
    }
    let refused = service.get("/tasks?status=DONE&odd=1&sourceId=x").await;
    let fields: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    assert_eq!(
        (refused.status.as_u16(), fields),
        (422, vec!["sourceId".to_owned(), "status".to_owned(), "odd".to_owned()])
    );
}

#[tokio::test]
async fn duplicate_json_field_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let tenant = format!("Basic {}", service.sandbox.basic);
    let widget = format!("Bearer {session}");
    for (path, caller, body, field) in [
        ("/users", &tenant, r#"{"reference":"a","reference":"b"}"#, "reference"),
        ("/users", &tenant, r#"{"reference":"a","refe\u0072ence":"b"}"#, "reference"),
        ("/users", &tenant, r#"{"externalMetadata":{"a":"1","a":"1"}}"#, "externalMetadata.a"),
        ("/link/events", &widget, r#"{"events":[],"events":[]}"#, "events"),
        ("/link/sessions", &widget, r#"{"token":"a","token":"b"}"#, "token"),
    ] {
        let request = Request::post(format!("/sandbox/v1{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, caller)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .unwrap();
        let refused = service.send_raw(request).await;
        assert_eq!(refused.status, 422, "{path} {body}");
        let errors = refused.body["errors"].as_array().unwrap();
        let named = errors.iter().find(|it| it["field"] == field).unwrap_or_else(|| panic!("{errors:?}"));
        assert_eq!(text(&named["message"]), "given more than once");
    }
}

#[tokio::test]
async fn request_with_two_hosts_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    for (target, hosts, expected) in [
        ("/openapi.json", &["localhost:8787"][..], 200),
        ("http://localhost:8787/openapi.json", &["LOCALHOST:8787"][..], 200),
        ("/openapi.json", &["localhost:8787", "localhost:8787"][..], 400),
        ("/openapi.json", &["localhost:8787", "evil.example"][..], 400),
        ("http://evil.example/openapi.json", &["localhost:8787"][..], 400),
        ("http://localhost:8787/openapi.json", &["evil.example"][..], 400),
    ] {
        let hosts: String = hosts.iter().map(|it| format!("Host: {it}\r\n")).collect();
        let request = format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        client.read_to_end(&mut response).await.unwrap();
        let status = std::str::from_utf8(&response[9..12]).unwrap();
        assert_eq!(status, expected.to_string(), "{request}");
    }
}

/// Wraps a file store and holds its writes.
pub struct HeldFiles {
    files: Arc<dyn FileStore>,
    /// Whether writes may continue.
    pub open: watch::Sender<bool>,
    /// How many writes have begun.
    pub begun: watch::Sender<u32>,
}

impl HeldFiles {
    pub fn over(files: Arc<dyn FileStore>, open: bool) -> Arc<Self> {
        Arc::new(Self { files, open: watch::Sender::new(open), begun: watch::Sender::new(0) })
    }

    /// Waits until `writes` writes have begun.
    pub async fn until_begun(&self, writes: u32) {
        self.begun.subscribe().wait_for(|begun| *begun >= writes).await.unwrap();
    }
}

impl FileStore for HeldFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(async move {
            self.begun.send_modify(|begun| *begun += 1);
            self.open.subscribe().wait_for(|open| *open).await.unwrap();
            self.files.put(name, bytes).await
        })
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        self.files.get(name)
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.files.delete(name)
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.files.delete_all(prefix)
    }

    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        self.files.list(prefix)
    }
}
