//! Compares the schemas of requests and responses.
//!
//! A later service must accept every request that was valid, and respond only with what clients already understand. Clients
//! ignore fields and events that they do not know, and have a branch for values that are added to an enum.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::Breaks;

/// The prefix of a reference to a named schema.
pub const PREFIX: &str = "#/components/schemas/";

/// Who sends a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The tenant's server.
    Request,
    /// The service, also in a webhook.
    Response,
}

/// The named schemas of two documents, and what breaks.
pub struct Schemas<'a> {
    earlier: &'a Value,
    later: &'a Value,
    /// Pairs of named schemas that are compared, which also ends the recursion of a schema that contains itself.
    compared: HashSet<(String, String, Direction)>,
    /// The breaks so far.
    pub breaks: Breaks,
}

/// One of the alternatives of a schema, with the schemas that it consists of.
struct Variant<'a> {
    kind: &'a str,
    parts: Vec<&'a Value>,
}

impl<'a> Schemas<'a> {
    /// Starts with no breaks.
    pub fn new(earlier: &'a Value, later: &'a Value) -> Self {
        Self { earlier, later, compared: HashSet::new(), breaks: Breaks::new() }
    }

    /// Adds a break.
    pub fn report(&mut self, place: &str, what: &str) {
        self.breaks.insert(format!("{place} {what}"));
    }

    /// Compares an earlier schema with a later one.
    pub fn compare(&mut self, place: &str, before: &Value, after: &Value, direction: Direction) {
        if let (Some(earlier), Some(later)) = (before["$ref"].as_str(), after["$ref"].as_str())
            && !self.compared.insert((earlier.to_owned(), later.to_owned(), direction))
        {
            return;
        }
        let (earlier, later) = (self.earlier, self.later);
        let (before, after) = (list_variants(earlier, before), list_variants(later, after));
        // What is sent must be among what is understood.
        let (sent, understood) = match direction {
            Direction::Request => (&before, &after),
            Direction::Response => (&after, &before),
        };
        for variant in sent {
            self.compare_variant(place, variant, understood, direction);
        }
    }

    fn compare_variant(
        &mut self,
        place: &str,
        sent: &Variant<'_>,
        understood: &[Variant<'_>],
        direction: Direction,
    ) {
        if understood.iter().any(|it| it.kind == "any") {
            return;
        }
        let candidates: Vec<&Variant<'_>> = understood
            .iter()
            .filter(|it| it.kind == sent.kind || (it.kind == "number" && sent.kind == "integer"))
            .collect();
        if candidates.is_empty() {
            let what = match direction {
                Direction::Request => format!("no longer accepts {}", sent.kind),
                Direction::Response => format!("can now be {}", sent.kind),
            };
            return self.report(place, &what);
        }
        let tag = sent.tag();
        let same_tag = candidates.iter().find(|it| tag.is_some() && it.tag() == tag);
        if direction == Direction::Response && same_tag.is_none() && tag.is_some() && candidates.len() > 1 {
            // A type that is added to those that the tag distinguishes.
            return;
        }
        match (same_tag, candidates.as_slice()) {
            (Some(only), _) | (None, [only]) => self.compare_pair(place, sent, only, direction),
            (None, _) => {
                // The variant that differs least.
                let attempts = candidates.iter().map(|candidate| {
                    let mut attempt =
                        Schemas { compared: self.compared.clone(), ..Schemas::new(self.earlier, self.later) };
                    attempt.compare_pair(place, sent, candidate, direction);
                    attempt.breaks
                });
                let least = attempts.min_by_key(Breaks::len).unwrap_or_default();
                self.breaks.extend(least);
            }
        }
    }

    fn compare_pair(
        &mut self,
        place: &str,
        sent: &Variant<'_>,
        understood: &Variant<'_>,
        direction: Direction,
    ) {
        self.compare_values(place, sent, understood, direction);
        match sent.kind {
            "object" => self.compare_objects(place, sent, understood, direction),
            "array" => {
                let [sent, understood] =
                    [sent, understood].map(|it| it.find("items").unwrap_or(&Value::Null));
                self.compare_sent(&format!("{place}[]"), sent, understood, direction);
            }
            _ => {}
        }
    }

    /// Compares the schemas of a member of both.
    fn compare_sent(&mut self, place: &str, sent: &Value, understood: &Value, direction: Direction) {
        match direction {
            Direction::Request => self.compare(place, sent, understood, direction),
            Direction::Response => self.compare(place, understood, sent, direction),
        }
    }

    /// Compares the allowed values of texts and numbers, and the limits of requests.
    fn compare_values(
        &mut self,
        place: &str,
        sent: &Variant<'_>,
        understood: &Variant<'_>,
        direction: Direction,
    ) {
        if let Some(known) = understood.find("enum").and_then(Value::as_array) {
            match (sent.find("enum").and_then(Value::as_array), direction) {
                (None, Direction::Request) => self.report(place, "now accepts only some values"),
                (None, Direction::Response) => self.report(place, "can now have any value"),
                (Some(values), Direction::Request) => {
                    for value in values.iter().filter(|value| !known.contains(value)) {
                        self.report(place, &format!("no longer accepts {value}"));
                    }
                }
                // Clients have a branch for values that are added.
                (Some(_), Direction::Response) => {}
            }
        }
        if sent.find("format") != understood.find("format") && sent.kind == "string" {
            self.report(place, "has another format");
        }
        if direction == Direction::Response {
            return;
        }
        if sent.find("pattern") != understood.find("pattern") && understood.find("pattern").is_some() {
            self.report(place, "has another pattern");
        }
        for (name, is_upper) in [
            ("maxLength", true),
            ("maxItems", true),
            ("maxProperties", true),
            ("maximum", true),
            ("minLength", false),
            ("minItems", false),
            ("minimum", false),
        ] {
            let [before, after] = [sent, understood].map(|it| it.find(name).and_then(Value::as_f64));
            let is_narrower = match (before, after) {
                (_, None) => false,
                (None, Some(after)) => is_upper || after > 0.0,
                (Some(before), Some(after)) => {
                    if is_upper {
                        after < before
                    } else {
                        after > before
                    }
                }
            };
            if is_narrower {
                self.report(place, &format!("has a narrower {name}"));
            }
        }
    }

    fn compare_objects(
        &mut self,
        place: &str,
        sent: &Variant<'_>,
        understood: &Variant<'_>,
        direction: Direction,
    ) {
        let (fields, known) = (sent.list_fields(), understood.list_fields());
        let (before, after) = match direction {
            Direction::Request => (&fields, &known),
            Direction::Response => (&known, &fields),
        };
        for (name, (schema, _)) in before {
            let place = format!("{place}.{name}");
            match after.get(name) {
                Some((now, _)) => self.compare(&place, schema, now, direction),
                None => self.report(&place, "was removed"),
            }
        }
        for name in known.iter().filter(|(_, (_, is_required))| *is_required).map(|(name, _)| name) {
            let place = format!("{place}.{name}");
            match (direction, fields.get(name)) {
                (_, Some((_, true))) | (Direction::Response, None) => {}
                (Direction::Request, _) => self.report(&place, "is now required"),
                (Direction::Response, Some((_, false))) => self.report(&place, "can now be absent"),
            }
        }
        let [others, known_others] = [sent, understood].map(|it| it.find("additionalProperties"));
        if let (Some(others @ Value::Object(_)), Some(known @ Value::Object(_))) = (others, known_others) {
            self.compare_sent(&format!("{place}.*"), others, known, direction);
        }
        if direction == Direction::Request
            && known_others == Some(&Value::Bool(false))
            && others != known_others
        {
            self.report(place, "no longer accepts other fields");
        }
    }
}

impl<'a> Variant<'a> {
    /// Returns a keyword of one of the parts.
    fn find(&self, name: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|part| part.get(name))
    }

    /// Returns the fields, with their schemas and whether they are required.
    fn list_fields(&self) -> BTreeMap<&'a str, (&'a Value, bool)> {
        let required: BTreeSet<&str> = self
            .parts
            .iter()
            .filter_map(|part| part["required"].as_array())
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = self.parts.iter().filter_map(|part| part["properties"].as_object()).flatten();
        properties.map(|(name, schema)| (name.as_str(), (schema, required.contains(name.as_str())))).collect()
    }

    /// Returns what distinguishes the object from the other variants: the fields that have only one value, or the only field.
    fn tag(&self) -> Option<String> {
        let fields = self.list_fields();
        let constants: Vec<String> = fields
            .iter()
            .filter_map(|(name, (schema, _))| match schema["enum"].as_array().map(Vec::as_slice) {
                Some([only]) if only.is_string() => Some(format!("{name}={only}")),
                Some(_) | None => None,
            })
            .collect();
        match (constants.is_empty(), fields.len()) {
            (false, _) => Some(constants.join(",")),
            (true, 1) => fields.keys().next().map(|name| (*name).to_owned()),
            (true, _) => None,
        }
    }
}

/// Returns the alternatives of a schema, each of one kind.
fn list_variants<'a>(document: &'a Value, schema: &'a Value) -> Vec<Variant<'a>> {
    let schema = resolve(document, schema);
    if let Some(alternatives) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return alternatives.iter().flat_map(|it| list_variants(document, it)).collect();
    }
    let mut parts = Vec::new();
    collect_parts(document, schema, &mut parts);
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            vec![if schema.get("allOf").is_some() { "object" } else { "any" }]
        }
    };
    kinds.into_iter().map(|kind| Variant { kind, parts: parts.clone() }).collect()
}

/// Adds the schema, or those that it combines.
fn collect_parts<'a>(document: &'a Value, schema: &'a Value, parts: &mut Vec<&'a Value>) {
    let schema = resolve(document, schema);
    match schema["allOf"].as_array() {
        Some(combined) => combined.iter().for_each(|it| collect_parts(document, it, parts)),
        None => parts.push(schema),
    }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|it| it.strip_prefix(PREFIX)) {
        Some(name) => resolve(document, &document["components"]["schemas"][name]),
        None => schema,
    }
}

/// Returns whether a value is a schema, not a text.
pub fn is_schema(value: &Value) -> bool {
    ["type", "$ref", "oneOf", "anyOf", "allOf"].iter().any(|name| value.get(name).is_some())
}
