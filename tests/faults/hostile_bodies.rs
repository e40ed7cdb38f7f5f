//! Expensive bodies at the size limit of each path: the service rejects them with short responses and little memory.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use serde_json::Value;

use crate::process::{Client, Linchpin};
use crate::resume::open_session;

const DOCUMENT: &str = include_str!("../../docs/openapi.json");
/// The longest allowed response to a bad body.
const MAX_RESPONSE: usize = 64 * 1024;
const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;
/// The body limit of most paths, in bytes.
const LIMIT: usize = 256 * KIB;
/// The body limits of the other paths, in bytes.
const ARCHIVES_LIMIT: usize = 32 * MIB;
const LINK_TEMPLATES_LIMIT: usize = 640 * KIB;
const SESSIONS_LIMIT: usize = 32 * KIB;

/// An operation with a body.
struct Operation {
    method: String,
    path: String,
    content_type: String,
    is_of_session: bool,
    /// The fields of the body, in all its variants.
    fields: BTreeSet<String>,
}

impl Operation {
    fn limit(&self) -> usize {
        match self.path.as_str() {
            "/archives" => ARCHIVES_LIMIT,
            "/link/sessions" => SESSIONS_LIMIT,
            path if path.starts_with("/linkTemplates") => LINK_TEMPLATES_LIMIT,
            _ => LIMIT,
        }
    }
}

/// A kind of body that may need much more memory than its size on the wire.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Numbers,
    Objects,
    Names,
    Escapes,
    Repeated,
    Unknown,
}

impl Shape {
    const ALL: [Self; 6] =
        [Self::Numbers, Self::Objects, Self::Names, Self::Escapes, Self::Repeated, Self::Unknown];

    /// Returns a value of about `size` bytes.
    fn value(self, size: usize) -> String {
        match self {
            Self::Numbers => format!("[{}1]", "1,".repeat(size / 2)),
            Self::Objects => format!("[{}1]", r#"{"a":1},"#.repeat(size / 8)),
            Self::Names | Self::Unknown => format!("{{{}}}", names(size)),
            Self::Escapes => format!("\"{}\"", r"\u00e9".repeat(size / 6)),
            Self::Repeated => format!("{{{}\"a\":0}}", r#""a":0,"#.repeat(size / 6)),
        }
    }

    /// Returns a body of at most `size` bytes, spread over the operation's fields.
    fn body(self, fields: &BTreeSet<String>, size: usize) -> String {
        let of_unknown = BTreeSet::from(["unheardOf".to_owned()]);
        let fields = if fields.is_empty() { &of_unknown } else { fields };
        if matches!(self, Self::Unknown | Self::Repeated) {
            return self.value(size - 64);
        }
        let size = size / fields.len() - 64;
        let fields: Vec<_> = fields.iter().map(|it| format!("\"{it}\":{}", self.value(size))).collect();
        format!("{{{}}}", fields.join(","))
    }
}

/// Fields with distinct names, of at most `size` bytes.
fn names(size: usize) -> String {
    let mut fields = String::with_capacity(size);
    for number in 0_usize.. {
        let field = format!("\"{number:x}\":0");
        if fields.len() + field.len() + 1 > size {
            break;
        }
        if number > 0 {
            fields.push(',');
        }
        fields.push_str(&field);
    }
    fields
}

#[test]
fn hostile_bodies_use_bounded_memory() {
    let service = Linchpin::start_with(Backend::Sqlite, &[]);
    let tenant = service.client();
    let widget = open_session(&tenant);
    let send = |operation: &Operation, body: &[u8]| {
        let client: &Client = if operation.is_of_session { &widget } else { &tenant };
        client.send(&operation.method, &operation.path, &operation.content_type, body)
    };
    let operations = operations();
    assert!(operations.len() > 45, "{}", operations.len());
    for operation in &operations {
        // A first request creates what all later requests share, so that it is not measured.
        send(operation, b"{}");
    }
    let mut wrong = Vec::new();
    let (mut largest, mut longest) = (0.0_f64, 0);
    for operation in &operations {
        if operation.limit() > LIMIT {
            // Stop before the large bodies if the small ones already failed.
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
        for shape in Shape::ALL {
            let body = shape.body(&operation.fields, operation.limit());
            assert!(body.len() <= operation.limit() && body.len() > operation.limit() / 2);
            let before = service.reset_peak_kib();
            let (status, response) = send(operation, body.as_bytes());
            // Other shapes may need too much memory before they are above the limit.
            let is_within = status != 413 || !matches!(shape, Shape::Escapes);
            assert!(is_within, "{} {}: the body is not above the limit", operation.method, operation.path);
            let grown = service.peak_kib().saturating_sub(before) as usize * KIB;
            let share = grown as f64 / max_growth(body.len()) as f64;
            (largest, longest) = (largest.max(share), longest.max(response.len()));
            if !(400..500).contains(&status) || response.len() > MAX_RESPONSE || share > 1.0 {
                let Operation { method, path, .. } = operation;
                let (sent, answered, grown) = (body.len() / KIB, response.len() / KIB, grown / KIB);
                wrong.push(format!(
                    "{method} {path} with {sent} KiB of {shape:?}: {status}, {answered} KiB of response, memory grew by {grown} KiB"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("at most {:.0} % of the allowed memory, longest response {longest} bytes", largest * 100.0);
}

#[test]
fn largest_upload_uses_at_most_four_times_its_size() {
    let service = Linchpin::start_with(Backend::Sqlite, &["--upload-megabytes", "1000"]);
    let client = service.client();
    let user = client.post("/users", &serde_json::json!({})).unwrap().1["id"].clone();
    let content = STANDARD.encode(vec![b'%'; 11 * MIB]);
    let file = format!(r#"{{"name":"a.pdf","content":"{content}"}}"#);
    let body = format!(r#"{{"userId":{user},"type":"PAYSLIP","files":[{file},{file}]}}"#);
    let before = service.reset_peak_kib();
    let (status, response) = client.send("POST", "/archives", "application/json", body.as_bytes());
    assert_eq!(status, 422, "{}", String::from_utf8_lossy(&response));
    let grown = service.peak_kib().saturating_sub(before) as usize * KIB;
    assert!(
        grown < max_growth(body.len()),
        "memory grew by {} KiB for {} KiB",
        grown / KIB,
        body.len() / KIB
    );
}

/// Returns the memory that a body may cost, in bytes.
fn max_growth(size: usize) -> usize {
    4 * size + 16 * MIB
}

/// Returns every POST, PATCH and PUT operation of the OpenAPI document.
fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if !matches!(method.as_str(), "post" | "patch" | "put") {
                continue;
            }
            let content = operation["requestBody"]["content"].as_object();
            let (content_type, content) = content
                .and_then(|it| it.iter().next())
                .map_or(("application/json", &Value::Null), |(name, content)| (name.as_str(), content));
            let mut fields = BTreeSet::new();
            collect_fields(&document, &content["schema"], &mut fields);
            operations.push(Operation {
                method: method.to_uppercase(),
                path: fill_path(&document, path, &operation["parameters"]),
                content_type: content_type.to_owned(),
                is_of_session: operation["security"].to_string().contains("session"),
                fields,
            });
        }
    }
    // Memory that large bodies allocate may stay with the process, so small bodies are measured first.
    operations.sort_by_key(Operation::limit);
    operations
}

fn collect_fields(document: &Value, schema: &Value, fields: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        return collect_fields(document, document.pointer(name.trim_start_matches('#')).unwrap(), fields);
    }
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let parts = schema[keyword].as_array().into_iter().flatten();
        parts.for_each(|part| collect_fields(document, part, fields));
    }
    fields.extend(schema["properties"].as_object().into_iter().flat_map(|it| it.keys().cloned()));
}

/// Returns a path filled with valid ids of resources that do not exist.
fn fill_path(document: &Value, path: &str, parameters: &Value) -> String {
    let mut path = path.to_owned();
    for parameter in parameters.as_array().into_iter().flatten().filter(|it| it["in"] == "path") {
        let schema = parameter["schema"]["$ref"].as_str().unwrap().trim_start_matches('#');
        let schema = document.pointer(schema).unwrap();
        let id = schema["example"].as_str().or_else(|| schema["examples"][0].as_str()).unwrap();
        path = path.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), id);
    }
    path
}
