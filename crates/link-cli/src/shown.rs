//! The format of responses in the terminal.

use serde_json::Value;

/// A heading or name, and the JSON pointer of its value in the response.
pub type Part = (&'static str, &'static str);

/// The format of a response.
pub enum Shown {
    /// One line for each item of a list.
    Table {
        /// The headings, and where their values are.
        columns: &'static [Part],
        /// The message for an empty list.
        empty: &'static str,
    },
    /// One line for each part, followed by advice.
    Lines {
        /// The lines. Parts that the response does not have are left out.
        parts: &'static [Part],
        /// Advice to the operator about the next step.
        advice: &'static str,
    },
    /// Text of several lines.
    Text {
        /// The JSON pointer of the text.
        at: &'static str,
    },
}

impl Shown {
    /// Formats a response.
    #[must_use]
    pub fn words(&self, response: &Value) -> String {
        match self {
            Self::Table { columns, empty } => match response.as_array().map(Vec::as_slice) {
                None | Some([]) => (*empty).to_owned(),
                Some(items) => table(columns, items),
            },
            Self::Lines { parts, advice } => {
                let found = parts.iter().filter_map(|(name, at)| Some((*name, response.pointer(at)?)));
                let found: Vec<_> = found.filter(|(_, value)| !value.is_null()).collect();
                let width = found.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
                let mut lines: Vec<String> = found
                    .into_iter()
                    .map(|(name, value)| format!("{name:width$}  {}", text(value)))
                    .collect();
                lines.extend((!advice.is_empty()).then(|| (*advice).to_owned()));
                lines.join("\n")
            }
            Self::Text { at } => {
                let found = response.pointer(at).and_then(Value::as_str).unwrap_or_default();
                found
                    .lines()
                    .map(|line| line.chars().map(harmless).collect())
                    .collect::<Vec<String>>()
                    .join("\n")
            }
        }
    }
}

fn table(columns: &[Part], items: &[Value]) -> String {
    let mut rows = vec![columns.iter().map(|(heading, _)| (*heading).to_owned()).collect::<Vec<_>>()];
    for item in items {
        rows.push(columns.iter().map(|(_, at)| item.pointer(at).map(text).unwrap_or_default()).collect());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.chars().map(harmless).collect(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields.iter().map(|(name, value)| format!("{name}: {}", text(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Replaces control characters and bidirectional overrides, so that text from outside cannot control the terminal.
pub(crate) fn harmless(letter: char) -> char {
    let is_bidi = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if letter.is_control() || is_bidi { char::REPLACEMENT_CHARACTER } else { letter }
}

/// Formats a response as JSON, or for people.
///
/// # Errors
/// Never in practice: a value is always JSON.
pub fn show(response: &Value, shown: &Shown, json: bool) -> Result<String, serde_json::Error> {
    if json { serde_json::to_string_pretty(response) } else { Ok(shown.words(response)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn table_aligns_columns_and_explains_empty_list() {
        let shown = Shown::Table { columns: &[("ID", "/id"), ("ACTIVE", "/active")], empty: "none" };
        let items = json!([{"id": "wh-1", "active": true}, {"id": "wh-long", "active": null}]);
        assert_eq!(shown.words(&items), "ID       ACTIVE\nwh-1     yes\nwh-long  -");
        assert_eq!(shown.words(&json!([])), "none");
    }

    #[test]
    fn control_characters_are_replaced_in_lines() {
        let shown = Shown::Lines { parts: &[("employer", "/employer")], advice: "" };
        let words = shown.words(&json!({"employer": "\u{1b}]0;x\u{7}\u{202e}é\n"}));
        assert_eq!(words, "employer  \u{fffd}]0;x\u{fffd}\u{fffd}é\u{fffd}");
    }

    #[test]
    fn control_characters_are_replaced_in_text() {
        let shown = Shown::Text { at: "/mail" };
        assert_eq!(shown.words(&json!({"mail": "To: a\r\n\r\n\u{1b}[2J\n"})), "To: a\n\n\u{fffd}[2J");
    }

    #[test]
    fn missing_values_are_left_out() {
        let parts = &[("key", "/apiKey"), ("secret", "/apiSecret")];
        let shown = Shown::Lines { parts, advice: "Keep it." };
        assert_eq!(shown.words(&json!({"apiKey": "lpk_1"})), "key  lpk_1\nKeep it.");
    }
}
