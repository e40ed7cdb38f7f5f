//! The document's examples are true: what it shows for a request is accepted, what it shows for an answer is one.

use axum::http::{HeaderValue, Method, StatusCode, header};
use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::conformance::{Conformance, DOCUMENT};
use crate::matrix::operations::{Operation, Security};
use crate::matrix::things::Things;
use crate::service::{Answer, As, secret, text};

const PROVIDER: &str = "mx_social_security";

#[tokio::test]
async fn every_body_has_an_example_and_it_is_accepted() {
    let things = Things::make(Backend::Sqlite).await;
    let mut wrong = Vec::new();
    for operation in things.operations.iter().filter(|it| it.body.is_some()) {
        let place = format!("{} {}", operation.method, operation.path);
        let Some(example) = operation.example.clone() else {
            wrong.push(format!("{place} has a body and shows none"));
            continue;
        };
        let answer = match operation.security {
            Security::Tenant => things.ask_as_tenant(operation, example).await,
            Security::Session | Security::Anybody => things.ask_as_widget(operation, example).await,
        };
        // A code is sent again after a while, which only a body that is right is told.
        let is_early = place.ends_with("/resend") && answer.status == StatusCode::TOO_MANY_REQUESTS;
        if !answer.status.is_success() && !is_early {
            wrong.push(format!("{place}: {} {}", answer.status, answer.body));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_answer_has_an_example_and_it_is_of_its_schema() {
    let law = Conformance::with(&DOCUMENT);
    let mut missing = Vec::new();
    for operation in Operation::all(&DOCUMENT) {
        let word = operation.method.as_str().to_lowercase();
        let answers = DOCUMENT["paths"][&operation.path][word]["responses"].as_object().unwrap();
        for (status, answer) in answers.iter().filter(|(status, _)| status.starts_with('2')) {
            let Some(content) = answer["content"].get("application/json") else { continue };
            let body = content["example"].clone();
            if body.is_null() {
                missing.push(format!("{} {} {status}", operation.method, operation.path));
                continue;
            }
            let answer = Answer {
                status: StatusCode::from_bytes(status.as_bytes()).unwrap(),
                headers: [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]
                    .into_iter()
                    .collect(),
                bytes: body.to_string().into_bytes(),
                body,
            };
            law.check(&operation.method, &format!("/v1{}", operation.path), &answer);
        }
    }
    assert!(missing.is_empty(), "without an example: {missing:#?}");
}

impl Things {
    /// Sends an example as a tenant does. What a change is about is made by the example of its creation.
    async fn ask_as_tenant(&self, operation: &Operation, mut example: Value) -> Answer {
        self.name_what_is_there(&mut example);
        let mut path = self.path_of(operation);
        if let Some((list, rest)) = operation.path.split_once("/{id}") {
            let creation = self.operations.iter().find(|it| it.path == list && it.method == Method::POST);
            let mut new = creation.and_then(|it| it.example.clone()).unwrap();
            self.name_what_is_there(&mut new);
            let made = self.service.post(list, new).await;
            assert_eq!(made.status, 201, "POST {list}: {}", made.body);
            path = format!("{list}/{}{rest}", text(&made.body["id"]));
        }
        let tenant = As::Tenant(&self.service.sandbox);
        self.service.send(operation.method.clone(), &path, tenant, Some(&example)).await
    }

    /// Sends an example as the widget does in a session of its own, with the secrets that no example can know.
    async fn ask_as_widget(&self, operation: &Operation, mut example: Value) -> Answer {
        let service = &self.service;
        self.name_what_is_there(&mut example);
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
                let asked = service.settled(&session, &begun).await;
                let challenge = &asked["phase"]["challenge"]["challenge"]["id"];
                fill(&mut example, &json!({"challengeId": challenge}));
                path = path.replace("{id}", &text(&asked["accountId"]));
            }
            "/link/accounts/{id}/revoke" | "/link/archives/{id}/revoke" => {
                let thing = if path.contains("accounts") {
                    let begun = service.submit(&session, PROVIDER, "good", "pass").await;
                    text(&service.settled(&session, &begun).await["accountId"])
                } else {
                    let uploader = crate::uploads::Uploader { service, session: session.clone() };
                    uploader.submitted("PAYSLIP", &crate::uploads::picture(500)).await
                };
                path = path.replace("{id}", &thing);
                let confirm = path.replace("/revoke", "/revocation");
                let asked = service.send(Method::POST, &confirm, As::Session(&session), None).await;
                assert_eq!(asked.status, 201, "{confirm}: {}", asked.body);
                fill(&mut example, &asked.body);
            }
            _ => {}
        }
        let caller = match operation.security {
            Security::Anybody => As::Nobody,
            Security::Tenant | Security::Session => As::Session(&session),
        };
        service.send(operation.method.clone(), &path, caller, Some(&example)).await
    }

    /// Puts ids that are there in the places of an example's.
    fn name_what_is_there(&self, example: &mut Value) {
        let keys = &self.service.sandbox;
        let known = [
            ("consentTemplateId", keys.consent.as_str()),
            ("inviteTemplateId", keys.invite_template.as_str()),
            ("linkTemplateId", keys.template.as_str()),
            ("userId", self.id("/users")),
        ];
        let Some(fields) = example.as_object_mut() else { return };
        for (name, value) in fields {
            match known.iter().find(|(known, _)| known == name) {
                Some((_, id)) => *value = json!(id),
                None => self.name_what_is_there(value),
            }
        }
    }
}

/// Puts values in the places that an example has for them.
fn fill(example: &mut Value, values: &Value) {
    for (name, value) in values.as_object().unwrap() {
        let place = example.get_mut(name).unwrap_or_else(|| panic!("the example shows no {name}"));
        *place = value.clone();
    }
}
