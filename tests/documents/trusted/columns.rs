//! Payslips with several columns of numbers next to each label.

use link_test_support::documents::pdf::text_at;

use super::{Fields, assert_no_wrong_amount, base, plainly, read};

const HEAD: [&[&str]; 4] = [
    &["Quiet River Textiles Inc."],
    &["PAYSLIP"],
    &["Employee Name", "Arnel Dimagiba Tolentino"],
    &["Period Covered", "2024-01-16 to 2024-01-30"],
];
pub const RIGHT: [(&str, &str); 4] = [
    ("baseAmount", "7941.63"),
    ("grossAmount", "8214.34"),
    ("deductionsAmount", "1056.12"),
    ("netAmount", "7158.22"),
];
const LABELS: [&str; 4] = ["Basic Pay", "Total Earnings", "Total Deductions", "Take Home Pay"];
pub const CURRENT: [&str; 4] = ["7,941.63", "8,214.34", "1,056.12", "7,158.22"];
pub const TO_DATE: [&str; 4] = ["95,299.56", "98,572.08", "12,673.44", "85,898.64"];
pub const HOURS: [&str; 4] = ["80.00", "82.00", "", ""];
pub const RATES: [&str; 4] = ["99.27", "", "", ""];

fn read_columns(columns: &[(&str, [&str; 4])], places: [f64; 4]) -> Fields {
    read(&[content_of(columns, places)])
}

/// Returns a payslip with these columns, each with its heading. Amounts end at the right edge of their column.
pub fn content_of(columns: &[(&str, [&str; 4])], places: [f64; 4]) -> String {
    let right = |right: f64, y: f64, text: &str| {
        let width = text.chars().map(|c| if ",.".contains(c) { 2.78 } else { 5.56 }).sum::<f64>();
        text_at(right - width, y, 10.0, "", text)
    };
    let mut content = plainly(&HEAD);
    for ((heading, amounts), place) in columns.iter().zip(places) {
        for (at, line) in heading.split('\n').enumerate() {
            content += &text_at(place - 38.0, base(4) - 11.0 * at as f64, 10.0, "", line);
        }
        for (row, amount) in amounts.iter().enumerate() {
            content += &right(place, base(6 + row), amount);
        }
    }
    for (row, label) in LABELS.iter().enumerate() {
        content += &text_at(51.0, base(6 + row), 10.0, "", label);
    }
    content
}

#[test]
fn amount_column_is_chosen_by_its_heading() {
    let layouts: [&[(&str, [&str; 4])]; 9] = [
        &[("Hours", HOURS), ("Rate", RATES), ("Amount", CURRENT)],
        &[("Amount", CURRENT), ("Hours", HOURS), ("Rate", RATES)],
        &[("Current", CURRENT), ("YTD", TO_DATE)],
        &[("YTD", TO_DATE), ("Current", CURRENT)],
        &[("Year to Date", TO_DATE), ("This Period", CURRENT)],
        &[("This\nPeriod", CURRENT), ("Year\nto Date", TO_DATE)],
        &[("Acumulado", TO_DATE), ("Importe", CURRENT)],
        &[("Hours", HOURS), ("Rate", RATES), ("Amount", CURRENT), ("YTD", TO_DATE)],
        &[("Hours", HOURS), ("YTD", TO_DATE), ("Rate", RATES), ("Current", CURRENT)],
    ];
    for places in [[280.0, 370.0, 460.0, 550.0], [240.0, 310.0, 380.0, 450.0]] {
        for columns in layouts {
            let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
            let fields = read_columns(columns, places);
            for (name, value) in RIGHT {
                let (read, confidence) = &fields[name];
                assert_eq!(read, value, "{name}, {headings:?}, {places:?}");
                assert!(*confidence >= 0.9, "{name} at {confidence}, {headings:?}");
            }
        }
    }
}

#[test]
fn amounts_without_headings_are_not_sure() {
    for columns in [
        [("", CURRENT), ("", TO_DATE)].as_slice(),
        &[("", TO_DATE), ("", CURRENT)],
        &[("", HOURS), ("", CURRENT)],
        &[("", HOURS), ("", RATES), ("", CURRENT)],
        &[("", HOURS), ("", RATES), ("", CURRENT), ("", TO_DATE)],
        &[("", HOURS), ("", RATES), ("", TO_DATE), ("", CURRENT)],
    ] {
        let fields = read_columns(columns, [280.0, 370.0, 460.0, 550.0]);
        assert_no_wrong_amount(&fields, &RIGHT, &format!("{columns:?}"));
    }
}

#[test]
fn amounts_of_the_year_to_date_are_not_sure_alone() {
    let fields = read_columns(&[("Current", ["", "", "", ""]), ("YTD", TO_DATE)], [280.0, 370.0, 0.0, 0.0]);
    assert_no_wrong_amount(&fields, &RIGHT, "only the year to date");
    let rows: [&[&str]; 7] = [
        HEAD[0],
        HEAD[1],
        HEAD[2],
        HEAD[3],
        &["", "Total Earnings", "Total Deductions", "Take Home Pay"],
        &["YTD", "98,572.08", "12,673.44", "85,898.64"],
        &["Current", "8,214.34", "1,056.12", "7,158.22"],
    ];
    let fields = read(&[plainly(&rows)]);
    for (name, value) in &RIGHT[1..] {
        assert_eq!(fields[*name].0, *value, "{name}, in rows");
    }
}

#[test]
fn amounts_that_contradict_each_other_are_not_sure() {
    let rows: [&[&str]; 7] = [
        HEAD[0],
        HEAD[1],
        HEAD[2],
        HEAD[3],
        &["Total Earnings", "8,214.34"],
        &["Total Deductions", "1,056.12"],
        &["Take Home Pay", "9,158.22"],
    ];
    let fields = read(&[plainly(&rows)]);
    assert_no_wrong_amount(&fields, &RIGHT, "9,158.22 is not 8,214.34 less 1,056.12");
}

#[test]
fn lines_of_labels_are_not_headings_of_columns() {
    let rows: [&[&str]; 9] = [
        HEAD[0],
        HEAD[1],
        HEAD[2],
        &["Period Covered", "Payment Date"],
        &["2024-01-16 to 2024-01-30", "2024-01-31"],
        &["Basic Pay: 80.00 hrs @ 99.27 = 7,941.63"],
        &["Total Earnings", "8,214.34"],
        &["Total Deductions", "1,056.12"],
        &["Take Home Pay", "7,158.22"],
    ];
    let fields = read(&[plainly(&rows)]);
    for (name, value) in RIGHT {
        let (read, confidence) = &fields[name];
        assert_eq!(read, value, "{name}");
        assert!(*confidence >= 0.9, "{name} at {confidence}");
    }
}
