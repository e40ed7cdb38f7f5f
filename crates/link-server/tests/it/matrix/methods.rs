//! HEAD, OPTIONS and unsupported methods on every path.

use std::collections::BTreeMap;

use axum::http::Method;
use link_store::test_support::Backend;

use super::fixtures::Fixtures;
use super::operations::{Operation, Security};
use crate::service::{Answer, As};

#[tokio::test]
async fn every_path_answers_options_and_head() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let mut paths: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for operation in &fixtures.operations {
        paths.entry(&operation.path).or_default().push(operation);
    }
    for (template, operations) in paths {
        let path = fixtures.path_of(operations[0]);
        let asked =
            |method| fixtures.service.send_with(method, &path, As::Anonymous, &operations[0].headers, None);
        let options = asked(Method::OPTIONS).await;
        assert_eq!(options.status, 204, "OPTIONS {template}");
        let allowed = allowed(&options);
        for operation in &operations {
            assert!(allowed.contains(&operation.method), "{} {template}: {allowed:?}", operation.method);
        }
        assert!(allowed.contains(&Method::OPTIONS), "{template}: {allowed:?}");
        let never = asked(Method::TRACE).await;
        assert_eq!(never.status, 405, "TRACE {template}");
        assert_eq!(never.body["code"], "METHOD_NOT_ALLOWED", "{template}");
        assert!(self::allowed(&never).iter().all(|it| allowed.contains(it)), "{template}");
        if let Some(get) = operations.iter().find(|it| it.method == Method::GET) {
            assert!(allowed.contains(&Method::HEAD), "{template}: {allowed:?}");
            head_is_get(&fixtures, get, &fixtures.address_of(get)).await;
        }
    }
}

async fn head_is_get(fixtures: &Fixtures, get: &Operation, path: &str) {
    let caller = || match get.security {
        Security::Tenant => As::Tenant(&fixtures.service.sandbox),
        Security::Session => As::Session(&fixtures.session),
        Security::Public => As::Anonymous,
    };
    let whole = fixtures.service.send(Method::GET, path, caller(), None).await;
    let head = fixtures.service.send(Method::HEAD, path, caller(), None).await;
    assert_eq!((head.status, head.bytes.len()), (whole.status, 0), "HEAD {path}");
    assert_eq!(head.headers.get("content-type"), whole.headers.get("content-type"), "HEAD {path}");
    let limits =
        ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit", "ratelimit-policy"];
    for header in ["x-request-id"].iter().chain(&limits) {
        assert!(
            head.headers.contains_key(*header) && whole.headers.contains_key(*header),
            "{header} of {path}"
        );
    }
}

fn allowed(answer: &Answer) -> Vec<Method> {
    let allow = answer.headers.get("allow").unwrap_or_else(|| panic!("no Allow: {:?}", answer.headers));
    allow.to_str().unwrap().split(',').map(|it| it.trim().parse().unwrap()).collect()
}
