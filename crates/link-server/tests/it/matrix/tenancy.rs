//! Every operation on a resource returns 404 to callers who do not own it.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use super::fixtures::Fixtures;
use super::{Operation, Security};
use crate::service::As;

/// Providers belong to the environment, not to a tenant or a user.
const SHARED: [&str; 2] = ["/providers/{id}", "/link/providers/{id}"];

#[tokio::test]
async fn resources_of_other_tenants_and_environments_are_404() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let other_tenant = fixtures.service.another_tenant().await;
    let production = fixtures.service.production.clone();
    let other_session = fixtures.service.session().await;
    let mut cases = 0;
    for operation in fixtures.operations.iter().filter(|it| it.has_id()) {
        if SHARED.contains(&operation.path.as_str()) {
            continue;
        }
        let body = fixtures.body_of(operation);
        let (others, strange): (Vec<As<'_>>, As<'_>) = match operation.security {
            Security::Tenant => {
                (vec![As::Tenant(&other_tenant), As::Tenant(&production)], As::Session(&fixtures.session))
            }
            Security::Session => (vec![As::Session(&other_session)], As::Tenant(&fixtures.service.sandbox)),
            Security::Public => panic!("{} does not authenticate", operation.path),
        };
        for other in others {
            assert_eq!(fixtures.status(operation, other, body.as_ref()).await, 404);
            cases += 1;
        }
        assert_eq!(fixtures.status(operation, strange, body.as_ref()).await, 401);
        cases += 1;
    }
    // The owner still sees every resource: no other caller changed or deleted one.
    for operation in fixtures.operations.iter().filter(|it| it.has_id() && it.method == Method::GET) {
        let owner = match operation.security {
            Security::Tenant => As::Tenant(&fixtures.service.sandbox),
            Security::Session => As::Session(&fixtures.session),
            Security::Public => As::Anonymous,
        };
        let status = fixtures.status(operation, owner, None).await;
        assert_eq!(status, 200, "{} is visible to its owner", operation.path);
        cases += 1;
    }
    assert!(cases > 200, "{cases} cases");
    eprintln!("tenancy: {cases} cases");
}

#[tokio::test]
async fn query_ids_of_other_tenants_are_not_found() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let other_tenant = fixtures.service.another_tenant().await;
    let id = |list: &str| fixtures.id(list);
    for (method, path) in [
        (Method::POST, format!("/tokens?userId={}", id("/users"))),
        (Method::DELETE, format!("/accounts?id={}", id("/accounts"))),
    ] {
        for other in [&other_tenant, &fixtures.service.production] {
            let response = fixtures.service.send(method.clone(), &path, As::Tenant(other), None).await;
            assert_eq!(response.status, 404, "{method} {path}");
        }
    }
    // Lists filtered by another tenant's user are empty, as for an unknown user.
    for operation in fixtures.operations.iter().filter(|it| it.query.iter().any(|it| it == "userId")) {
        let is_file = operation.path.ends_with("/export");
        if operation.method == Method::GET && !operation.has_id() && !is_file {
            let path = format!("{}?userId={}", operation.path, id("/users"));
            let theirs = fixtures.service.send(Method::GET, &path, As::Tenant(&other_tenant), None).await;
            assert_eq!((theirs.status.as_u16(), &theirs.body["items"]), (200, &json!([])), "{path}");
        }
    }
}

impl Fixtures {
    async fn status(&self, operation: &Operation, caller: As<'_>, body: Option<&Value>) -> u16 {
        let (path, headers) = (self.address_of(operation), &operation.headers);
        let response = self.service.send_with(operation.method.clone(), &path, caller, headers, body).await;
        if response.status.is_client_error() && operation.method != Method::HEAD {
            let kind = &response.headers["content-type"];
            assert_eq!(kind, "application/problem+json", "{} {path}", operation.method);
        }
        let status = response.status.as_u16();
        eprintln!("{} {path}: {status} {}", operation.method, response.body["code"]);
        status
    }
}
