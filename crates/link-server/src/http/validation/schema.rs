//! Checks JSON bodies against the schemas of the published OpenAPI document, and reports all faults at once.
//!
//! Our own: `jsonschema` collects every error of a body before it returns one. 249 KB then take 100 MB (ADR 113).

mod reading;
mod rules;
#[cfg(test)]
mod tests;
mod visit;

use std::collections::HashMap;
use std::sync::OnceLock;

use link_types::problem::FieldFault;
use regex::Regex;
use serde_json::{Map, Value};

/// The published schemas that bodies are checked against, by name.
#[derive(Debug, Default)]
pub struct Schemas {
    by_name: Map<String, Value>,
    /// Compiled on first use: a pattern with a long repetition takes megabytes, and most processes never need it.
    patterns: HashMap<String, OnceLock<Option<Regex>>>,
}

impl Schemas {
    /// Returns the faults of `body` under the schema `name`. Stops when there are more than a problem document can
    /// hold.
    pub fn check(&self, name: &str, body: &Value) -> Vec<FieldFault> {
        self.check_part(name, body, "")
    }

    /// Checks a part of a body. `path` is the part's place in the body, for the faults.
    pub fn check_part(&self, name: &str, part: &Value, path: &str) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        match self.by_name.get(name) {
            Some(schema) => self.visit(schema, part, path, &mut faults),
            None => tracing::error!(name, "Request body has no published schema"),
        }
        faults
    }
}
