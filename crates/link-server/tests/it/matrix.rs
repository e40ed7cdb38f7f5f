//! The matrix: every operation of the router, with everything a caller can get wrong. Each answer is a problem
//! document that names all faults, and none is our fault.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{Method, Request};
use link_domain::clock::ClockOffset;
use link_server::tenant_setup::make_tenant;
use link_store::StoreError;
use link_store::test_support::Backend;
use serde_json::{Map, Value, json};

use crate::service::{Answer, As, Keys, TestService, text};
use crate::uploads::{Uploader, picture};

/// A running service, what it documents, and ids of things that are there.
struct Matrix {
    service: TestService,
    document: Value,
    session: String,
    other_session: String,
    ids: BTreeMap<String, String>,
    stranger: Keys,
    cases: usize,
}

/// One operation of the document.
#[derive(Clone)]
struct Operation {
    method: Method,
    path: String,
    body: Option<Value>,
    query: Vec<String>,
    /// Headers with the values that the document shows for them.
    headers: Vec<(String, String)>,
    security: &'static str,
}

#[tokio::test]
async fn whatever_is_wrong_is_answered_by_a_problem_that_names_it() {
    for backend in Backend::ALL {
        let mut matrix = Matrix::start(backend).await;
        for operation in matrix.operations() {
            matrix.wrong_callers(&operation).await;
            matrix.wrong_addresses(&operation).await;
            if let Some(schema) = operation.body.clone() {
                matrix.wrong_bodies(&operation, &schema).await;
            }
        }
        assert!(matrix.cases > 300, "{} cases", matrix.cases);
        eprintln!("matrix: {} cases on {backend:?}", matrix.cases);
    }
}

impl Matrix {
    async fn start(backend: Backend) -> Self {
        let service = TestService::start(backend).await;
        let session = service.session().await;
        let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
        service.settled(&session, &progress).await;
        service.until_event("TASK_FINISHED").await;
        let hook =
            json!({"url": "https://example.com/", "eventTypes": ["INVITE_LINKED"], "secret": "a secret"});
        service.post("/webhooks", hook).await;
        service.invited().await;
        let widget = Uploader { service: &service, session: session.clone() };
        widget.submitted("PAYSLIP", &picture(500)).await;
        let archive = widget.archive("PAYSLIP").await;
        let upload = widget.begin(&archive, "PAGE", 500).await;
        let document = serde_json::to_value(link_server::router::openapi_document()).unwrap();
        let mut ids = BTreeMap::new();
        for path in document["paths"].as_object().unwrap().keys() {
            let Some((list, _)) = path.split_once("/{id}") else { continue };
            let id = match list {
                "/link/accounts" => text(&progress["accountId"]),
                "/link/archives" => archive.clone(),
                "/link/uploads" => upload.replace("/link/uploads/", ""),
                "/link/providers" => "mx_social_security".to_owned(),
                _ => match service.get(list).await.body["items"][0]["id"].as_str() {
                    Some(id) => id.to_owned(),
                    // A kind of data point that this provider does not give.
                    None => continue,
                },
            };
            ids.insert(list.to_owned(), id);
        }
        let (change, keys) = make_tenant(&service.app, "stranger".parse().unwrap(), "Stranger".to_owned());
        let now = service.app.now(ClockOffset::default());
        let applied =
            service.app.store().write(move |tx| -> Result<(), StoreError> { tx.apply(&change, now) }).await;
        applied.unwrap();
        let keys = serde_json::to_value(keys).unwrap();
        let stranger = Keys::read(&keys["sandbox"], "/sandbox/v1");
        let other_session = service.session().await;
        Self { service, document, session, other_session, ids, stranger, cases: 0 }
    }

    fn operations(&self) -> Vec<Operation> {
        let mut all = Vec::new();
        for (path, item) in self.document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let security = &operation["security"];
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
                all.push(Operation {
                    method: method.to_uppercase().parse().unwrap(),
                    path: path.clone(),
                    body: operation["requestBody"]["content"]["application/json"].get("schema").cloned(),
                    query: query.map(|it| text(&it["name"])).collect(),
                    headers: headers.chain(media_type).collect(),
                    security: match security.to_string() {
                        it if it.contains("apiKey") => "apiKey",
                        it if it.contains("session") => "session",
                        _ => "none",
                    },
                });
            }
        }
        all
    }

    /// The operation's path with an id that is there, or `None` where the service has none of that kind.
    fn path_of(&self, operation: &Operation) -> Option<String> {
        match operation.path.split_once("/{id}") {
            None => Some(operation.path.clone()),
            Some((list, rest)) => self.ids.get(list).map(|id| format!("{list}/{id}{rest}")),
        }
    }

    async fn case(
        &mut self,
        operation: &Operation,
        path: &str,
        caller: As<'_>,
        body: Option<&Value>,
    ) -> Answer {
        let headers = &operation.headers;
        let answer = self.service.send_with(operation.method.clone(), path, caller, headers, body).await;
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
        let Some(path) = self.path_of(operation) else { return };
        let (sandbox, production) = (self.service.sandbox.clone(), self.service.production.clone());
        let session = self.session.clone();
        let wrong: Vec<As<'_>> = match operation.security {
            "apiKey" => vec![As::Nobody, As::Session(&session)],
            "session" => vec![As::Nobody, As::Tenant(&sandbox), As::Session("c4n4ry")],
            _ => vec![],
        };
        for caller in wrong {
            let answer = self.case(operation, &path, caller, None).await;
            assert_eq!(answer.status, 401, "{} {path}", operation.method);
        }
        if operation.security == "apiKey" {
            // The other environment's key at this environment's address.
            let crossed = Keys { base: sandbox.base, ..production };
            let answer = self.case(operation, &path, As::Tenant(&crossed), None).await;
            assert_eq!(answer.status, 401, "{} {path}", operation.method);
        }
    }

    async fn wrong_addresses(&mut self, operation: &Operation) {
        let Some(path) = self.path_of(operation) else { return };
        let (sandbox, production) = (self.service.sandbox.clone(), self.service.production.clone());
        let (stranger, session) = (self.stranger.clone(), self.session.clone());
        let mine = match operation.security {
            "session" => As::Session(&session),
            "apiKey" => As::Tenant(&sandbox),
            _ => return,
        };
        let body = operation.body.is_some().then(|| json!({}));
        if operation.path.contains("{id}") {
            let nonsense = operation.path.replace("{id}", "c4n4ry");
            let answer = self.case(operation, &nonsense, mine.clone(), body.as_ref()).await;
            assert_eq!(answer.status, 404, "{nonsense}");
        }
        if operation.path.contains("{id}")
            && !operation.path.contains("roviders")
            && operation.security == "apiKey"
        {
            let valid = operation.body.as_ref().map(|schema| self.smallest(schema));
            for other in [&stranger, &production] {
                let answer = self.case(operation, &path, As::Tenant(other), valid.as_ref()).await;
                assert_eq!(answer.status, 404, "{} {path}", operation.method);
            }
        }
        if ["/link/a", "/link/u"].iter().any(|it| operation.path.starts_with(it))
            && operation.path.contains("{id}")
        {
            let mut valid = operation.body.as_ref().map(|schema| self.smallest(schema));
            if let Some(answer) = valid.as_mut().and_then(|body| body.get_mut("answer")) {
                *answer = json!({"choice": {"value": "aurora"}});
            }
            let other = self.other_session.clone();
            let answer = self.case(operation, &path, As::Session(&other), valid.as_ref()).await;
            assert_eq!(answer.status, 404, "another user's: {} {path}", operation.method);
        }
        if operation.body.is_none() {
            let unknown = format!("{path}?odd=1");
            let answer = self.case(operation, &unknown, mine.clone(), None).await;
            assert!(names(&answer, "odd") || operation.query.is_empty(), "{unknown}");
        }
        for name in &operation.query {
            let wrong = format!("{path}?{name}=c4n4ry%00");
            let answer = self.case(operation, &wrong, mine.clone(), body.as_ref()).await;
            assert_eq!(answer.status, 422, "{wrong}");
            assert!(names(&answer, name), "{wrong} {}", answer.body);
        }
    }

    async fn wrong_bodies(&mut self, operation: &Operation, schema: &Value) {
        let Some(path) = self.path_of(operation) else { return };
        let (sandbox, session) = (self.service.sandbox.clone(), self.session.clone());
        let caller = || match operation.security {
            "session" => As::Session(&session),
            "apiKey" => As::Tenant(&sandbox),
            _ => As::Nobody,
        };
        self.unreadable(operation, &path, caller()).await;
        let schema = self.resolve(schema).clone();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let required: Vec<String> = schema["required"].as_array().into_iter().flatten().map(text).collect();

        if !required.is_empty() {
            let answer = self.case(operation, &path, caller(), Some(&json!({}))).await;
            assert!(required.iter().all(|it| names(&answer, it)), "all at once: {}", answer.body);
        }
        let mut all_wrong = Map::new();
        for (name, property) in &properties {
            let mut body = self.smallest(&schema);
            body[name] = self.wrong_type(property);
            all_wrong.insert(name.clone(), body[name].clone());
            let answer = self.case(operation, &path, caller(), Some(&body)).await;
            assert_eq!(answer.status, 422, "{path} {body}");
            assert!(names(&answer, name), "{path} {body} {}", answer.body);
            if let Some(long) = self.too_long(property) {
                let mut body = self.smallest(&schema);
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

    async fn unreadable(&mut self, operation: &Operation, path: &str, caller: As<'_>) {
        let authorization = match &caller {
            As::Tenant(keys) => format!("Basic {}", keys.basic),
            As::Session(secret) => format!("Bearer {secret}"),
            As::Nobody => String::new(),
        };
        let cases = [
            ("application/json", "{\"c4n4ry", 400),
            ("application/json", "", 400),
            ("application/json", "[1, 2]", 422),
            ("text/plain", "{}", 415),
            ("application/x-www-form-urlencoded", "a=b", 415),
        ];
        for (media_type, body, status) in cases {
            let request = Request::builder()
                .method(operation.method.clone())
                .uri(format!("/sandbox/v1{path}"))
                .header("host", "localhost:8787")
                .header("authorization", &authorization)
                .header("content-type", media_type)
                .body(Body::from(body))
                .unwrap();
            let answer = self.service.send_raw(request).await;
            self.check(operation, path, None, &answer);
            assert_eq!(answer.status, status, "{path} {media_type} {body}");
        }
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).unwrap(),
            None => match schema["oneOf"].as_array() {
                Some(choices) => {
                    choices.iter().map(|it| self.resolve(it)).find(|it| it["type"] != "null").unwrap()
                }
                None => schema,
            },
        }
    }

    /// A body with the required fields alone, of the right types.
    fn smallest(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(values) = schema["enum"].as_array() {
            return values[0].clone();
        }
        match first_type(schema) {
            "object" => {
                let required = schema["required"].as_array().into_iter().flatten().map(text);
                required.map(|name| (name.clone(), self.smallest(&schema["properties"][&name]))).collect()
            }
            "array" => json!([self.smallest(&schema["items"])]),
            "boolean" => json!(false),
            "integer" | "number" => json!(1),
            _ => match (schema["examples"][0].as_str(), schema["pattern"].as_str()) {
                (Some(_), Some(pattern)) if pattern.contains("[0-9a-f]{32}") => {
                    let prefix = pattern.trim_start_matches('^').split("[0-9a-f]").next().unwrap();
                    json!(format!("{}{}", prefix.replace("[0-9a-z]{1,32}", "demo"), "0".repeat(32)))
                }
                (Some(example), _) => json!(example),
                (None, _) => json!("text"),
            },
        }
    }

    fn wrong_type(&self, schema: &Value) -> Value {
        match first_type(self.resolve(schema)) {
            "string" | "boolean" => json!(["c4n4ry"]),
            _ => json!("c4n4ry"),
        }
    }

    fn too_long(&self, schema: &Value) -> Option<Value> {
        let schema = self.resolve(schema);
        let over = |limit: &str, default| schema[limit].as_u64().unwrap_or(default) as usize + 1;
        match first_type(schema) {
            "string" => Some(json!("x".repeat(over("maxLength", 8_192)))),
            "array" if schema["maxItems"].is_u64() => {
                Some(vec![self.smallest(&schema["items"]); over("maxItems", 0)].into())
            }
            _ => None,
        }
    }
}

/// Whether a problem names a field, or something inside it.
fn names(answer: &Answer, field: &str) -> bool {
    answer.body["errors"].as_array().is_some_and(|errors| {
        errors.iter().any(|it| {
            let named = it["field"].as_str().unwrap_or_default();
            named == field
                || named.starts_with(&format!("{field}."))
                || named.starts_with(&format!("{field}["))
        })
    })
}

fn first_type(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(one) => one,
        Value::Array(many) => {
            many.iter().filter_map(Value::as_str).find(|it| *it != "null").unwrap_or("string")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "object",
    }
}
