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
use link_domain::kernel::context::Context;
use link_domain::linking::account_source::SourceState;
use link_domain::linking::withdrawal::{WITHDRAWAL_LIFE, Withdrawal};
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::DeletionMode;
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

/// A service with one access that must be ended, and the bodies that its connector received.
struct Ending {
    service: TestService,
    received: Received,
    account_id: AccountId,
    _running: Running,
}

impl Ending {
    /// Starts a service, and ends an access in the same unit as `more`.
    async fn start(backend: Backend, more: fn(Tenant, &mut Context) -> Change) -> Self {
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
        let written = service.app.store.write(move |tx| -> ApiResult<()> {
            let mut context = context.clone();
            let tenant = tx.tenants().get(&owner.tenant)?.unwrap();
            let mut change = more(tenant, &mut context);
            change.jobs.push(Job::now(&owner, kind.clone(), &mut context));
            change.rows.push(Row::Withdrawal(withdrawal.clone()));
            tx.apply(&change, context.now())?;
            Ok(())
        });
        written.await.unwrap();
        Self { service, received, account_id, _running: running }
    }

    /// Waits until the row of the access is deleted. Returns what the connector received.
    async fn until_over(&self) -> Vec<Value> {
        let find = async || {
            let (owner, id) = (self.service.owner(), self.account_id.clone());
            let left = self.service.app.store.read(move |it| it.withdrawals().get(&owner, &id, 4)).await;
            let left = left.unwrap();
            if left.is_none() { Ok(()) } else { Err(format!("{left:?}")) }
        };
        wait::until_ok("the access is withdrawn", find).await;
        self.received.lock().unwrap().clone()
    }
}

#[rstest]
#[tokio::test]
async fn access_is_withdrawn_until_the_connector_succeeds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let ending = Ending::start(backend, |_, _| Change::default()).await;
    let asked = json!({ "providerId": PROVIDER, "state": "refresh-token" });
    assert_eq!(ending.until_over().await, [asked.clone(), asked]);
}

#[rstest]
#[tokio::test]
async fn access_of_a_moved_tenant_is_not_withdrawn(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let ending = Ending::start(backend, |tenant, context| {
        let name = tenant.name.clone();
        tenant.delete(&name, DeletionMode::Moved, context).unwrap().1
    })
    .await;
    assert_eq!(ending.until_over().await, Vec::<Value>::new());
}
