//! Idempotency of a POST that calls an external service after creating its resource.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Extension, Json, Router};
use link_domain::change::{Change, Row};
use link_domain::kernel::subject::Subject;
use link_domain::tenancy::user::User;
use link_server::app::App;
use link_server::http::extract::caller::TenantCaller;
use link_server::http::idempotency::{Begun, IdempotentResponse, mark_replayed};
use link_server::http::problem::{self, Problem};
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tower::ServiceExt as _;

use crate::service::{TestService, text};

/// An external service that answers only if the test permits it.
#[derive(Clone)]
struct ExternalService {
    asked: Arc<Semaphore>,
    permits: Arc<Semaphore>,
}

async fn ask(
    State(app): State<App>,
    Extension(external): Extension<ExternalService>,
    caller: TenantCaller,
) -> problem::ApiResult<Response> {
    let owner = caller.owner().clone();
    let begun = caller
        .begin(
            |_, _, _| Ok(false),
            move |_, context| {
                let (user, change) = User::create(owner.clone(), None, [].into(), context);
                let effect = IdempotentResponse::for_created(&user.view(), change)?
                    .about(Subject::User(user.id.clone()));
                Ok((effect, user))
            },
        )
        .await?;
    let user = match begun {
        Begun::Mine(user) => user,
        Begun::Responded(before) => return Ok(before),
        Begun::Open(id) => {
            let id = id.ok_or_else(Problem::missing)?.parse().map_err(Problem::system)?;
            let owner = caller.owner().clone();
            let user = app.store.read(move |reader| reader.users().get(&owner, &id)).await?;
            return Ok(mark_replayed(Json(user.ok_or_else(Problem::missing)?.view())));
        }
    };
    external.asked.add_permits(1);
    external.permits.acquire().await.map_err(Problem::system)?.forget();
    caller
        .settle(move |_, _| {
            let settled = User { reference: Some("settled".to_owned()), ..user.clone() };
            let effect =
                IdempotentResponse::for_created(&settled.view(), Change::row(Row::User(settled.clone())))?;
            Ok(effect.about(Subject::User(settled.id)))
        })
        .await
}

/// A service with a route that calls the external service.
struct Harness {
    service: TestService,
    router: Router,
    external: ExternalService,
}

impl Harness {
    async fn start(backend: Backend) -> Self {
        let service = TestService::start(backend).await;
        let external =
            ExternalService { asked: Arc::new(Semaphore::new(0)), permits: Arc::new(Semaphore::new(0)) };
        let router = Router::new()
            .route("/sandbox/v1/ask", post(ask))
            .layer(Extension(external.clone()))
            .with_state(service.app.clone());
        Self { service, router, external }
    }

    fn post(&self) -> JoinHandle<(u16, bool, Value)> {
        let authorization = format!("Basic {}", self.service.sandbox.basic);
        let request = Request::post("/sandbox/v1/ask").header(header::AUTHORIZATION, authorization);
        let request = request.header("idempotency-key", "k").body(Body::empty()).unwrap();
        let router = self.router.clone();
        tokio::spawn(async move {
            let response = router.oneshot(request).await.into_response();
            let replayed = response.headers().contains_key("idempotency-replayed");
            let status = response.status().as_u16();
            let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            (status, replayed, serde_json::from_slice(&bytes).unwrap())
        })
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_duplicate_waits_for_the_external_response(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let harness = Harness::start(backend).await;
    let first = harness.post();
    harness.external.asked.acquire().await.unwrap().forget();
    let duplicate = harness.post();
    harness.external.permits.add_permits(1);
    let (status, replayed, body) = first.await.unwrap();
    assert_eq!((status, replayed, &body["reference"]), (201, false, &json!("settled")));
    assert_eq!(duplicate.await.unwrap(), (201, true, body.clone()));
    assert_eq!(harness.post().await.unwrap(), (201, true, body));
    assert_eq!(harness.service.event_types().await, ["USER_CREATED"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_of_aborted_request_returns_the_current_state() {
    let harness = Harness::start(Backend::Sqlite).await;
    let first = harness.post();
    harness.external.asked.acquire().await.unwrap().forget();
    first.abort();
    let began = tokio::time::Instant::now();
    let (status, replayed, state) = harness.post().await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(4), "the retry waited for the first request");
    assert_eq!((status, replayed, &state["reference"]), (200, true, &Value::Null));
    let users = harness.service.get("/users").await.body["items"].clone();
    assert_eq!((users.as_array().unwrap().len(), text(&users[0]["id"])), (1, text(&state["id"])));
}
