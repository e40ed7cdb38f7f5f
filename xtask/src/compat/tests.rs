//! Changes of the document itself, and whether each breaks programs.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{allows_breaks, operations, print};

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap());
/// The document without texts, which is smaller.
static USED: LazyLock<Value> = LazyLock::new(|| {
    let mut baseline: Value = serde_json::from_str(&print(&DOCUMENT, "a reason")).unwrap();
    baseline["interface"].take()
});

/// Returns what a change of the document breaks.
fn breaks(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut later = USED.clone();
    change(&mut later);
    assert_ne!(*USED, later, "the change has no effect");
    operations::compare(&USED, &later).into_iter().collect()
}

fn schema<'a>(document: &'a mut Value, path: &str) -> &'a mut Value {
    document.pointer_mut(&format!("/components/schemas/{path}")).unwrap()
}

fn at<'a>(document: &'a mut Value, pointer: &str) -> &'a mut Value {
    document.pointer_mut(pointer).unwrap()
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().unwrap().remove(name).unwrap();
}

fn remove_required(value: &mut Value, name: &str) {
    value["required"].as_array_mut().unwrap().retain(|it| it != name);
}

#[track_caller]
fn assert_breaks(expected: &str, change: impl FnOnce(&mut Value)) {
    let found = breaks(change);
    assert!(found.iter().any(|line| line.contains(expected)), "{found:#?}");
}

#[track_caller]
fn assert_compatible(change: impl FnOnce(&mut Value)) {
    assert_eq!(breaks(change), Vec::<String>::new());
}

#[test]
fn removed_operation_breaks() {
    assert_breaks("PATCH /users/{id} was removed", |it| remove(at(it, "/paths/~1users~1{id}"), "patch"));
    assert_breaks("GET /users/{id} was removed", |it| remove(at(it, "/paths"), "/users/{id}"));
    assert_breaks("the event PING was removed", |it| remove(at(it, "/webhooks"), "PING"));
    assert_breaks("has the operationId \"makeUser\"", |it| {
        at(it, "/paths/~1users/post")["operationId"] = json!("makeUser");
    });
    assert_breaks("POST /users was removed", |it| {
        at(it, "/paths/~1users/post")["security"] = json!([{ "session": [] }]);
    });
}

#[test]
fn narrower_request_breaks() {
    assert_breaks(".reference is now required", |it| {
        schema(it, "CreateUser")["required"] = json!(["reference"])
    });
    assert_breaks(".reference was removed", |it| remove(schema(it, "CreateUser/properties"), "reference"));
    assert_breaks(".reference no longer accepts string", |it| {
        schema(it, "CreateUser/properties/reference")["type"] = json!("integer");
    });
    assert_breaks(".reference no longer accepts null", |it| {
        schema(it, "CreateUser/properties/reference")["type"] = json!("string");
    });
    assert_breaks(".reference has a narrower maxLength", |it| {
        schema(it, "CreateUser/properties/reference")["maxLength"] = json!(100);
    });
    assert_breaks("no longer accepts \"USER_CREATED\"", |it| {
        schema(it, "EventSelection/items/enum")
            .as_array_mut()
            .unwrap()
            .retain(|value| value != "USER_CREATED");
    });
    assert_breaks(".reference now accepts only some values", |it| {
        schema(it, "CreateUser/properties/reference")["enum"] = json!(["x"]);
    });
    assert_breaks("has another pattern", |it| schema(it, "WebhookId")["pattern"] = json!("^x"));
}

#[test]
fn changed_parameters_break() {
    let parameters = "/paths/~1accounts/get/parameters";
    assert_breaks("GET /accounts, query userId was removed", |it| {
        at(it, parameters).as_array_mut().unwrap().remove(0);
    });
    assert_breaks("GET /accounts, query userId is now required", |it| {
        at(it, parameters)[0]["required"] = json!(true)
    });
    let added = json!({ "name": "z", "in": "query", "required": true, "schema": { "type": "string" } });
    assert_breaks("requires the new parameter z", |it| {
        at(it, parameters).as_array_mut().unwrap().push(added)
    });
}

#[test]
fn wider_response_breaks() {
    assert_breaks(".accessToken was removed", |it| {
        remove(schema(it, "Token/properties"), "accessToken");
        remove_required(schema(it, "Token"), "accessToken");
    });
    assert_breaks(".accessToken can now be absent", |it| remove_required(schema(it, "Token"), "accessToken"));
    assert_breaks(".accessToken can now be null", |it| {
        schema(it, "Token/properties")["accessToken"] = json!({ "type": ["string", "null"] });
    });
    assert_breaks(".accessToken can now be integer", |it| {
        schema(it, "Token/properties")["accessToken"] = json!({ "type": "integer" });
    });
    assert_breaks(".accountId was removed", |it| {
        remove(schema(it, "AccountConnected/properties"), "accountId")
    });
    assert_breaks(".status can now have any value", |it| {
        schema(it, "Connection/properties")["status"] = json!({ "type": "string" });
    });
    assert_breaks("POST /users has no response 201 any more", |it| {
        remove(at(it, "/paths/~1users/post/responses"), "201");
    });
    assert_breaks("has no text/csv any more", |it| {
        remove(at(it, "/paths/~1alpha~1forms~1export/get/responses/200/content"), "text/csv");
    });
    assert_breaks("has no header Retry-After any more", |it| {
        remove(at(it, "/components/responses/Problem409/headers"), "Retry-After");
    });
}

#[test]
fn additions_and_texts_are_compatible() {
    assert_compatible(|it| {
        let clock = at(it, "/paths/~1clock").clone();
        at(it, "/paths")["/new"] = clock;
    });
    assert_compatible(|it| schema(it, "CreateUser/properties")["nick"] = json!({ "type": "string" }));
    assert_compatible(|it| schema(it, "CreateUser/properties/reference")["maxLength"] = json!(300));
    assert_compatible(|it| {
        schema(it, "Token/properties")["more"] = json!({ "type": "integer" });
        schema(it, "Token/required").as_array_mut().unwrap().push(json!("more"));
    });
    // Clients have a branch for values that they do not know.
    assert_compatible(|it| schema(it, "ConnectionStatus/enum").as_array_mut().unwrap().push(json!("NEW")));
    assert_compatible(|it| {
        schema(it, "EventSelection/items/enum").as_array_mut().unwrap().push(json!("NEW"))
    });
    assert_compatible(|it| schema(it, "ProblemCode/enum").as_array_mut().unwrap().truncate(5));
    assert_compatible(|it| schema(it, "CreateUser")["description"] = json!("Another text."));
    assert_compatible(|it| at(it, "/paths/~1users/post")["summary"] = json!("Another text."));
}

#[test]
fn new_event_type_is_compatible() {
    assert_compatible(|it| {
        let mut event = schema(it, "UserCreatedEvent").clone();
        event["properties"]["type"]["enum"] = json!(["NEW"]);
        event["properties"]["data"] = json!({ "type": "object", "properties": {} });
        schema(it, "Event/oneOf").as_array_mut().unwrap().push(event);
    });
}

#[test]
fn renamed_or_inlined_schema_is_compatible() {
    assert_compatible(|it| {
        let token = schema(it, "Token").clone();
        schema(it, "UserWithToken/properties")["token"] = token;
    });
    assert_compatible(|it| {
        let renamed = it.to_string().replace("schemas/Token\"", "schemas/LinkToken\"");
        *it = serde_json::from_str(&renamed).unwrap();
        let token = schema(it, "Token").clone();
        at(it, "/components/schemas")["LinkToken"] = token;
    });
}

#[test]
fn baseline_has_what_tenants_use() {
    let printed = print(&DOCUMENT, "the first");
    let baseline: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(baseline["reason"], "the first");
    assert_eq!(baseline["version"], DOCUMENT["info"]["version"]);
    assert!(operations::compare(&baseline["interface"], &DOCUMENT).is_empty());
    assert!(operations::compare(&DOCUMENT, &baseline["interface"]).is_empty());
    assert!(!printed.contains("Needs an API key with the scope"), "it has texts");
    // The service and the widget that calls it are released together.
    assert!(DOCUMENT["paths"].get("/link/survey").is_some());
    assert!(USED["paths"].get("/link/survey").is_none());
}

#[test]
fn version_says_that_programs_break() {
    for (earlier, later, allows) in [
        ("0.1.0", "0.1.0", false),
        ("0.1.0", "0.1.9", false),
        ("0.1.0", "0.2.0", true),
        ("0.9.0", "1.0.0", true),
        ("1.2.0", "1.3.0", false),
        ("1.2.0", "2.0.0", true),
        ("2.0.0", "1.9.0", false),
    ] {
        assert_eq!(allows_breaks(earlier, later), allows, "{earlier} to {later}");
    }
}
