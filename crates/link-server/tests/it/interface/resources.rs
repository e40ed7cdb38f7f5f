//! The resources of the field tables as the API returns them, and the shapes of identifiers.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use self::Shape::{Id, User};
use super::fields::*;
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
        let invite = service.invite_ana().await;
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
    service.until_settled(&session, &progress).await;
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
    check_required(walk).await;
    check_echo(walk, seen).await;
    check_webhook(walk, seen).await;
    for (words, list, shape) in IDENTIFIERS {
        let first = walk.service.get(&format!("{list}?size=1")).await.body["items"][0].clone();
        assert!(shape.fits(&first["id"]), "{words}: {first}");
    }
}

/// Checks that every field of a record request is required.
async fn check_required(walk: &Walk) {
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
async fn check_echo(walk: &Walk, seen: &mut Seen) {
    let mut request = record_request(&walk.service);
    let created = walk.service.post("/alpha/socialSecurities", request.clone()).await.body;
    request["userId"] = json!(null);
    assert_eq!(created["requestMeta"], request);
    seen.object("Consent", CONSENT, &created["requestMeta"]["consent"]);
    assert!(text(&created["requestMeta"]["templateId"]).starts_with("tpl-"), "record template `tpl-<id>`");
}

/// Checks that a webhook accepts every field of its table and returns all except the secret.
async fn check_webhook(walk: &Walk, seen: &mut Seen) {
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

/// The shape of a JSON value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Text,
    /// `<prefix>-<hex>`.
    Id(&'static str),
    /// `<tenant_id>-<hex>`.
    User,
    /// One of these.
    Words(&'static [&'static str]),
    /// date-time: ISO 8601 UTC.
    Moment,
    /// date: YYYY-MM-DD.
    Day,
    /// YYYY-MM.
    Month,
    /// A three-letter ISO 4217 code.
    Currency,
    Url,
    /// A URL of a picture: an address, or a `data:` URL that holds it.
    Photo,
    /// SHA-256 in lowercase hex.
    Digest,
    Number,
    Integer,
    Flag,
    Object,
    Texts,
    Objects,
}

/// A field of the document.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub nullable: bool,
}

/// Returns a field that is never null.
pub const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, nullable: false }
}

impl Field {
    /// Allows null.
    pub const fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }
}

impl Shape {
    pub fn fits(self, value: &Value) -> bool {
        let text = value.as_str();
        let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
        // Each 9 in the mask matches a digit.
        let like = |mask: &str| {
            text.is_some_and(|text| {
                text.len() == mask.len()
                    && text
                        .bytes()
                        .zip(mask.bytes())
                        .all(|(a, b)| if b == b'9' { a.is_ascii_digit() } else { a == b })
            })
        };
        let hex = |text: &str| text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
        match self {
            Self::Text => text.is_some(),
            Self::Id(prefix) => {
                text.and_then(|it| it.strip_prefix(prefix)?.strip_prefix('-')).is_some_and(hex)
            }
            Self::User => text
                .and_then(|it| it.rsplit_once('-'))
                .is_some_and(|(tenant, rest)| tenant == "demo" && hex(rest)),
            Self::Words(words) => text.is_some_and(|it| words.contains(&it)),
            Self::Moment => like("9999-99-99T99:99:99.999Z"),
            Self::Day => like("9999-99-99"),
            Self::Month => like("9999-99"),
            Self::Currency => {
                text.is_some_and(|it| it.len() == 3 && it.bytes().all(|it| it.is_ascii_uppercase()))
            }
            Self::Url => text.is_some_and(|it| {
                let rest = it.strip_prefix("https://").or_else(|| it.strip_prefix("http://"));
                rest.is_some_and(|rest| !rest.is_empty() && !digits(rest))
            }),
            Self::Photo => {
                Self::Url.fits(value) || text.is_some_and(|it| it.starts_with("data:image/png;base64,"))
            }
            Self::Digest => text.is_some_and(|it| {
                it.len() == 64 && it.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'a'..=b'f'))
            }),
            Self::Number => value.is_number(),
            Self::Integer => value.is_u64() || value.is_i64(),
            Self::Flag => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
            Self::Objects => value.as_array().is_some_and(|all| all.iter().all(Value::is_object)),
        }
    }
}

/// The fields that were seen with a value.
#[derive(Default)]
pub struct Seen(BTreeSet<(&'static str, &'static str)>);

impl Seen {
    /// Checks that every field is present with its shape.
    pub fn object(&mut self, table: &'static str, fields: &[Field], object: &Value) {
        for field in fields {
            let place = format!("{table}.{}", field.name);
            let Some(value) = object.get(field.name) else { panic!("{place} is missing: {object}") };
            if value.is_null() {
                assert!(field.nullable, "{place} is null: {object}");
                continue;
            }
            assert!(field.shape.fits(value), "{place} is not {:?}: {object}", field.shape);
            self.0.insert((table, field.name));
        }
    }

    /// Checks every object of a list.
    pub fn objects(&mut self, table: &'static str, fields: &[Field], objects: &Value) {
        let objects = objects.as_array().unwrap_or_else(|| panic!("{table} is not a list: {objects}"));
        objects.iter().for_each(|it| self.object(table, fields, it));
    }

    /// Returns the fields that were never seen with a value.
    pub fn never(&self, table: &'static str, fields: &[Field]) -> Vec<String> {
        let unseen = fields.iter().filter(|it| !self.0.contains(&(table, it.name)));
        unseen.map(|it| format!("{table}.{}", it.name)).collect()
    }
}

#[test]
fn shape_rejects_values_of_another_format() {
    use serde_json::json;
    assert!(Shape::Moment.fits(&json!("2026-11-20T11:07:11.000Z")));
    assert!(!Shape::Moment.fits(&json!("2026-11-20T11:07:11.000+01:00")));
    assert!(!Shape::Day.fits(&json!("2026-11-2")));
    assert!(!Shape::Id("a").fits(&json!("archive-0192f0c1a2b37c4d8e5f60718293a4b5")));
    assert!(Shape::User.fits(&json!("demo-0192f0c1a2b37c4d8e5f60718293a4b5")));
    assert!(!Shape::Integer.fits(&json!(1.5)) && Shape::Number.fits(&json!(1.5)));
    let missing = std::panic::catch_unwind(|| {
        Seen::default().object("Thing", &[field("id", Shape::Text)], &json!({"other": 1}));
    });
    assert!(missing.is_err());
}
