//! The OpenAPI document is complete and consistent.

use axum::http::{HeaderValue, Method, StatusCode, header};
use link_server::router::openapi_document;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::conformance::{Conformance, DOCUMENT};
use crate::matrix::fixtures::Fixtures;
use crate::matrix::{Operation, Security};
use crate::service::{As, TestResponse, secret, text};

fn document() -> Value {
    serde_json::to_value(openapi_document()).unwrap()
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    all.collect()
}

#[test]
fn served_openapi_document_matches_the_code() {
    let served: Value = serde_json::from_str(link_server::openapi::PUBLISHED).unwrap();
    assert!(served == document(), "docs/openapi.json is out of date: run `cargo xtask codegen`");
}

#[test]
fn every_operation_documents_responses_and_security() {
    let document = document();
    let operations = operations(&document);
    assert!(operations.len() > 50, "{}", operations.len());
    for (name, operation) in operations {
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|it| it.starts_with('2')), "{name}");
        for status in ["400", "401", "422", "500"] {
            assert!(responses.contains_key(status), "{name} {status}");
        }
        assert!(operation.get("security").is_some(), "{name}");
        for (status, response) in responses.iter().filter(|(status, _)| *status != "204") {
            // The response to an upload creation has headers only.
            let shared = response["$ref"].as_str().map(|it| it.trim_start_matches('#'));
            let response = shared.map_or(response, |shared| document.pointer(shared).unwrap());
            let says = |part: &str| response[part].as_object().is_some_and(|it| !it.is_empty());
            assert!(says("content") || says("headers"), "{name} {status}");
        }
    }
}

/// Interface: "Versioning", 5.
#[test]
fn deprecated_fields_are_marked_in_openapi() {
    let document = document();
    for (schema, field) in [("Metadata", "accountId"), ("EstimatedIncome", "baseAmount")] {
        let fields = &document["components"]["schemas"][schema]["properties"];
        assert_eq!(fields[field]["deprecated"], true, "{schema}.{field}: {}", fields[field]);
    }
}

#[test]
fn openapi_texts_contain_no_rustdoc_links() {
    let document = document().to_string();
    let names = document.split("[`").skip(1).filter_map(|it| it.split_once('`')).map(|(name, _)| name);
    assert_eq!(names.collect::<Vec<_>>(), [""; 0], "rustdoc links to items of the code");
}

/// Client generators treat a field with a default as always present.
#[test]
fn optional_fields_have_no_default() {
    fn defaults(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                let properties = fields.get("properties").and_then(Value::as_object);
                for (name, _) in
                    properties.into_iter().flatten().filter(|(_, it)| it.get("default").is_some())
                {
                    found.push(format!("{path}.{name}"));
                }
                fields.iter().for_each(|(name, it)| defaults(it, name, found));
            }
            Value::Array(items) => items.iter().for_each(|it| defaults(it, path, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    defaults(&document(), "", &mut found);
    assert_eq!(found, [""; 0]);
}

#[test]
fn upload_body_is_documented_as_binary() {
    let document = document();
    let body = &document["paths"]["/link/uploads/{id}"]["patch"]["requestBody"]["content"];
    let schema = &body["application/offset+octet-stream"]["schema"];
    assert_eq!(*schema, serde_json::json!({"type": "string", "format": "binary"}));
}

#[test]
fn every_openapi_reference_resolves() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    found.push(to.clone());
                }
                fields.values().for_each(|it| references(it, found));
            }
            Value::Array(items) => items.iter().for_each(|it| references(it, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    for reference in found {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

const PROVIDER: &str = "mx_social_security";

#[tokio::test]
async fn every_request_example_is_accepted() {
    let fixtures = Fixtures::make(Backend::Sqlite).await;
    let mut wrong = Vec::new();
    for operation in fixtures.operations.iter().filter(|it| it.body.is_some()) {
        let place = format!("{} {}", operation.method, operation.path);
        let Some(example) = operation.example.clone() else {
            wrong.push(format!("{place} has a body but no example"));
            continue;
        };
        let response = match operation.security {
            Security::Tenant => fixtures.ask_as_tenant(operation, example).await,
            Security::Session | Security::Public => fixtures.ask_as_widget(operation, example).await,
        };
        // A valid resend request is rejected as too early; an invalid one would fail validation first.
        let is_early = place.ends_with("/resend") && response.status == StatusCode::TOO_MANY_REQUESTS;
        if !response.status.is_success() && !is_early {
            wrong.push(format!("{place}: {} {}", response.status, response.body));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_response_example_matches_its_schema() {
    let conformance = Conformance::with(&DOCUMENT);
    let mut missing = Vec::new();
    for operation in Operation::all(&DOCUMENT) {
        let word = operation.method.as_str().to_lowercase();
        let responses = DOCUMENT["paths"][&operation.path][word]["responses"].as_object().unwrap();
        for (status, response) in responses.iter().filter(|(status, _)| status.starts_with('2')) {
            let Some(content) = response["content"].get("application/json") else { continue };
            let body = content["example"].clone();
            if body.is_null() {
                missing.push(format!("{} {} {status}", operation.method, operation.path));
                continue;
            }
            let response = TestResponse {
                status: StatusCode::from_bytes(status.as_bytes()).unwrap(),
                headers: [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]
                    .into_iter()
                    .collect(),
                bytes: body.to_string().into_bytes(),
                body,
            };
            conformance.check(&operation.method, &format!("/v1{}", operation.path), &response);
        }
    }
    assert!(missing.is_empty(), "without an example: {missing:#?}");
}

impl Fixtures {
    /// Sends an example as a tenant. For an operation on one resource, first creates it with its own example.
    async fn ask_as_tenant(&self, operation: &Operation, mut example: Value) -> TestResponse {
        self.use_existing_ids(&mut example);
        let mut path = self.path_of(operation);
        if let Some((list, rest)) = operation.path.split_once("/{id}") {
            let creation = self.operations.iter().find(|it| it.path == list && it.method == Method::POST);
            let mut new = creation.and_then(|it| it.example.clone()).unwrap();
            self.use_existing_ids(&mut new);
            // A slug is unique in the whole service, and the example of POST has used its own.
            if new.get("slug").is_some() {
                new["slug"] = json!("another-site");
            }
            let made = self.service.post(list, new).await;
            // A user with the reference of the example may exist.
            assert!(matches!(made.status.as_u16(), 200 | 201), "POST {list}: {}", made.body);
            path = format!("{list}/{}{rest}", text(&made.body["id"]));
        }
        let tenant = As::Tenant(&self.service.sandbox);
        self.service.send(operation.method.clone(), &path, tenant, Some(&example)).await
    }

    /// Sends an example as a widget in a new session, with the secrets that an example cannot contain.
    async fn ask_as_widget(&self, operation: &Operation, mut example: Value) -> TestResponse {
        let service = &self.service;
        self.use_existing_ids(&mut example);
        let session = service.session().await;
        let mut path = operation.path.clone();
        match path.as_str() {
            "/link/sessions" => {
                let (_, token) = service.user().await;
                fill(&mut example, &service.exchange_of(&token, &secret()));
            }
            "/link/accounts" => {
                let form = json!({"username": example["loginName"], "password": "pass"});
                let sealed = service.sealer(&session).await.credentials(PROVIDER, &form);
                fill(&mut example, &json!({"credentials": sealed}));
            }
            "/link/accounts/{id}/answer" | "/link/accounts/{id}/extend" | "/link/accounts/{id}/resend" => {
                let login = if path.ends_with("answer") { "mfa-many" } else { "mfa-otp" };
                let begun = service.submit(&session, PROVIDER, login, "pass").await;
                let asked = service.until_settled(&session, &begun).await;
                let challenge = &asked["phase"]["challenge"]["challenge"]["id"];
                fill(&mut example, &json!({"challengeId": challenge}));
                path = path.replace("{id}", &text(&asked["accountId"]));
            }
            "/link/archives/{id}/submit" => {
                let uploader = crate::uploads::Uploader { service, session: session.clone() };
                let archive = uploader.archive("PAYSLIP").await;
                let sent = uploader.upload(&archive, "PAGE", &crate::uploads::picture(500)).await;
                assert_eq!(sent.status, 204, "{:?}", sent.body);
                path = path.replace("{id}", &archive);
            }
            "/link/accounts/{id}/revoke" | "/link/archives/{id}/revoke" => {
                let resource = if path.contains("accounts") {
                    let begun = service.submit(&session, PROVIDER, "good", "pass").await;
                    text(&service.until_settled(&session, &begun).await["accountId"])
                } else {
                    let uploader = crate::uploads::Uploader { service, session: session.clone() };
                    uploader.submit("PAYSLIP", &crate::uploads::picture(500)).await
                };
                path = path.replace("{id}", &resource);
                let confirm = path.replace("/revoke", "/revocation");
                let asked = service.send(Method::POST, &confirm, As::Session(&session), None).await;
                assert_eq!(asked.status, 201, "{confirm}: {}", asked.body);
                fill(&mut example, &asked.body);
            }
            _ => {}
        }
        let caller = match operation.security {
            Security::Public => As::Anonymous,
            Security::Tenant | Security::Session => As::Session(&session),
        };
        service.send(operation.method.clone(), &path, caller, Some(&example)).await
    }

    /// Replaces the ids of an example with existing ones.
    fn use_existing_ids(&self, example: &mut Value) {
        let keys = &self.service.sandbox;
        let known = [
            ("consentTemplateId", keys.consent.as_str()),
            ("inviteTemplateId", keys.invite_template.as_str()),
            ("linkTemplateId", keys.template.as_str()),
            ("userId", self.id("/users")),
        ];
        let Some(fields) = example.as_object_mut() else { return };
        for (name, value) in fields {
            // Records have templates of another kind, with the same name.
            let name = match value.as_str() {
                Some(id) if name == "templateId" && id.starts_with("lt-") => "linkTemplateId",
                Some(_) | None => name.as_str(),
            };
            match known.iter().find(|(known, _)| *known == name) {
                Some((_, id)) => *value = json!(id),
                None => self.use_existing_ids(value),
            }
        }
    }
}

/// Replaces fields of an example; panics if the example lacks one.
fn fill(example: &mut Value, values: &Value) {
    for (name, value) in values.as_object().unwrap() {
        let place = example.get_mut(name).unwrap_or_else(|| panic!("the example has no {name}"));
        *place = value.clone();
    }
}
