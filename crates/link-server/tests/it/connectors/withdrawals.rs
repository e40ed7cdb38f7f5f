//! Accesses that the provider is asked to end, and a connector that first cannot.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use link_connectors::http_source::signature::{SignedResponse, SigningKey};
use link_domain::change::job::{Job, JobKind};
use link_domain::change::{Change, Row};
use link_domain::linking::account_source::SourceState;
use link_domain::linking::withdrawal::{WITHDRAWAL_LIFE, Withdrawal};
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::id::AccountId;
use link_types::{Mode, Sensitive};
use rstest::rstest;
use serde_json::{Value, json};

use super::{PROVIDER, Running, SECRET, anywhere, configure, empty_catalog};
use crate::service::TestService;

/// The bodies that the connector received.
type Received = Arc<Mutex<Vec<Value>>>;

/// Returns a connector that fails once.
fn connector(received: Received) -> Router {
    let revoke = async move |headers: HeaderMap, body: Bytes| -> Response {
        let mut received = received.lock().unwrap();
        received.push(serde_json::from_slice(&body).unwrap());
        if received.len() == 1 {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let nonce = headers["linchpin-nonce"].to_str().unwrap();
        let signed = SignedResponse { nonce, status: 200, body: b"{}" };
        let signature = SigningKey::new(Sensitive::new(SECRET)).sign_response(signed);
        ([("linchpin-signature", signature)], "{}").into_response()
    };
    Router::new()
        .route("/linchpin/v1/providers", get(async |headers: HeaderMap| empty_catalog(&headers)))
        .route("/linchpin/v1/revoke", post(revoke))
}

#[rstest]
#[tokio::test]
async fn access_is_withdrawn_until_the_connector_succeeds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let received = Received::default();
    let running = Running::start(anywhere(), connector(Arc::clone(&received))).await;
    let url = running.url();
    let service = TestService::start_with(backend, |settings| {
        settings.connectors = vec![configure(Mode::Sandbox, &url, PROVIDER)];
    })
    .await;
    let (owner, account_id) = (service.owner(), AccountId::from_bytes([7; 16]));
    let context = service.app.context(Default::default());
    let withdrawal = Withdrawal {
        account_id: account_id.clone(),
        number: 4,
        owner: owner.clone(),
        provider_id: PROVIDER.parse().unwrap(),
        state: SourceState::new("refresh-token"),
        ends_at: context.now().tenant() + WITHDRAWAL_LIFE,
    };
    let kind = JobKind::WithdrawAccess { account_id: account_id.clone(), number: 4 };
    let written = service.app.store.write({
        let owner = owner.clone();
        move |tx| -> ApiResult<()> {
            let mut context = context.clone();
            let jobs = vec![Job::now(&owner, kind.clone(), &mut context)];
            let rows = vec![Row::Withdrawal(withdrawal.clone())];
            tx.apply(&Change { rows, jobs, ..Change::default() }, context.now())?;
            Ok(())
        }
    });
    written.await.unwrap();
    let find = async || {
        let (owner, id) = (owner.clone(), account_id.clone());
        let left = service.app.store.read(move |it| it.withdrawals().get(&owner, &id, 4)).await.unwrap();
        if left.is_none() { Ok(()) } else { Err(format!("{left:?}")) }
    };
    wait::until_ok("the access is withdrawn", find).await;
    let asked = json!({ "providerId": PROVIDER, "state": "refresh-token" });
    assert_eq!(*received.lock().unwrap(), [asked.clone(), asked]);
}
