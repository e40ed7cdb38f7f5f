//! Every operation on one thing, for everybody whose thing it is not: there is no such thing.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use super::operations::{Operation, Security};
use super::things::Things;
use crate::service::As;

/// Providers are of the environment, not of a tenant or a person.
const EVERYBODYS: [&str; 2] = ["/providers/{id}", "/link/providers/{id}"];

#[tokio::test]
async fn what_is_another_tenants_or_the_other_environments_is_not_there() {
    for backend in Backend::ALL {
        let things = Things::make(backend).await;
        let stranger = things.service.another_tenant().await;
        let production = things.service.production.clone();
        let other_session = things.service.session().await;
        let mut cases = 0;
        for operation in things.operations.iter().filter(|it| it.has_id()) {
            if EVERYBODYS.contains(&operation.path.as_str()) {
                continue;
            }
            let body = things.body_of(operation);
            let (others, strange): (Vec<As<'_>>, As<'_>) = match operation.security {
                Security::Tenant => {
                    (vec![As::Tenant(&stranger), As::Tenant(&production)], As::Session(&things.session))
                }
                Security::Session => (vec![As::Session(&other_session)], As::Tenant(&things.service.sandbox)),
                Security::Anybody => panic!("{} asks nobody who they are", operation.path),
            };
            for other in others {
                assert_eq!(things.status(operation, other, body.as_ref()).await, 404, "{backend:?}");
                cases += 1;
            }
            assert_eq!(things.status(operation, strange, body.as_ref()).await, 401, "{backend:?}");
            cases += 1;
        }
        // It was all there, for its owner: nobody else changed or removed it either.
        for operation in things.operations.iter().filter(|it| it.has_id() && it.method == Method::GET) {
            let owner = match operation.security {
                Security::Tenant => As::Tenant(&things.service.sandbox),
                Security::Session => As::Session(&things.session),
                Security::Anybody => As::Nobody,
            };
            let status = things.status(operation, owner, None).await;
            assert_eq!(status, 200, "{} is its owner's on {backend:?}", operation.path);
            cases += 1;
        }
        assert!(cases > 200, "{cases} cases");
        eprintln!("tenancy: {cases} cases on {backend:?}");
    }
}

#[tokio::test]
async fn an_id_in_the_query_is_looked_for_among_the_callers_own() {
    let things = Things::make(Backend::Sqlite).await;
    let stranger = things.service.another_tenant().await;
    let id = |list: &str| things.id(list);
    for (method, path) in [
        (Method::POST, format!("/tokens?userId={}", id("/users"))),
        (Method::DELETE, format!("/accounts?id={}", id("/accounts"))),
    ] {
        for other in [&stranger, &things.service.production] {
            let answer = things.service.send(method.clone(), &path, As::Tenant(other), None).await;
            assert_eq!(answer.status, 404, "{method} {path}");
        }
    }
    // A list narrowed to somebody else's things is empty, as to things that never were.
    for operation in things.operations.iter().filter(|it| it.query.iter().any(|it| it == "userId")) {
        if operation.method == Method::GET && !operation.has_id() {
            let path = format!("{}?userId={}", operation.path, id("/users"));
            let theirs = things.service.send(Method::GET, &path, As::Tenant(&stranger), None).await;
            assert_eq!((theirs.status.as_u16(), &theirs.body["items"]), (200, &json!([])), "{path}");
        }
    }
}

impl Things {
    async fn status(&self, operation: &Operation, caller: As<'_>, body: Option<&Value>) -> u16 {
        let (path, headers) = (self.address_of(operation), &operation.headers);
        let answer = self.service.send_with(operation.method.clone(), &path, caller, headers, body).await;
        if answer.status.is_client_error() && operation.method != Method::HEAD {
            let kind = &answer.headers["content-type"];
            assert_eq!(kind, "application/problem+json", "{} {path}", operation.method);
        }
        let status = answer.status.as_u16();
        eprintln!("{} {path}: {status} {}", operation.method, answer.body["code"]);
        status
    }
}
