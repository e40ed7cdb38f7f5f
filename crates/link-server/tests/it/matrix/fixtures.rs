//! A service with one resource of each kind, so that every path of the document can be filled with existing ids.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_server::app::Parts;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use serde_json::{Value, json};

use super::{Operation, Security};
use crate::link_sites::hosts::{Names, offer};
use crate::service::{As, TestResponse, TestService, text};
use crate::uploads::{Uploader, picture};

/// Providers that together have every kind of data point, with a login option of each.
const PROVIDERS: [(&str, &str); 3] =
    [("mx_rapido_rides", "email"), ("mx_talleres_aurora", "username"), ("mx_social_security", "username")];

static BODIES: AtomicUsize = AtomicUsize::new(0);

/// The service and the ids of its resources.
pub struct Fixtures {
    pub service: TestService,
    pub bodies: Bodies,
    pub operations: Vec<Operation>,
    /// The session that created the resources.
    pub session: String,
    /// Ids by the path template of their list.
    ids: BTreeMap<String, String>,
    _receiver: Receiver,
}

impl Fixtures {
    pub async fn make(backend: Backend) -> Self {
        let names = Arc::new(Names::default());
        let known = Arc::clone(&names);
        let exchange = move |parts: &mut Parts| parts.ports.identity = known;
        let service = TestService::start_of(backend, offer, exchange).await;
        let receiver = Receiver::start(&[]).await;
        let hook =
            json!({"url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant"});
        assert_eq!(service.post("/webhooks", hook).await.status, 201);
        let session = service.session().await;
        let mut ids = BTreeMap::new();
        for (provider, option) in PROVIDERS {
            let mut body = service.login(&session, provider, "good", "pass").await;
            if option == "email" {
                let form = json!({"email": "good@example.com", "password": "pass"});
                body["loginOption"] = json!("email");
                body["loginName"] = json!("good@example.com");
                body["credentials"] = service.sealer(&session).await.credentials(provider, &form);
            }
            let caller = As::Session(&session);
            let begun = service.send(Method::POST, "/link/accounts", caller, Some(&body)).await;
            assert_eq!(begun.status, 201, "{provider}: {:?}", begun.body);
            service.until_settled(&session, &begun.body).await;
            ids.insert("/link/accounts".to_owned(), text(&begun.body["accountId"]));
        }
        service.until_events("TASK_FINISHED", PROVIDERS.len()).await;
        let widget = Uploader { service: &service, session: session.clone() };
        widget.submit("PAYSLIP", &picture(500)).await;
        let archive = widget.archive("PAYSLIP").await;
        let upload = widget.begin(&archive, "PAGE", 500).await;
        ids.insert("/link/archives".to_owned(), archive);
        ids.insert("/link/uploads".to_owned(), upload.replace("/link/uploads/", ""));
        ids.insert("/link/providers".to_owned(), "mx_social_security".to_owned());
        let document = serde_json::to_value(link_server::router::openapi_document()).unwrap();
        let operations = Operation::all(&document);
        let bodies = Bodies::new(document);
        let mut fixtures = Self { service, bodies, operations, session, ids, _receiver: receiver };
        fixtures.ids.insert("/alpha/forms".to_owned(), fixtures.form().await);
        let site = crate::link_sites::site(&fixtures.service, "matrix");
        let site = fixtures.service.post("/alpha/linkSites", site).await;
        assert_eq!(site.status, 201, "{:?}", site.body);
        fixtures.ids.insert("/alpha/linkSites".to_owned(), text(&site.body["id"]));
        fixtures.ids.insert("/alpha/linkSites/{id}/versions".to_owned(), "1".to_owned());
        let host =
            fixtures.service.post("/alpha/linkSiteHosts", json!({"host": "matrix.shop.example"})).await;
        names.write(&host.body);
        fixtures.ids.insert("/alpha/linkSiteHosts".to_owned(), text(&host.body["id"]));
        let template = format!("/linkTemplates/{}", fixtures.service.sandbox.template);
        let listed = json!({"redirectUrls": ["https://app.example.com/linked"]});
        assert_eq!(fixtures.service.patch(&template, listed).await.status, 200);
        let mut missing = Vec::new();
        for operation in fixtures.operations.clone() {
            missing.extend(fixtures.fill(&operation.path).await.err());
        }
        assert!(missing.is_empty(), "resources that could not be created: {missing:#?}");
        fixtures
    }

    /// Returns the path of an operation, filled with existing ids.
    pub fn path_of(&self, operation: &Operation) -> String {
        let (mut path, mut list) = (String::new(), String::new());
        for segment in operation.path.split('/').skip(1) {
            let filled = match segment.strip_prefix('{') {
                Some(_) => &self.ids[&list],
                None => segment,
            };
            path.extend(["/", filled]);
            list.extend(["/", segment]);
        }
        path
    }

    /// Returns the id of the resource on a list.
    pub fn id(&self, list: &str) -> &str {
        &self.ids[list]
    }

    /// Returns the path of an operation with its required query parameters.
    pub fn address_of(&self, operation: &Operation) -> String {
        let (mut address, mut mark) = (self.path_of(operation), '?');
        for (name, schema) in &operation.needs {
            let value = match name.as_str() {
                "id" => self.id(&operation.path).to_owned(),
                "userId" => self.id("/users").to_owned(),
                _ => text(&self.bodies.smallest(schema)),
            };
            address.push_str(&format!("{mark}{name}={value}"));
            mark = '&';
        }
        address
    }

    /// Has an invited user answer a form and returns its id.
    async fn form(&self) -> String {
        let form = json!({"name": "Loan", "reference": "loan", "fields": [{"name": "purpose", "label": "What for?", "type": "TEXT"}]});
        let path = format!("/linkTemplates/{}", self.service.sandbox.template);
        let changed = self.service.patch(&path, json!({"form": form})).await;
        assert_eq!(changed.status, 200, "{:?}", changed.body);
        let invite = self.service.invite_ana().await;
        let cookie = self.service.enter(&text(&invite["landingPageUrl"])).await;
        let sent = self.service.browse(Method::POST, "/visit/form", &cookie, Some("purpose=Car")).await;
        assert_eq!(sent.status, 303);
        text(&self.service.get("/alpha/forms").await.body["items"][0]["id"])
    }

    /// Finds or creates the resources of a path; `Err` says why one is missing.
    async fn fill(&mut self, template: &str) -> Result<(), String> {
        let (mut path, mut list) = (String::new(), String::new());
        for segment in template.split('/').skip(1) {
            if !segment.starts_with('{') {
                path.extend(["/", segment]);
            } else {
                let id = match self.ids.get(&list) {
                    Some(id) => id.clone(),
                    None => self.first_of(&path, &list).await?,
                };
                path.extend(["/", &id]);
                self.ids.insert(list.clone(), id);
            }
            list.extend(["/", segment]);
        }
        Ok(())
    }

    /// Returns the id of the first item of a list; creates one if the list is empty.
    async fn first_of(&self, path: &str, list: &str) -> Result<String, String> {
        let listed = self.service.get(path).await;
        if let Some(id) = listed.body["items"][0]["id"].as_str() {
            return Ok(id.to_owned());
        }
        let makes =
            |it: &&Operation| it.method == "POST" && it.path == list && it.security == Security::Tenant;
        let Some(make) = self.operations.iter().find(makes) else {
            return Err(format!("{list} is empty, and no POST creates an item: {}", listed.body));
        };
        let body = self.body_of(make);
        let tenant = As::Tenant(&self.service.sandbox);
        let made = self.service.send(Method::POST, path, tenant, body.as_ref()).await;
        let id = made.body["id"].as_str().filter(|_| made.status.is_success()).map(str::to_owned);
        id.ok_or_else(|| format!("POST {list} with {body:?}: {}", made.body))
    }

    /// Returns a valid body for an operation: the smallest one, with values for fields whose schema is not enough.
    pub fn body_of(&self, operation: &Operation) -> Option<Value> {
        let mut body = self.bodies.smallest(operation.body.as_ref()?);
        let keys = &self.service.sandbox;
        let id = |list: &str| json!(self.ids.get(list));
        // Records have templates of another kind.
        let is_link = operation.path == "/linkSessions";
        let template = if is_link { json!(keys.template) } else { json!("tpl-sss003001") };
        // Makes fields unique that two resources must not share.
        let number = BODIES.fetch_add(1, Ordering::Relaxed);
        let consent = json!({
            "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1", "consentedWith": "I agree.",
        });
        for (field, value) in [
            ("answer", json!({"choice": {"value": "aurora"}})),
            ("consent", consent),
            ("consentTemplateId", json!(keys.consent)),
            ("curp", json!("HEGG560427MVZRRL04")),
            ("dob", json!("1990-05-24")),
            ("emailAddress", json!("ana@example.com")),
            ("host", json!(format!("host{number}.example"))),
            ("files", json!([{"name": "payslip.png", "content": STANDARD.encode(picture(500))}])),
            ("inviteTemplateId", id("/inviteTemplates")),
            ("linkTemplateId", json!(keys.template)),
            ("login", json!(format!("login{number}"))),
            ("mobileNumber", json!("525512345678")),
            ("secret", json!(format!("the secret of a tenant {number}"))),
            ("since", json!("2026-11-20T11:07:11.000Z")),
            ("slug", json!(format!("slug-{number}"))),
            ("steps", json!(["WIDGET", "THANK_YOU"])),
            ("templateId", template),
            ("url", json!("https://example.com/hook")),
            ("userId", id("/users")),
        ] {
            // The widget's request bodies have other consents and templates.
            if (!operation.path.starts_with("/link/") || field == "answer")
                && let Some(at) = body.get_mut(field)
            {
                *at = value;
            }
        }
        // Either of its fields is needed, and the schema does not say so.
        if operation.path == "/clock/advance" {
            body["seconds"] = json!(1);
        }
        Some(body)
    }
}

/// The schemas of the OpenAPI document.
pub struct Bodies {
    document: Value,
}

impl Bodies {
    pub fn new(document: Value) -> Self {
        Self { document }
    }

    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
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

    /// Builds a body that has only the required fields, with the right types.
    pub fn smallest(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(values) = schema["enum"].as_array() {
            return values[0].clone();
        }
        match first_type(schema) {
            "object" => {
                let required = schema["required"].as_array().into_iter().flatten().map(text);
                // Of two fields that name the person, one is enough.
                let either = schema["properties"].as_object().into_iter().flatten();
                let either = either.filter(|(_, it)| is_enough_alone(it)).map(|(name, _)| name.clone());
                required
                    .chain(either.take(1))
                    .map(|name| (name.clone(), self.smallest(&schema["properties"][&name])))
                    .collect()
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

    pub fn wrong_type(&self, schema: &Value) -> Value {
        match first_type(self.resolve(schema)) {
            "string" | "boolean" => json!(["c4n4ry"]),
            _ => json!("c4n4ry"),
        }
    }

    pub fn too_long(&self, schema: &Value) -> Option<Value> {
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

/// Returns true if a body needs this field or another one.
fn is_enough_alone(field: &Value) -> bool {
    let about = field["description"].as_str().unwrap_or_default();
    about.split_whitespace().collect::<Vec<_>>().join(" ").contains("Required without `")
}

/// Returns true if a problem names the field or a part of it.
pub fn names(response: &TestResponse, field: &str) -> bool {
    response.body["errors"].as_array().is_some_and(|errors| {
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
