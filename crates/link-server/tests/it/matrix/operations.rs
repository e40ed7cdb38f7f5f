//! The operations of the OpenAPI document, which the router generates.

use axum::http::Method;
use serde_json::Value;

use crate::service::text;

/// One operation.
#[derive(Clone)]
pub struct Operation {
    pub method: Method,
    pub path: String,
    pub body: Option<Value>,
    /// The example body of the document.
    pub example: Option<Value>,
    pub query: Vec<String>,
    /// The required query parameters, with their schemas.
    pub needs: Vec<(String, Value)>,
    /// Headers, with the example values of the document.
    pub headers: Vec<(String, String)>,
    pub security: Security,
}

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    Tenant,
    Session,
    Public,
}

impl Operation {
    /// Returns the operations of a document.
    pub fn all(document: &Value) -> Vec<Self> {
        let paths = document["paths"].as_object().unwrap();
        paths
            .iter()
            .flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |it| Self::read(path, it)))
            .collect()
    }

    fn read(path: &str, (method, operation): (&String, &Value)) -> Self {
        let parameters = || operation["parameters"].as_array().into_iter().flatten();
        let query = parameters().filter(|it| it["in"] == "query");
        let headers = parameters().filter(|it| it["in"] == "header" && !it["example"].is_null());
        let headers = headers.map(|it| {
            let example = &it["example"];
            (text(&it["name"]), example.as_str().map_or_else(|| example.to_string(), str::to_owned))
        });
        let content = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let media_type = content.map(|(it, _)| it).filter(|it| *it != "application/json");
        let media_type = media_type.map(|it| ("content-type".to_owned(), it.clone()));
        Self {
            method: method.to_uppercase().parse().unwrap(),
            path: path.to_owned(),
            body: operation["requestBody"]["content"]["application/json"].get("schema").cloned(),
            example: operation["requestBody"]["content"]["application/json"].get("example").cloned(),
            query: query.map(|it| text(&it["name"])).collect(),
            needs: parameters()
                .filter(|it| it["in"] == "query" && it["required"] == true)
                .map(|it| (text(&it["name"]), it["schema"].clone()))
                .collect(),
            headers: headers.chain(media_type).collect(),
            security: match operation["security"].to_string() {
                it if it.contains("apiKey") => Security::Tenant,
                it if it.contains("session") => Security::Session,
                _ => Security::Public,
            },
        }
    }

    /// Returns true if the path contains an id.
    pub fn has_id(&self) -> bool {
        self.path.contains('{')
    }
}
