//! Checks that the tables of items are consistent and that the guide shows them.

use std::collections::BTreeSet;

use super::*;

#[test]
fn signal_id_prefix_determines_the_kind() {
    for kind in SignalKind::ALL {
        let id = SignalId::from_bytes(*kind, [1; 16]);
        assert_eq!(id.kind(), Ok(*kind), "{id}");
        assert_eq!(id.as_str().parse(), Ok(id));
    }
}

#[test]
fn item_names_are_unique_and_lower_bounds_come_first() {
    for kind in SignalKind::ALL {
        let mut seen = BTreeSet::new();
        for item in kind.items() {
            if let Some(other) = item.not_below {
                assert!(seen.contains(other), "{kind} {}: {other} comes before it", item.name);
            }
            assert!(seen.insert(item.name), "{kind} has {} twice", item.name);
        }
        assert!(seen.len() > 1, "{kind}");
    }
}

#[test]
fn only_verifications_are_billed_without_data() {
    let billed = |code| SignalKind::ALL.iter().filter(|kind| kind.is_billed(code)).count();
    let counts: Vec<usize> = ResultCode::ALL.iter().map(|code| billed(*code)).collect();
    assert_eq!(counts, [9, 1, 0, 0, 0]);
    assert!(SignalKind::Verification.is_billed(ResultCode::NoData));
}

#[test]
fn item_values_round_trip_as_plain_json() {
    let day: Date = "2026-11-20".parse().unwrap();
    for (value, text) in [
        (ItemValue::Boolean(true), "true"),
        (ItemValue::Integer(3), "3"),
        (ItemValue::Number(0.5), "0.5"),
        (ItemValue::Dates(vec![day]), "[\"2026-11-20\"]"),
        (ItemValue::Text("NEW".to_owned()), "\"NEW\""),
    ] {
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(serde_json::from_str::<ItemValue>(text).unwrap(), value);
    }
}

fn table(kind: SignalKind) -> String {
    let line = |item: &ItemSpec| {
        let (value_type, values) = (item.values.value_type(), item.values.in_words());
        format!("| `{}` | {value_type} | {values} | {} |\n", item.name, item.description)
    };
    let lines: String = kind.items().iter().map(line).collect();
    format!("| Item | `valueType` | Values | Description |\n|---|---|---|---|\n{lines}")
}

#[test]
fn guide_contains_the_table_of_every_signal() {
    let guide =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/signals.md"))
            .unwrap();
    let tables = SignalKind::ALL.iter().map(|kind| table(*kind));
    let missing: Vec<String> = tables.filter(|table| !guide.contains(table)).collect();
    assert!(missing.is_empty(), "docs/reference/signals.md lacks\n{}", missing.join("\n"));
}
