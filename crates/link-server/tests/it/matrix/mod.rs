//! Sends every kind of invalid request to every operation of the router. Each response must be a 4xx problem document
//! that names all errors.

mod bodies;
pub mod fixtures;
mod methods;
pub mod operations;
mod repeats;
mod tenancy;

use axum::body::Body;
use axum::http::{Method, Request};
use link_store::test_support::Backend;
use serde_json::{Map, Value, json};

use self::bodies::names;
use self::fixtures::Fixtures;
use self::operations::{Operation, Security};
use crate::service::{Answer, As, Keys, text};

/// A service with one resource of each kind, and the number of cases so far.
struct Matrix {
    fixtures: Fixtures,
    cases: usize,
}

#[tokio::test]
async fn every_invalid_request_returns_a_problem_naming_the_fault() {
    let mut matrix = Matrix { fixtures: Fixtures::make(Backend::Sqlite).await, cases: 0 };
    for operation in matrix.fixtures.operations.clone() {
        matrix.wrong_callers(&operation).await;
        matrix.wrong_addresses(&operation).await;
        if let Some(schema) = operation.body.clone() {
            matrix.wrong_bodies(&operation, &schema).await;
        }
    }
    assert!(matrix.cases > 300, "{} cases", matrix.cases);
    eprintln!("matrix: {} cases", matrix.cases);
}

impl Matrix {
    async fn case(
        &mut self,
        operation: &Operation,
        path: &str,
        caller: As<'_>,
        body: Option<&Value>,
    ) -> Answer {
        let headers = &operation.headers;
        let answer =
            self.fixtures.service.send_with(operation.method.clone(), path, caller, headers, body).await;
        self.check(operation, path, body, &answer);
        answer
    }

    fn check(&mut self, operation: &Operation, path: &str, body: Option<&Value>, answer: &Answer) {
        self.cases += 1;
        let what = format!("{} {path} {body:?} -> {} {}", operation.method, answer.status, answer.body);
        assert!(answer.status.is_client_error(), "{what}");
        assert_eq!(answer.headers["content-type"], "application/problem+json", "{what}");
        if operation.method == Method::HEAD {
            return;
        }
        assert_eq!(answer.body["status"], answer.status.as_u16(), "{what}");
        assert_eq!(answer.headers["x-request-id"].to_str().unwrap(), answer.body["requestId"], "{what}");
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("c4n4ry"), "a value is echoed: {what}");
    }

    async fn wrong_callers(&mut self, operation: &Operation) {
        let path = self.fixtures.path_of(operation);
        let (sandbox, production) =
            (self.fixtures.service.sandbox.clone(), self.fixtures.service.production.clone());
        let session = self.fixtures.session.clone();
        let wrong: Vec<As<'_>> = match operation.security {
            Security::Tenant => vec![As::Anonymous, As::Session(&session)],
            Security::Session => vec![As::Anonymous, As::Tenant(&sandbox), As::Session("c4n4ry")],
            Security::Public => vec![],
        };
        for caller in wrong {
            let answer = self.case(operation, &path, caller, None).await;
            assert_eq!(answer.status, 401, "{} {path}", operation.method);
        }
        if operation.security == Security::Tenant {
            // The production key at the sandbox's base URL.
            let crossed = Keys { base: sandbox.base, ..production };
            let answer = self.case(operation, &path, As::Tenant(&crossed), None).await;
            assert_eq!(answer.status, 401, "{} {path}", operation.method);
        }
    }

    async fn wrong_addresses(&mut self, operation: &Operation) {
        let path = self.fixtures.path_of(operation);
        let (sandbox, session) = (self.fixtures.service.sandbox.clone(), self.fixtures.session.clone());
        let mine = match operation.security {
            Security::Session => As::Session(&session),
            Security::Tenant => As::Tenant(&sandbox),
            Security::Public => return,
        };
        let body = operation.body.is_some().then(|| json!({}));
        if operation.has_id() {
            let segments =
                operation.path.split('/').map(|it| if it.starts_with('{') { "c4n4ry" } else { it });
            let nonsense = segments.collect::<Vec<_>>().join("/");
            let answer = self.case(operation, &nonsense, mine.clone(), body.as_ref()).await;
            assert_eq!(answer.status, 404, "{nonsense}");
        }
        let unknown = format!("{path}?odd=1");
        let answer = self.case(operation, &unknown, mine.clone(), body.as_ref()).await;
        let is_named = names(&answer, "odd") || operation.method == Method::HEAD;
        assert!(answer.status == 422 && is_named, "{} {unknown} {}", operation.method, answer.body);
        for name in &operation.query {
            let wrong = format!("{path}?{name}=c4n4ry%00");
            let answer = self.case(operation, &wrong, mine.clone(), body.as_ref()).await;
            assert_eq!(answer.status, 422, "{wrong}");
            assert!(names(&answer, name), "{wrong} {}", answer.body);
        }
    }

    async fn wrong_bodies(&mut self, operation: &Operation, schema: &Value) {
        let path = self.fixtures.path_of(operation);
        let (sandbox, session) = (self.fixtures.service.sandbox.clone(), self.fixtures.session.clone());
        let caller = || match operation.security {
            Security::Session => As::Session(&session),
            Security::Tenant => As::Tenant(&sandbox),
            Security::Public => As::Anonymous,
        };
        let schema = self.fixtures.bodies.resolve(schema).clone();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let required: Vec<String> = schema["required"].as_array().into_iter().flatten().map(text).collect();
        self.unreadable(operation, &path, caller(), required.is_empty()).await;

        if !required.is_empty() {
            let with_unknown = format!("{path}?odd=1");
            let answer = self.case(operation, &with_unknown, caller(), Some(&json!({}))).await;
            let all = required.iter().map(String::as_str).chain(["odd"]);
            assert!(all.into_iter().all(|it| names(&answer, it)), "all at once: {}", answer.body);
        }
        let mut all_wrong = Map::new();
        for (name, property) in &properties {
            let mut body = self.fixtures.bodies.smallest(&schema);
            body[name] = self.fixtures.bodies.wrong_type(property);
            all_wrong.insert(name.clone(), body[name].clone());
            let answer = self.case(operation, &path, caller(), Some(&body)).await;
            assert_eq!(answer.status, 422, "{path} {body}");
            assert!(names(&answer, name), "{path} {body} {}", answer.body);
            if let Some(long) = self.fixtures.bodies.too_long(property) {
                let mut body = self.fixtures.bodies.smallest(&schema);
                body[name] = long;
                let answer = self.case(operation, &path, caller(), Some(&body)).await;
                assert_eq!(answer.status, 422, "{path} {name}");
                assert!(names(&answer, name), "{path} {name} {}", answer.body);
            }
        }
        all_wrong.insert("odd".to_owned(), json!("c4n4ry"));
        let answer = self.case(operation, &path, caller(), Some(&Value::Object(all_wrong.clone()))).await;
        assert!(all_wrong.keys().all(|it| names(&answer, it)), "all at once: {path} {}", answer.body);
    }

    async fn unreadable(&mut self, operation: &Operation, path: &str, caller: As<'_>, is_optional: bool) {
        let authorization = match &caller {
            As::Tenant(keys) => format!("Basic {}", keys.basic),
            As::Session(secret) => format!("Bearer {secret}"),
            As::Anonymous => String::new(),
        };
        let cases = [
            ("application/json", "{\"c4n4ry", 400),
            ("application/json", "", 400),
            ("application/json", "[1, 2]", 422),
            ("text/plain", "{}", 415),
            ("application/x-www-form-urlencoded", "a=b", 415),
        ];
        for (media_type, body, status) in cases {
            // POST without a body is POST of an empty object.
            if body.is_empty() && is_optional && operation.method == Method::POST {
                continue;
            }
            let request = Request::builder()
                .method(operation.method.clone())
                .uri(format!("/sandbox/v1{path}"))
                .header("host", "localhost:8787")
                .header("authorization", &authorization)
                .header("content-type", media_type)
                .body(Body::from(body))
                .unwrap();
            let answer = self.fixtures.service.send_raw(request).await;
            self.check(operation, path, None, &answer);
            assert_eq!(answer.status, status, "{path} {media_type} {body}");
        }
    }
}
