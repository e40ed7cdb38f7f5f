//! Answers to the form of a link site: conditions, answers before the submission, programs, and the exports.

use axum::http::Method;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::json;

use super::{Stage, site};
use crate::invites::html;

#[rstest]
#[tokio::test]
async fn condition_without_a_script_asks_one_more_time(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    let made = stage.site(site(&stage.service, "loans")).await;
    let cookie = stage.enter("/s/loans?campaign=spring&reference=customer-7&purpose=Home").await;
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("data-field=\"brand\" hidden disabled"), "{page}");
    assert!(!page.contains("Campaign") && !page.contains("selected"), "only hidden fields are prefilled");
    stage.read();
    let (status, page) = stage.send(&cookie, "purpose=Car").await;
    assert!(status == 422 && page.contains("Your answers lead to more questions."), "{page}");
    assert!(page.contains("data-field=\"brand\"><input") && !page.contains("aria-invalid"), "{page}");
    let (status, page) = stage.send(&cookie, "purpose=Car&_shown=brand&brand=").await;
    assert!(status == 422 && page.contains("aria-invalid"), "the brand is required: {page}");
    let sent = stage.send(&cookie, "purpose=Car&_shown=brand&brand=Aurora&campaign=forged").await;
    assert_eq!(sent.0, 303, "{}", sent.1);
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    assert_eq!(form["data"], json!({"purpose": "Car", "brand": "Aurora", "campaign": "spring"}));
    assert_eq!((&form["reference"], &form["linkSiteId"]), (&json!("customer-7"), &made["id"]));
    assert_eq!((&form["status"], &form["formVersion"]), (&json!("SUBMITTED"), &json!(1)));
}

#[tokio::test]
async fn answers_before_the_submission_are_listed_by_their_status() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(site(&stage.service, "loans")).await;
    let cookie = stage.enter("/s/loans").await;
    let draft = async |answers: &str| {
        stage.service.browse(Method::POST, "/visit/draft", &cookie, Some(answers)).await
    };
    assert_eq!(draft("purpose=Home").await.body, json!({"hidden": ["brand"]}));
    assert_eq!(draft("purpose=Car&brand=Aurora").await.body, json!({"hidden": []}));
    assert_eq!(stage.service.get("/alpha/forms").await.body["items"], json!([]));
    let started = stage.service.get("/alpha/forms?status=STARTED").await.body["items"][0].clone();
    assert_eq!(started["data"], json!({"purpose": "Car", "brand": "Aurora", "campaign": null}));
    assert_eq!(started["submittedAt"], json!(null));
    stage.read();
    assert_eq!(stage.send(&cookie, "purpose=Home&brand=Aurora").await.0, 303);
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    assert_eq!((&form["id"], &form["data"]["brand"]), (&started["id"], &json!(null)));
    assert!(form["data"].get("brand").is_none(), "a hidden answer is not stored: {form}");
    assert_eq!(stage.service.get("/alpha/forms?status=STARTED").await.body["items"], json!([]));
    draft("purpose=Car").await;
    assert_eq!(stage.service.get("/alpha/forms").await.body["items"][0], form, "submitted answers stay");
}

#[tokio::test]
async fn answers_of_a_program_are_rejected_and_kept() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(site(&stage.service, "loans")).await;
    let cookie = stage.enter("/s/loans").await;
    stage.read();
    let (status, page) = stage.send(&cookie, "purpose=Home&_website=x").await;
    assert!(status == 422 && page.contains("press the button again"), "{page}");
    assert!(page.contains("value=\"Home\" selected"), "nothing typed is lost: {page}");
    assert_eq!(stage.send(&cookie, "purpose=Home&_website=").await.0, 303);
}

#[tokio::test]
async fn every_type_of_field_is_answered_and_exported() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "types");
    body["prefill"] = json!([]);
    body["form"]["fields"] = json!([
        {"name": "about", "label": "Read this first.", "type": "STATEMENT", "help": "It is short."},
        {"name": "code", "label": "Code", "type": "TEXT", "format": {"digits": {"min": 4, "max": 4}}},
        {"name": "story", "label": "Story", "type": "LONG_TEXT"},
        {"name": "amount", "label": "Amount", "type": "NUMBER"},
        {"name": "extras", "label": "Extras", "type": "SEVERAL", "choices": ["Roof", "Door", "Wheel"]},
        {"name": "home", "label": "Address", "type": "ADDRESS"},
        {"name": "truth", "label": "True", "type": "CHECKBOX"},
    ]);
    stage.site(body).await;
    let cookie = stage.enter("/s/types").await;
    stage.read();
    let (status, page) = stage.send(&cookie, "code=12&amount=1%2C5&extras=Boat").await;
    assert_eq!((status, page.matches("class=\"fault\"").count()), (422, 3), "{page}");
    let answers =
        "code=1234&story=One%0D%0ATwo&amount=1250.50&extras=Wheel&extras=Roof&home=%3D1%2B1&truth=on";
    assert_eq!(stage.send(&cookie, answers).await.0, 303);
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    let expected = json!({
        "code": "1234", "story": "One\r\nTwo", "amount": "1250.5", "extras": ["Roof", "Wheel"], "home": "=1+1",
        "truth": true,
    });
    assert_eq!(form["data"], expected);
    let exported = stage.service.get("/alpha/forms/export?format=JSON").await;
    assert_eq!(exported.body, json!([form]));
    let csv = html(&stage.service.get("/alpha/forms/export?format=CSV").await);
    assert!(
        csv.contains(
            "\"data.amount\",\"data.code\",\"data.extras\",\"data.home\",\"data.story\",\"data.truth\"\r\n"
        ),
        "{csv}"
    );
    assert!(csv.contains("\"1250.5\",\"1234\",\"Roof; Wheel\",\"'=1+1\",\"One\r\nTwo\",\"true\""), "{csv}");
}
