//! Sends every kind of invalid request to every operation of the router. Each response must be a 4xx problem document
//! that names all errors.

pub mod fixtures;
mod tenancy;

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{Method, Request};
use link_store::test_support::Backend;
use serde_json::{Map, Value, json};

use self::fixtures::{Fixtures, names};
use crate::service::{As, Keys, TestResponse, text};

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
    ) -> TestResponse {
        let headers = &operation.headers;
        let response =
            self.fixtures.service.send_with(operation.method.clone(), path, caller, headers, body).await;
        self.check(operation, path, body, &response);
        response
    }

    fn check(&mut self, operation: &Operation, path: &str, body: Option<&Value>, response: &TestResponse) {
        self.cases += 1;
        let what = format!("{} {path} {body:?} -> {} {}", operation.method, response.status, response.body);
        assert!(response.status.is_client_error(), "{what}");
        assert_eq!(response.headers["content-type"], "application/problem+json", "{what}");
        if operation.method == Method::HEAD {
            return;
        }
        assert_eq!(response.body["status"], response.status.as_u16(), "{what}");
        assert_eq!(response.headers["x-request-id"].to_str().unwrap(), response.body["requestId"], "{what}");
        assert!(!String::from_utf8_lossy(&response.bytes).contains("c4n4ry"), "a value is echoed: {what}");
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
            let response = self.case(operation, &path, caller, None).await;
            assert_eq!(response.status, 401, "{} {path}", operation.method);
        }
        if operation.security == Security::Tenant {
            // The production key at the sandbox's base URL.
            let crossed = Keys { base: sandbox.base, ..production };
            let response = self.case(operation, &path, As::Tenant(&crossed), None).await;
            assert_eq!(response.status, 401, "{} {path}", operation.method);
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
            let response = self.case(operation, &nonsense, mine.clone(), body.as_ref()).await;
            assert_eq!(response.status, 404, "{nonsense}");
        }
        let unknown = format!("{path}?odd=1");
        let response = self.case(operation, &unknown, mine.clone(), body.as_ref()).await;
        let is_named = names(&response, "odd") || operation.method == Method::HEAD;
        assert!(response.status == 422 && is_named, "{} {unknown} {}", operation.method, response.body);
        for name in &operation.query {
            let wrong = format!("{path}?{name}=c4n4ry%00");
            let response = self.case(operation, &wrong, mine.clone(), body.as_ref()).await;
            assert_eq!(response.status, 422, "{wrong}");
            assert!(names(&response, name), "{wrong} {}", response.body);
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
            let response = self.case(operation, &with_unknown, caller(), Some(&json!({}))).await;
            let all = required.iter().map(String::as_str).chain(["odd"]);
            assert!(all.into_iter().all(|it| names(&response, it)), "all at once: {}", response.body);
        }
        let mut all_wrong = Map::new();
        for (name, property) in &properties {
            let mut body = self.fixtures.bodies.smallest(&schema);
            body[name] = self.fixtures.bodies.wrong_type(property);
            all_wrong.insert(name.clone(), body[name].clone());
            let response = self.case(operation, &path, caller(), Some(&body)).await;
            assert_eq!(response.status, 422, "{path} {body}");
            assert!(names(&response, name), "{path} {body} {}", response.body);
            if let Some(long) = self.fixtures.bodies.too_long(property) {
                let mut body = self.fixtures.bodies.smallest(&schema);
                body[name] = long;
                let response = self.case(operation, &path, caller(), Some(&body)).await;
                assert_eq!(response.status, 422, "{path} {name}");
                assert!(names(&response, name), "{path} {name} {}", response.body);
            }
        }
        all_wrong.insert("odd".to_owned(), json!("c4n4ry"));
        let response = self.case(operation, &path, caller(), Some(&Value::Object(all_wrong.clone()))).await;
        assert!(all_wrong.keys().all(|it| names(&response, it)), "all at once: {path} {}", response.body);
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
            let is_object = body.is_empty() && operation.method == Method::POST;
            if is_object && is_optional {
                continue;
            }
            let status = if is_object { 422 } else { status };
            let request = Request::builder()
                .method(operation.method.clone())
                .uri(format!("/sandbox/v1{path}"))
                .header("host", "localhost:8787")
                .header("authorization", &authorization)
                .header("content-type", media_type)
                .body(Body::from(body))
                .unwrap();
            let response = self.fixtures.service.send_raw(request).await;
            self.check(operation, path, None, &response);
            assert_eq!(response.status, status, "{path} {media_type} {body}");
        }
    }
}

/// One operation.
#[derive(Clone)]
pub struct Operation {
    pub method: Method,
    pub path: String,
    pub body: Option<Value>,
    /// The example body of the document.
    pub example: Option<Value>,
    pub query: Vec<String>,
    /// The required query parameters, with their schemas.
    pub needs: Vec<(String, Value)>,
    /// Headers, with the example values of the document.
    pub headers: Vec<(String, String)>,
    pub security: Security,
}

/// The callers that an operation accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    Tenant,
    Session,
    Public,
}

impl Operation {
    /// Returns the operations of a document.
    pub fn all(document: &Value) -> Vec<Self> {
        let paths = document["paths"].as_object().unwrap();
        paths
            .iter()
            .flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |it| Self::read(path, it)))
            .collect()
    }

    fn read(path: &str, (method, operation): (&String, &Value)) -> Self {
        let parameters = || operation["parameters"].as_array().into_iter().flatten();
        let query = parameters().filter(|it| it["in"] == "query");
        let headers = parameters().filter(|it| it["in"] == "header" && !it["example"].is_null());
        let headers = headers.map(|it| {
            let example = &it["example"];
            (text(&it["name"]), example.as_str().map_or_else(|| example.to_string(), str::to_owned))
        });
        let content = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let media_type = content.map(|(it, _)| it).filter(|it| *it != "application/json");
        let media_type = media_type.map(|it| ("content-type".to_owned(), it.clone()));
        Self {
            method: method.to_uppercase().parse().unwrap(),
            path: path.to_owned(),
            body: operation["requestBody"]["content"]["application/json"].get("schema").cloned(),
            example: operation["requestBody"]["content"]["application/json"].get("example").cloned(),
            query: query.map(|it| text(&it["name"])).collect(),
            needs: parameters()
                .filter(|it| it["in"] == "query" && it["required"] == true)
                .map(|it| (text(&it["name"]), it["schema"].clone()))
                .collect(),
            headers: headers.chain(media_type).collect(),
            security: match operation["security"].to_string() {
                it if it.contains("apiKey") => Security::Tenant,
                it if it.contains("session") => Security::Session,
                _ => Security::Public,
            },
        }
    }

    /// Returns true if the path contains an id.
    pub fn has_id(&self) -> bool {
        self.path.contains('{')
    }
}

#[tokio::test]
async fn every_post_runs_once_per_idempotency_key() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let rotating = format!("/webhooks/{}/rotateSecret", fixtures.id("/webhooks"));
    let rotation = fixtures.operations.iter().find(|it| it.path == "/webhooks/{id}/rotateSecret").unwrap();
    let body = fixtures.body_of(rotation);
    // The confirmation needs a rotation in progress.
    let caller = As::Tenant(&fixtures.service.sandbox);
    let rotated = fixtures.service.send(Method::POST, &rotating, caller, body.as_ref()).await;
    assert!(rotated.status.is_success(), "{:?}", rotated.body);
    let posts = fixtures.operations.iter().filter(|it| it.method == Method::POST);
    let posts = posts.filter(|it| it.security == Security::Tenant);
    let mut done = 0;
    for operation in posts {
        let path = fixtures.address_of(operation);
        let body = fixtures.body_of(operation);
        let key = [("idempotency-key".to_owned(), format!("once {path}"))];
        let caller = || As::Tenant(&fixtures.service.sandbox);
        let send = || fixtures.service.send_with(Method::POST, &path, caller(), &key, body.as_ref());
        let (first, again) = (send().await, send().await);
        assert!(first.status.is_success(), "{path} {body:?}: {:?}", first.body);
        assert!(!first.headers.contains_key("idempotency-replayed"), "{path}");
        assert!(again.headers.contains_key("idempotency-replayed"), "{path} ran twice");
        assert_eq!((again.status, &again.bytes), (first.status, &first.bytes), "{path}");
        done += 1;
    }
    assert!(done > 20, "{done} POSTs");
}

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
        let allowed = methods_of(&options);
        for operation in &operations {
            assert!(allowed.contains(&operation.method), "{} {template}: {allowed:?}", operation.method);
        }
        assert!(allowed.contains(&Method::OPTIONS), "{template}: {allowed:?}");
        let never = asked(Method::TRACE).await;
        assert_eq!(never.status, 405, "TRACE {template}");
        assert_eq!(never.body["code"], "METHOD_NOT_ALLOWED", "{template}");
        assert!(methods_of(&never).iter().all(|it| allowed.contains(it)), "{template}");
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

fn methods_of(response: &TestResponse) -> Vec<Method> {
    let allow = response.headers.get("allow").unwrap_or_else(|| panic!("no Allow: {:?}", response.headers));
    allow.to_str().unwrap().split(',').map(|it| it.trim().parse().unwrap()).collect()
}
