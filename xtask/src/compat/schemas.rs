//! Compares the schemas of requests and responses.
//!
//! A later service must accept every request that was valid, and respond only with what clients already understand. Clients
//! ignore fields and events that they do not know, and have a branch for values that are added to an enum. They wait for the
//! values that they know, so each of these must remain possible.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::Breaks;
use super::variants::{Variant, list_variants};

/// The prefix of a reference to a named schema.
pub const PREFIX: &str = "#/components/schemas/";

/// The sender of a value.
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
        // Every value that is sent must be understood.
        let (sent, understood) = match direction {
            Direction::Request => (&before, &after),
            Direction::Response => (&after, &before),
        };
        for variant in sent {
            self.compare_variant(place, variant, (sent, understood), direction);
        }
        if direction == Direction::Response {
            self.report_unsent(place, sent, understood);
        }
    }

    /// Reports the values and the tagged objects that programs know, and that a response no longer has.
    fn report_unsent(&mut self, place: &str, sent: &[Variant<'_>], known: &[Variant<'_>]) {
        for variant in known {
            let is_open = sent.iter().any(|it| {
                it.kind == "any"
                    || (it.list_values().is_none() && (it.kind == variant.kind || variant.kind == "any"))
            });
            for value in variant.list_values().into_iter().flatten().filter(|it| !is_open && !it.is_null()) {
                if !sent.iter().filter_map(Variant::list_values).any(|values| values.contains(&value)) {
                    self.report(place, &format!("no longer sends {value}"));
                }
            }
        }
        if known.iter().filter(|it| it.kind == "object").count() > 1 {
            for tag in known.iter().filter(|it| it.kind == "object").filter_map(Variant::tag) {
                if !sent.iter().any(|it| it.kind == "any" || it.has_tag(&tag)) {
                    self.report(place, &format!("no longer sends {}", tag.join(",")));
                }
            }
        }
    }

    fn compare_variant(
        &mut self,
        place: &str,
        sent: &Variant<'_>,
        (all_sent, understood): (&[Variant<'_>], &[Variant<'_>]),
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
        let same_tag = candidates.iter().find(|it| tag.is_some() && it.tag() == tag).or_else(|| {
            // A field with one value that was added does not make it another type.
            candidates
                .iter()
                .find(|it| it.tag().is_some_and(|tag| tag[0].contains('=') && sent.has_tag(&tag)))
        });
        if direction == Direction::Response && same_tag.is_none() && tag.is_some() {
            let is_still_sent = |known: &Variant<'_>| {
                known.tag().is_some_and(|tag| all_sent.iter().any(|it| it.has_tag(&tag)))
            };
            if candidates.len() > 1 || candidates.iter().any(|it| is_still_sent(it)) {
                // A type that is added to those that the tag distinguishes.
                return;
            }
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
        if let Some(known) = understood.list_values() {
            match (sent.list_values(), direction) {
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
        let [format, known_format] =
            [sent, understood].map(|it| it.find("format").and_then(Value::as_str).unwrap_or_default());
        let is_part = matches!((format, known_format), ("int32", "int64") | ("float", "double"));
        let has_formats =
            ["string", "integer", "number"].contains(&sent.kind) && sent.kind == understood.kind;
        if has_formats && !known_format.is_empty() && format != known_format && !is_part {
            self.report(place, "has another format");
        }
        if direction == Direction::Response {
            return;
        }
        if sent.find("pattern") != understood.find("pattern") && understood.find("pattern").is_some() {
            self.report(place, "has another pattern");
        }
        let is_true = |variant: &Variant<'_>, name| variant.find(name) == Some(&Value::Bool(true));
        if is_true(understood, "uniqueItems") && !is_true(sent, "uniqueItems") {
            self.report(place, "no longer accepts equal items");
        }
        for (name, is_upper) in [
            ("maxLength", true),
            ("maxItems", true),
            ("maxProperties", true),
            ("maximum", true),
            ("minLength", false),
            ("minItems", false),
            ("minProperties", false),
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
        let is_any = matches!(others, None | Some(Value::Bool(true)));
        let is_limited = known_others.and_then(Value::as_object).is_some_and(|it| !it.is_empty());
        if direction == Direction::Response && is_limited && is_any {
            self.report(&format!("{place}.*"), "can now have any value");
        }
        if direction == Direction::Request
            && let Some(names) = understood.find("propertyNames")
        {
            let text = json!({ "type": "string" });
            let place = format!("{place}, each name");
            self.compare(&place, sent.find("propertyNames").unwrap_or(&text), names, direction);
        }
        if direction == Direction::Request
            && known_others == Some(&Value::Bool(false))
            && others != known_others
        {
            self.report(place, "no longer accepts other fields");
        }
    }
}

/// Returns whether a value is a schema, not a text.
pub fn is_schema(value: &Value) -> bool {
    ["type", "$ref", "oneOf", "anyOf", "allOf"].iter().any(|name| value.get(name).is_some())
}
