//! Compares the response that a guide shows with the real one.
//!
//! Both must have the same fields with the same types. Strings must be equal, except values that differ in each run:
//! ids, times, days, URLs, digests, digits inside a string, and the part from `…` on. Values from the request must be
//! echoed exactly. Other numbers only have to be numbers. `"…": "…"` in an object, or `"…"` at the end of a list, allows
//! further fields or items; the string `…` alone matches any value.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// The placeholder that guides use for omitted content.
const MORE: &str = "…";

static VARYING: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let kinds = [
        r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        r"^\d{4}-\d\d-\d\d$",
        r"^\d{4}-\d\d$",
        r"^https?://\S+$",
        r"^[0-9a-f]{32,}$",
        r"^req-[0-9a-f]+$",
    ];
    kinds.iter().map(|it| Regex::new(it).unwrap()).collect()
});
/// Months and numbers inside strings, as in the id of a payslip.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9]+").unwrap());
static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([a-z]+-)[0-9a-f]{16,}$").unwrap());

/// Collects the strings and numbers of a value, which a response may echo.
pub fn leaves(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|it| leaves(it, found)),
        Value::Array(items) => items.iter().for_each(|it| leaves(it, found)),
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Number(number) => drop(found.insert(number.to_string())),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Collects the differences between the shown and the real response.
pub fn faults(shown: &Value, real: &Value, at: &str, said: &BTreeSet<String>, found: &mut Vec<String>) {
    match (shown, real) {
        (Value::String(shown), _) if shown == MORE => {}
        (Value::Object(shown), Value::Object(real)) => {
            for (name, value) in shown.iter().filter(|(name, _)| *name != MORE) {
                match real.get(name) {
                    Some(real) => faults(value, real, &format!("{at}.{name}"), said, found),
                    None => found.push(format!("{at}.{name} is not in the response")),
                }
            }
            if !shown.contains_key(MORE) {
                let more = real.keys().filter(|name| !shown.contains_key(*name));
                found.extend(more.map(|name| format!("{at}.{name} is not in the guide")));
            }
        }
        (Value::Array(shown), Value::Array(real)) => {
            let has_more = shown.last().is_some_and(|it| it == MORE);
            let shown = if has_more { &shown[..shown.len() - 1] } else { &shown[..] };
            if shown.len() > real.len() || (!has_more && shown.len() < real.len()) {
                found.push(format!("{at} has {} items, {} in the guide", real.len(), shown.len()));
            }
            for (index, (shown, real)) in shown.iter().zip(real).enumerate() {
                faults(shown, real, &format!("{at}[{index}]"), said, found);
            }
        }
        (Value::String(shown), Value::String(real)) => {
            if !is_like(shown, real, said) {
                found.push(format!("{at} is {real:?}, {shown:?} in the guide"));
            }
        }
        (Value::Number(shown), Value::Number(real)) => {
            if said.contains(&shown.to_string()) && shown != real {
                found.push(format!("{at} is {real}, {shown} in the guide"));
            }
        }
        (shown, real) if shown == real => {}
        (shown, real) => found.push(format!("{at} is {real}, {shown} in the guide")),
    }
}

/// Returns true if a real string matches the one that a guide shows.
pub fn is_like(shown: &str, real: &str, said: &BTreeSet<String>) -> bool {
    if shown == real {
        return true;
    }
    if said.contains(shown) {
        return false;
    }
    if let Some((before, _)) = shown.split_once(MORE) {
        let is_address = ["https://", "http://"].iter().any(|it| before.starts_with(it));
        if is_address {
            return real.starts_with("http");
        }
        let fixed: String = before.chars().take_while(|it| !it.is_ascii_digit()).collect();
        return real.starts_with(&fixed);
    }
    match ID.captures(shown) {
        Some(id) => ID.captures(real).is_some_and(|real| real[1] == id[1]),
        None => {
            let is_kind = VARYING.iter().any(|it| it.is_match(shown) && it.is_match(real));
            is_kind
                || (DIGITS.is_match(shown) && DIGITS.replace_all(shown, "0") == DIGITS.replace_all(real, "0"))
        }
    }
}

#[test]
fn comparison_ignores_values_that_vary() {
    let found = |shown: Value, real: Value| {
        let mut found = Vec::new();
        let said = ["mx".to_owned(), "5".to_owned(), "2026-01-01".to_owned()].into();
        faults(&shown, &real, "", &said, &mut found);
        found
    };
    use serde_json::json;
    let id = |prefix: &str, digit: &str| format!("{prefix}-{}", digit.repeat(32));
    let shown = json!({"id": id("a", "0"), "at": "2026-11-20T11:07:11.000Z", "word": "GOOD", "many": [1, "…"], "any": "…"});
    let real = json!({"id": id("a", "7"), "at": "2027-01-20T11:07:11.123Z", "word": "GOOD", "many": [2, 3], "any": null});
    assert_eq!(found(shown, real), Vec::<String>::new());
    assert_eq!(found(json!({"a": 1}), json!({"b": 1})).len(), 2, "one missing field, one extra field");
    assert_eq!(found(json!({"a": 1, "…": "…"}), json!({"a": 3, "b": 1})).len(), 0);
    for (shown, real) in [
        (json!("GOOD"), json!("BAD")),
        (json!(id("a", "0")), json!(id("et", "0"))),
        (json!("2026-01-01"), json!("2026-01-02")),
        (json!(5), json!(6)),
        (json!([1]), json!([1, 2])),
        (json!([1, "…"]), json!([])),
        (json!(null), json!("…")),
        (json!(true), json!(false)),
        (json!("lpt_…"), json!("lps_1")),
        (json!("C202610"), json!("D202611")),
        (json!(1), json!("1")),
    ] {
        assert_eq!(found(shown.clone(), real.clone()).len(), 1, "{shown} {real}");
    }
}
