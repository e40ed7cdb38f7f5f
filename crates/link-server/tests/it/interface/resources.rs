//! The resources of the field tables as the API returns them, and the shapes of identifiers.

use axum::http::Method;
use serde_json::{Value, json};

use super::fields::*;
use super::shape::Shape::{Id, User};
use super::shape::{Seen, Shape};
use crate::sandbox_complete::Walk;
use crate::service::{TestService, text};

/// A kind of resource, its list, and the shape of its ids.
pub const IDENTIFIERS: &[(&str, &str, Shape)] = &[
    ("user `<tenant_id>-<hex>`", "/users", User),
    ("account `a-<hex>`", "/accounts", Id("a")),
    ("event `et-<hex>`", "/events", Id("et")),
    ("social security record `ss-<hex>`", "/alpha/socialSecurities", Id("ss")),
    ("document `d-<hex>`", "/documents", Id("d")),
    ("rating `r-<hex>`", "/ratings", Id("r")),
    ("estimated income `einc-<hex>`", "/eincomes", Id("einc")),
    ("identity `i-<hex>`", "/identities", Id("i")),
    ("employment `e-<hex>`", "/employments", Id("e")),
    ("contribution `con-<hex>`", "/contributions", Id("con")),
    ("liability `lia-<hex>`", "/liabilities", Id("lia")),
    ("archive `archive-<hex>`", "/archives", Id("archive")),
    ("invitation `iv-<hex>`", "/invites", Id("iv")),
    ("insight `insight-<hex>`", "/insights", Id("insight")),
    ("link `link-<hex>`", "/links", Id("link")),
    ("consent template `ct-<hex>`", "/consentTemplates", Id("ct")),
];

/// Returns a record request with every field set.
pub fn record_request(service: &TestService) -> Value {
    let mut request = crate::records::request("525500000100");
    request["consent"] = json!({
        "consentedAt": "2026-11-20T11:07:11.000Z",
        "consentTemplateId": service.sandbox.consent,
        "type": "TERMS_AND_CONDITIONS",
        "version": "1.0",
        "consentedWith": "I agree.",
    });
    request
}

/// Has two invited users answer the form of a hosted link site.
pub async fn answer_forms(walk: &Walk) {
    let service = &walk.service;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let form = json!({"name": "About the loan", "reference": "loan-2026", "fields": [
        {"name": "purpose", "label": "What is it for?", "type": "CHOICE", "required": true, "choices": ["Car", "Home"]},
    ]});
    let changed = service.patch(&template, json!({"form": form})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    for purpose in ["Car", "Home"] {
        let invite = service.invited().await;
        let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
        let answers = format!("purpose={purpose}");
        let sent = service.browse(Method::POST, "/visit/form", &cookie, Some(&answers)).await;
        assert_eq!(sent.status, 303, "{}", sent.body);
    }
    let changed = service.patch(&template, json!({"form": null})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
}

/// Links a custom login whose data fills the fields that are null for every generated person.
pub async fn link_a_custom_login(walk: &Walk) {
    let service = &walk.service;
    let data = json!({
        "identity": {
            "fullName": "Ana Ruiz Jr.", "suffix": "Jr.", "maritalStatus": "SINGLE",
            "photoUrl": "https://example.com/ana.jpg", "profileUrl": "https://example.com/ana",
            "emails": [], "phones": [],
            "socialProfiles": [{"socialUrl": "https://social.example.com/ana", "type": "PROFESSIONAL"}],
            "addresses": [{
                "fullAddress": "Calle Sol 1, Piso 2, Puebla", "line1": "Calle Sol 1", "line2": "Piso 2",
                "city": "Puebla", "region": "Puebla", "zip": "72000", "country": "MX",
                "latitude": 19.0414, "longitude": -98.2063, "type": "HOME",
            }],
        },
        "rating": {"currentRating": 4.5, "maxRating": 5.0, "calculatedPercentage": 90.0, "likesReceived": 12.0},
        "documents": [{
            "name": "Certificate", "docId": "C-1", "documentType": "CERTIFICATE",
            "fileUrl": "https://files.example.com/c-1.pdf",
        }],
        "employments": [{"employer": "Talleres Aurora", "description": "Welds frames", "startDate": "2024-02-01"}],
    });
    let made = service.post("/scenarios", json!({"login": "ana.ruiz", "data": data})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "ana.ruiz", "pass").await;
    service.settled(&session, &progress).await;
    walk.until_tasks_end().await;
}

/// Checks every item of the lists.
pub async fn walk(walk: &Walk, seen: &mut Seen) {
    for account in walk.all("/accounts").await {
        seen.object("Account", ACCOUNT, &account);
        seen.object("Connection", CONNECTION_PARTS, &account["connection"]);
        seen.object("Monitor", MONITOR_PARTS, &account["monitor"]);
        assert_eq!(account["connectionStatus"], account["connection"]["status"]);
        assert_eq!(account["monitorStatus"], account["monitor"]["status"]);
    }
    for (list, table, fields) in [
        ("/documents", "Document", DOCUMENT),
        ("/ratings", "Rating", RATING),
        ("/eincomes", "Estimated income", ESTIMATED_INCOME),
    ] {
        for item in walk.all(list).await {
            seen.object(table, fields, &item);
            seen.object("Metadata", METADATA, &item["metadata"]);
        }
    }
    for rating in walk.all("/ratings").await {
        let part = |name: &str| rating[name].as_f64().unwrap();
        let percentage = part("currentRating") / part("maxRating") * 100.0;
        assert!((part("calculatedPercentage") - percentage).abs() < 0.01, "{rating}");
    }
    for form in walk.all("/alpha/forms").await {
        seen.object("Form", FORM, &form);
    }
    for record in walk.all("/alpha/socialSecurities").await {
        seen.object("Record", RECORD, &record);
        seen.object("Record request", RECORD_REQUEST, &record["requestMeta"]);
        if record["result"].is_object() {
            seen.object("Result", RECORD_RESULT, &record["result"]);
        }
    }
    required(walk).await;
    echoed(walk, seen).await;
    registered(walk, seen).await;
    for (words, list, shape) in IDENTIFIERS {
        let first = walk.service.get(&format!("{list}?size=1")).await.body["items"][0].clone();
        assert!(shape.fits(&first["id"]), "{words}: {first}");
    }
}

/// Checks that every field of a record request is required.
async fn required(walk: &Walk) {
    for field in RECORD_REQUEST {
        let mut request = record_request(&walk.service);
        request.as_object_mut().unwrap().remove(field.name);
        let refused = walk.service.post("/alpha/socialSecurities", request).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
            (422, &json!(field.name)),
            "{}",
            field.name
        );
    }
}

/// Checks that `requestMeta` echoes the request, including the consent.
async fn echoed(walk: &Walk, seen: &mut Seen) {
    let mut request = record_request(&walk.service);
    let created = walk.service.post("/alpha/socialSecurities", request.clone()).await.body;
    request["userId"] = json!(null);
    assert_eq!(created["requestMeta"], request);
    seen.object("Consent", CONSENT, &created["requestMeta"]["consent"]);
    assert!(text(&created["requestMeta"]["templateId"]).starts_with("tpl-"), "record template `tpl-<id>`");
}

/// Checks that a webhook accepts every field of its table and returns all except the secret.
async fn registered(walk: &Walk, seen: &mut Seen) {
    let webhook = json!({
        "name": "every field", "url": walk.receiver.url, "eventTypes": ["ALL_EVENTS"], "active": false,
        "secret": "a secret of a tenant", "includePayload": true,
    });
    seen.object("Webhook", WEBHOOK, &webhook);
    let made = walk.service.post("/webhooks", webhook.clone()).await;
    assert_eq!(made.status, 201, "{}", made.body);
    for field in WEBHOOK.iter().filter(|it| it.name != "secret") {
        assert_eq!(made.body[field.name], webhook[field.name], "{}", field.name);
    }
    let minimal =
        json!({"url": walk.receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    let made = walk.service.post("/webhooks", minimal).await.body;
    assert_eq!(made["includePayload"], false, "default false");
    walk.service.delete(&format!("/webhooks/{}", text(&made["id"]))).await;
}
