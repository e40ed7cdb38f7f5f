//! The guides' requests get the guides' answers: the same fields, of the same types.

use link_store::test_support::Backend;
use serde_json::Value;

use crate::service::{TestService, text};

/// A guide's blocks of this language, in order.
fn blocks(guide: &str, language: &str) -> Vec<String> {
    let path = format!("{}/../../docs/{guide}.md", env!("CARGO_MANIFEST_DIR"));
    let fence = format!("```{language}\n");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

fn json_blocks(guide: &str) -> Vec<Value> {
    blocks(guide, "json").iter().map(|block| serde_json::from_str(block).unwrap()).collect()
}

/// The address of the guide's first request, relative to the sandbox's base address.
fn address(guide: &str) -> String {
    let request = blocks(guide, "http").remove(0);
    request.trim().strip_prefix("POST /sandbox/v1").unwrap().to_owned()
}

/// A value with its texts, numbers and flags left out.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => "a flag".into(),
        Value::Number(_) => "a number".into(),
        Value::String(_) => "a text".into(),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), shape(it))).collect(),
    }
}

#[tokio::test]
async fn the_guide_to_records_shows_a_request_and_what_comes_of_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let [request, answer] = json_blocks("records").try_into().unwrap();
    let path = address("records");
    let created = service.post(&path, request).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    let keys = service.sandbox.clone();
    let record = service.completed(&format!("{path}/{}", text(&created.body["id"])), &keys).await;
    assert_eq!(shape(&record), shape(&answer));
    for name in ["status", "resultCode", "resultMessage", "requestMeta"] {
        assert_eq!(record[name], answer[name], "{name}");
    }
}

#[tokio::test]
async fn the_guide_to_signals_shows_a_request_and_its_answer() {
    let service = TestService::start(Backend::Sqlite).await;
    let [request, answer] = json_blocks("signals").try_into().unwrap();
    let created = service.post(&address("signals"), request).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    for name in ["status", "resultCode", "resultMessage", "requestMeta"] {
        assert_eq!(created.body[name], answer[name], "{name}");
    }
    // How many days a hit has is drawn.
    let types = |signal: &Value| -> Vec<(String, String)> {
        let items = signal["items"].as_array().unwrap();
        items.iter().map(|it| (text(&it["name"]), text(&it["valueType"]))).collect()
    };
    assert_eq!(types(&created.body), types(&answer));
    let names = |signal: &Value| signal.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&created.body), names(&answer));
}
