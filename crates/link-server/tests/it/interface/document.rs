//! Checks these tables against a copy of the interface document's lines: every quoted entry is on its line, and every
//! table row of the document has an entry. If the document is next to the checkout, the copy must be equal to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::fields::{PAYLOAD, TABLES};
use super::{callbacks, codes, endpoints, event_rows, limits, offers, resources, states};

/// A line number and the text on that line.
type Entry = (u32, String);

/// Returns every entry that the walk checks.
pub fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    all.extend(endpoints::ROWS.iter().map(|row| (row.line, row.quoted())));
    all.extend(TABLES.iter().flat_map(|table| table.iter().map(|field| (field.line, field.quoted()))));
    for row in event_rows::ROWS {
        all.push((row.line, format!("| {} |", row.types.join(", "))));
        all.extend(row.fields.iter().map(|it| (row.line, it.field.name.to_owned())));
    }
    for row in event_rows::UNSHOWN {
        all.extend(row.types.iter().map(|name| (row.line, (*name).to_owned())));
    }
    all.extend(codes::LINKING.iter().map(|(line, code)| (*line, format!("| {code} |"))));
    all.extend(codes::RECORD.iter().map(|(line, code, billable)| {
        let billable = if *billable { "yes" } else { "no" };
        (*line, format!("| {code} | * | {billable} |"))
    }));
    all.extend(states::entries().into_iter().map(|(line, state)| (line, format!("| {state} |"))));
    let transitions = states::TRANSITIONS.iter();
    all.extend(transitions.map(|(line, from, to)| (*line, format!("| {from} | * | {to} |"))));
    let sources = offers::SOURCES.iter();
    all.extend(sources.map(|(line, kind, _, points)| (*line, format!("| {kind} | {points} |"))));
    let signals = offers::SIGNALS.iter();
    all.extend(
        signals.map(|(line, name, maturity, mode, _)| (*line, format!("| {name} | {maturity} | {mode}"))),
    );
    for (line, callback, fields) in callbacks::ROWS {
        all.push((*line, format!("| {callback} |")));
        all.extend(fields.iter().map(|field| (*line, field.name.to_owned())));
    }
    all.extend(limits::ROWS.iter().map(|(line, limit, value, ..)| (*line, format!("| {limit} | {value} |"))));
    all.extend(resources::IDENTIFIERS.iter().map(|(words, ..)| (50, (*words).to_owned())));
    all.push((50, resources::RECORD_TEMPLATE.to_owned()));
    all
}

/// The document's table rows, and the other lines that the entries quote, each after its number.
const COPY: &str = include_str!("../../../../../tests/contract/interface-lines.txt");

/// Returns the lines of the document by position. Lines that the copy leaves out are empty.
fn document() -> Vec<String> {
    let mut lines = Vec::new();
    for entry in COPY.lines() {
        let (number, line) = entry.split_once(' ').unwrap_or((entry, ""));
        let number: usize = number.parse().unwrap();
        assert!(number > lines.len(), "the copy's lines are in order: {number}");
        lines.resize(number, String::new());
        lines[number - 1] = line.to_owned();
    }
    lines
}

/// Returns the document itself, if it is next to the checkout.
fn original() -> Option<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/service-interface.md");
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

/// Returns true if the line contains the quoted text; ` * ` matches any text.
fn contains(line: &str, quoted: &str) -> bool {
    let mut rest = line;
    quoted.split(" * ").all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[test]
fn interface_tables_match_the_document() {
    let lines = document();
    if let Some(original) = original() {
        let copied = lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
        for (at, line) in copied {
            assert_eq!(Some(line), original.get(at), "line {} of the copy", at + 1);
        }
        assert_eq!(original.iter().filter(|it| it.starts_with('|')).count(), rows_and_rules(&lines));
    }
    let entries = entries();
    for (line, quoted) in &entries {
        let found = &lines[*line as usize - 1];
        assert!(contains(found, quoted), "line {line} has no {quoted:?}: {found}");
    }
    assert_every_row_has_its_entry(&lines, &entries);
    assert_fields_are_complete(&lines);
    assert_events_are_complete(&lines);
}

/// Counts the lines of tables.
fn rows_and_rules(lines: &[String]) -> usize {
    lines.iter().filter(|it| it.starts_with('|')).count()
}

/// Checks that every table row has its entry. A row is a line that is neither the heading nor the rule under it.
fn assert_every_row_has_its_entry(lines: &[String], entries: &[Entry]) {
    let entered: BTreeSet<u32> = entries.iter().map(|(line, _)| *line).collect();
    let is_row = |at: usize| lines.get(at).is_some_and(|line| line.starts_with('|'));
    let is_rule = |at: usize| lines.get(at).is_some_and(|line| line.starts_with("|---"));
    let rows = (0..lines.len()).filter(|at| is_row(*at) && !is_rule(*at) && !is_rule(at + 1));
    let rows: Vec<u32> = rows.map(|at| u32::try_from(at).unwrap() + 1).collect();
    assert!(rows.len() > 180, "{} rows", rows.len());
    let missing: Vec<_> = rows.iter().filter(|line| !entered.contains(line)).collect();
    assert_eq!(missing, Vec::<&u32>::new(), "lines of the document without an entry");
    assert_eq!(endpoints::ROWS.len(), 21);
    assert_eq!((codes::LINKING.len(), codes::RECORD.len()), (16, 5));
}

/// Checks types and nullability against the rows, and that every field of the lists has an entry.
fn assert_fields_are_complete(lines: &[String]) {
    let mut on_line: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for field in TABLES.iter().copied().flatten() {
        let line = &lines[field.line as usize - 1];
        match field.kind {
            Some(kind) => {
                assert!(field.shape.is_a(kind), "line {}: {kind} is not {:?}", field.line, field.shape);
                let (before, _) = line.split_once("updatedAt").unwrap_or((line, ""));
                let (before, _) = before.split_once("errorCode").unwrap_or((before, ""));
                let says = before.contains("nullable") || before.contains("null until");
                assert_eq!(field.nullable, says, "line {}: {line}", field.line);
            }
            None => drop(on_line.entry(field.line).or_default().insert(field.name)),
        }
    }
    for line in 197..=201 {
        let (_, list) = lines[line as usize - 1].split_once(": ").unwrap();
        let names: BTreeSet<&str> =
            list.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
        assert_eq!(names, on_line[&line], "line {line}");
    }
    for line in [72, 74] {
        let parts = lines[line as usize - 1].split(" (").filter_map(|it| it.split([' ', '|']).next_back());
        let names: BTreeSet<&str> =
            parts.filter(|it| !it.is_empty() && it.chars().all(char::is_alphabetic)).collect();
        assert_eq!(names, on_line[&line], "line {line}");
    }
    let (_, keys) = lines[318].split_once("): ").unwrap();
    let keys: Vec<&str> = keys.trim_end_matches('.').split(", ").collect();
    assert_eq!(keys, PAYLOAD.iter().map(|it| it.name).collect::<Vec<_>>(), "line 319");
}

/// Checks the entries of all events. The last cell of a row lists its fields.
fn assert_events_are_complete(lines: &[String]) {
    for row in event_rows::ROWS {
        let cell = lines[row.line as usize - 1].trim_matches('|').rsplit('|').next().unwrap();
        let mut plain = String::new();
        let mut depth = 0;
        for letter in cell.chars() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                letter if depth == 0 => plain.push(letter),
                _ => {}
            }
        }
        let pieces = plain.split([',', ';']).map(|it| it.trim().trim_start_matches("and may carry ").trim());
        let names = pieces.filter(|it| !it.is_empty() && !it.starts_with("always"));
        let names: Vec<&str> =
            names.filter_map(|it| it.split(' ').next()).map(|it| it.trim_end_matches("[]")).collect();
        let ours: Vec<&str> = row.fields.iter().map(|it| it.field.name).collect();
        assert_eq!(names, ours, "line {}", row.line);
    }
    let words = lines[347].split(|it: char| !(it.is_ascii_uppercase() || it == '_'));
    let words: BTreeSet<&str> = words.filter(|it| it.contains('_')).collect();
    let ours: BTreeSet<&str> = event_rows::UNSHOWN.iter().flat_map(|row| row.types.iter().copied()).collect();
    assert_eq!(words, ours, "line 348");
}
