use link_types::data::*;
use rstest::rstest;
use serde_json::json;

use super::*;

/// Renders these bodies and parses the rows, as heading and cell.
fn read(kind: DataPointKind, bodies: &[Value]) -> Vec<BTreeMap<String, String>> {
    let bodies = BTreeMap::from([(kind, bodies.iter().map(|it| it.to_string().into_bytes()).collect())]);
    let written = render(&bodies).unwrap();
    let mut reader = ::csv::ReaderBuilder::new().from_reader(written.as_slice());
    let headings = reader.headers().unwrap().clone();
    assert_eq!(headings.len(), COLUMNS.len());
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            headings
                .iter()
                .zip(record.iter())
                .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

#[rstest]
#[case("=HYPERLINK(\"https://evil.example\")", "'=HYPERLINK(\"https://evil.example\")")]
#[case("+1+2", "'+1+2")]
#[case("-2+3", "'-2+3")]
#[case("@SUM(A1)", "'@SUM(A1)")]
#[case("\t=1", "'\t=1")]
#[case("\r=1", "'\r=1")]
#[case("\nSUM", "'\nSUM")]
#[case(" =1+1", "' =1+1")]
#[case("\u{a0}\u{200b}-1", "'\u{a0}\u{200b}-1")]
#[case("\u{feff}@SUM(A1)", "'\u{feff}@SUM(A1)")]
#[case("＝1", "'＝1")]
#[case("＋1", "'＋1")]
#[case("－1", "'－1")]
#[case("＠SUM(A1)", "'＠SUM(A1)")]
#[case(" 1 = 1", " 1 = 1")]
#[case("Talleres \"Aurora\", S.A.\nde C.V.", "Talleres \"Aurora\", S.A.\nde C.V.")]
#[case("1 - 2", "1 - 2")]
fn text_that_looks_like_formula_is_escaped(#[case] employer: &str, #[case] expected: &str) {
    let rows = read(DataPointKind::Employments, &[json!({"id": "e-1", "employer": employer})]);
    assert_eq!(rows[0]["employer"], expected);
}

#[test]
fn negative_amount_is_not_escaped_and_all_cells_are_quoted() {
    let body = json!({"id": "t-1", "amount": -12.5, "description": null, "currency": "MXN"});
    let rows = read(DataPointKind::Transactions, std::slice::from_ref(&body));
    assert_eq!((rows[0]["amount"].as_str(), rows[0]["description"].as_str()), ("-12.5", ""));
    let bodies = BTreeMap::from([(DataPointKind::Transactions, vec![body.to_string().into_bytes()])]);
    let text = String::from_utf8(render(&bodies).unwrap()).unwrap();
    assert!(text.starts_with("\u{feff}\"dataPoint\",\"id\",") && text.contains("\"-12.5\""), "{text}");
    assert_eq!(text.matches("\r\n").count(), 2);
}

#[test]
fn lists_share_a_cell_and_records_and_features_are_rows() {
    let identity = json!({
        "id": "i-1",
        "emails": [{"address": "a@example.com", "type": null}, {"address": "b@example.com", "type": "WORK"}],
        "phones": [{"number": "+52 55 0000 0101", "type": null}],
        "addresses": [{"fullAddress": "Calle Sin Nombre 100", "city": "X"}],
        "socialProfiles": [],
    });
    let row = &read(DataPointKind::Identities, &[identity])[0];
    assert_eq!(row["emails"], "a@example.com; b@example.com");
    assert_eq!(row["phones"], "'+52 55 0000 0101");
    assert_eq!((row["addresses"].as_str(), row["socialProfiles"].as_str()), ("Calle Sin Nombre 100", ""));
    let link = json!({"id": "link-1", "startDate": "2026-01-01", "endDate": "2026-01-02", "records": [
        {"count": 2, "linkedAt": ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]},
        {"count": 1, "linkedAt": ["2026-01-02T00:00:00.000Z"]},
    ]});
    let rows = read(DataPointKind::Links, &[link]);
    assert_eq!((rows.len(), rows[0]["count"].as_str(), rows[1]["count"].as_str()), (2, "2", "1"));
    assert_eq!(rows[0]["linkedAt"], "2026-01-01T00:00:00.000Z; 2026-01-02T00:00:00.000Z");
    let insight = json!({"id": "insight-1", "cutoffTime": "2026-01-01T00:00:00.000Z",
        "features": {"incomeTrend3Months": -0.5, "tenureMonths": null}});
    let rows = read(DataPointKind::Insights, &[insight]);
    assert_eq!((rows[0]["name"].as_str(), rows[0]["value"].as_str()), ("incomeTrend3Months", "-0.5"));
    assert_eq!((rows[1]["name"].as_str(), rows[1]["value"].as_str()), ("tenureMonths", ""));
}

#[test]
fn every_field_of_single_row_kinds_has_a_column() {
    for kind in DataPointKind::ALL {
        let mut example = serde_json::Deserializer::from_str(kind.example());
        let body = DataPointBody::decode(*kind, &mut example).unwrap();
        let body = serde_json::to_value(body).unwrap();
        for name in body.as_object().unwrap().keys() {
            let is_in_rows = ["records", "features"].contains(&name.as_str());
            assert!(is_in_rows || COLUMNS.contains(&name.as_str()), "{kind}: {name} has no column");
        }
    }
}
