//! Compares operations, webhooks, and their parameters, bodies and responses.

use serde_json::{Map, Value, json};

use super::Breaks;
use super::schemas::{Direction, Schemas};

/// Returns what breaks programs that use the earlier document.
pub fn compare(earlier: &Value, later: &Value) -> Breaks {
    let mut comparison = Comparison { earlier, later, schemas: Schemas::new(earlier, later) };
    let (before, after) = (select_used(earlier), select_used(later));
    for (path, methods) in members(&before["paths"]) {
        for (method, operation) in members(methods) {
            let place = format!("{} {path}", method.to_uppercase());
            match after["paths"][path].get(method) {
                Some(now) => comparison.compare_operation(&place, operation, now),
                None => comparison.report(&place, "was removed"),
            }
        }
    }
    for (event, hook) in members(&before["webhooks"]) {
        let place = format!("the event {event}");
        match after["webhooks"].get(event) {
            Some(now) => comparison.compare_webhook(&place, &hook["post"], &now["post"]),
            None => comparison.report(&place, "was removed"),
        }
    }
    comparison.schemas.breaks
}

/// Returns the part of a document that tenants use: operations of API keys, webhooks, and shared responses.
pub fn select_used(document: &Value) -> Value {
    let is_used = |operation: &Value| operation["security"] == json!([{ "apiKey": [] }]);
    let mut paths = Map::new();
    for (path, methods) in members(&document["paths"]) {
        let used: Map<String, Value> = members(methods)
            .filter(|(_, operation)| is_used(operation))
            .map(|(method, operation)| (method.clone(), operation.clone()))
            .collect();
        if !used.is_empty() {
            paths.insert(path.clone(), Value::Object(used));
        }
    }
    json!({ "paths": paths, "webhooks": document["webhooks"], "responses": document["components"]["responses"] })
}

struct Comparison<'a> {
    earlier: &'a Value,
    later: &'a Value,
    schemas: Schemas<'a>,
}

impl Comparison<'_> {
    fn report(&mut self, place: &str, what: &str) {
        self.schemas.report(place, what);
    }

    fn compare_operation(&mut self, place: &str, before: &Value, after: &Value) {
        if before["operationId"] != after["operationId"] {
            // The methods of generated clients have its name.
            self.report(
                place,
                &format!("has the operationId {} instead of {}", after["operationId"], before["operationId"]),
            );
        }
        self.compare_parameters(place, before, after);
        self.compare_request(place, &before["requestBody"], &after["requestBody"]);
        for (status, response) in members(&before["responses"]) {
            let is_success = status.starts_with('2');
            match after["responses"].get(status) {
                Some(now) => {
                    let (response, now) = (resolve(self.earlier, response), resolve(self.later, now));
                    self.compare_response(&format!("{place}, response {status}"), response, now);
                }
                None if is_success => self.report(place, &format!("has no response {status} any more")),
                None => {}
            }
        }
    }

    fn compare_parameters(&mut self, place: &str, before: &Value, after: &Value) {
        let find = |parameters: &Value, name: &Value, within: &Value| {
            items(parameters).find(|it| it["name"] == *name && it["in"] == *within).cloned()
        };
        for parameter in items(&before["parameters"]) {
            let (name, within) = (&parameter["name"], &parameter["in"]);
            let place = format!("{place}, {} {}", text(within), text(name));
            let Some(now) = find(&after["parameters"], name, within) else {
                self.report(&place, "was removed");
                continue;
            };
            if now["required"] == true && parameter["required"] != true {
                self.report(&place, "is now required");
            }
            self.schemas.compare(&place, &parameter["schema"], &now["schema"], Direction::Request);
        }
        for parameter in items(&after["parameters"]).filter(|it| it["required"] == true) {
            if find(&before["parameters"], &parameter["name"], &parameter["in"]).is_none() {
                self.report(place, &format!("requires the new parameter {}", text(&parameter["name"])));
            }
        }
    }

    fn compare_request(&mut self, place: &str, before: &Value, after: &Value) {
        if after["required"] == true && before["required"] != true {
            self.report(place, "now requires a body");
        }
        self.compare_contents(&format!("{place}, request"), before, after, Direction::Request);
    }

    fn compare_response(&mut self, place: &str, before: &Value, after: &Value) {
        for (name, _) in members(&before["headers"]) {
            if after["headers"].get(name).is_none() {
                self.report(place, &format!("has no header {name} any more"));
            }
        }
        self.compare_contents(place, before, after, Direction::Response);
    }

    fn compare_contents(&mut self, place: &str, before: &Value, after: &Value, direction: Direction) {
        for (kind, content) in members(&before["content"]) {
            match after["content"].get(kind) {
                Some(now) => self.schemas.compare(place, &content["schema"], &now["schema"], direction),
                None => self.report(place, &format!("has no {kind} any more")),
            }
        }
    }

    fn compare_webhook(&mut self, place: &str, before: &Value, after: &Value) {
        for header in items(&before["parameters"]) {
            if !items(&after["parameters"]).any(|it| it["name"] == header["name"]) {
                self.report(place, &format!("has no header {} any more", text(&header["name"])));
            }
        }
        self.compare_contents(place, &before["requestBody"], &after["requestBody"], Direction::Response);
    }
}

fn resolve<'a>(document: &'a Value, response: &'a Value) -> &'a Value {
    let name = response["$ref"].as_str().and_then(|it| it.strip_prefix("#/components/responses/"));
    name.map_or(response, |name| &document["components"]["responses"][name])
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
