//! How an answer is shown to a person: a table, or lines of a name and a value.

use serde_json::Value;

/// A heading or name, and where its value is in the answer: a JSON pointer.
type Part = (&'static str, &'static str);

/// How an answer is shown.
pub(super) enum Shown {
    /// One line for each item of a list.
    Table {
        /// The columns.
        columns: &'static [Part],
        /// What an empty list means.
        empty: &'static str,
    },
    /// One line for each part, and words below.
    Lines {
        /// The lines; what the answer does not have is left out.
        parts: &'static [Part],
        /// What to know or do now.
        advice: &'static str,
    },
    /// A text of several lines, as it is.
    Text {
        /// Where it is.
        at: &'static str,
    },
}

impl Shown {
    pub(super) fn words(&self, answer: &Value) -> String {
        match self {
            Self::Table { columns, empty } => match answer.as_array().map(Vec::as_slice) {
                None | Some([]) => (*empty).to_owned(),
                Some(items) => table(columns, items),
            },
            Self::Lines { parts, advice } => {
                let found = parts.iter().filter_map(|(name, at)| Some((*name, answer.pointer(at)?)));
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
                let found = answer.pointer(at).and_then(Value::as_str).unwrap_or_default();
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

/// What strangers typed must not steer the terminal, nor turn a line around.
fn harmless(letter: char) -> char {
    let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if letter.is_control() || turns { char::REPLACEMENT_CHARACTER } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_lines_up_and_an_empty_list_says_what_it_means() {
        let shown = Shown::Table { columns: &[("ID", "/id"), ("ACTIVE", "/active")], empty: "none" };
        let items = json!([{"id": "wh-1", "active": true}, {"id": "wh-long", "active": null}]);
        assert_eq!(shown.words(&items), "ID       ACTIVE\nwh-1     yes\nwh-long  -");
        assert_eq!(shown.words(&json!([])), "none");
    }

    #[test]
    fn what_a_stranger_typed_does_not_steer_the_terminal() {
        let shown = Shown::Lines { parts: &[("employer", "/employer")], advice: "" };
        let words = shown.words(&json!({"employer": "\u{1b}]0;x\u{7}\u{202e}é\n"}));
        assert_eq!(words, "employer  \u{fffd}]0;x\u{fffd}\u{fffd}é\u{fffd}");
    }

    #[test]
    fn a_text_keeps_its_lines_and_nothing_that_steers() {
        let shown = Shown::Text { at: "/mail" };
        assert_eq!(shown.words(&json!({"mail": "To: a\r\n\r\n\u{1b}[2J\n"})), "To: a\n\n\u{fffd}[2J");
    }

    #[test]
    fn lines_leave_out_what_is_not_there() {
        let parts = &[("key", "/apiKey"), ("secret", "/apiSecret")];
        let shown = Shown::Lines { parts, advice: "Keep it." };
        assert_eq!(shown.words(&json!({"apiKey": "lpk_1"})), "key  lpk_1\nKeep it.");
    }
}
