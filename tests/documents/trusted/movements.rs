//! The transactions of bank statements: only those that the running balance does not contradict.

use std::time::{Duration, Instant};

use link_documents::rules::Findings;
use link_documents::{Tesseract, reading};
use link_test_support::documents::pdf::{draw_pdf, text_at};
use link_types::archive::{ExtractionFaultCode, FileFormat};

use super::{base, findings};

/// The rows above the table. Two may be left out.
const HEAD: [&[&str]; 6] = [
    &["Banco Cerro Azul S.A."],
    &["ESTADO DE CUENTA"],
    &["Titular", "Rosa Elena Ficticia Prueba"],
    &["Número de cuenta", "441700218835"],
    &["Saldo inicial", "1,000.00"],
    &["Saldo final", "1,250.00"],
];
const COLUMNS: [f64; 5] = [51.0, 120.0, 290.0, 380.0, 470.0];
const SIGNED: [&str; 4] = ["Fecha", "Concepto", "Importe", "Saldo"];
const SPLIT: [&str; 5] = ["Fecha", "Concepto", "Cargos", "Abonos", "Saldo"];

/// Returns a statement with this table.
fn statement(head: &[&[&str]], table: &[&[&str]]) -> Findings {
    let rows = head.iter().chain(table).enumerate();
    let cells = rows.flat_map(|(row, cells)| cells.iter().zip(COLUMNS).map(move |(text, x)| (row, x, *text)));
    let content: String = cells.map(|(row, x, text)| text_at(x, base(row), 10.0, "", text)).collect();
    findings(&[content]).unwrap()
}

fn amounts(findings: &Findings) -> Vec<i64> {
    findings.transactions.iter().map(|it| it.amount.hundredths()).collect()
}

/// Returns whether the faults say that transactions are left out.
fn are_left_out(findings: &Findings) -> bool {
    let mut faults = findings.extracted.first.faults.iter();
    faults.any(|it| {
        it.code == ExtractionFaultCode::AmountsContradict && it.fields.contains(&"transactions".to_owned())
    })
}

#[test]
fn sign_of_a_movement_is_that_of_the_running_balance() {
    for printed in ["-300.00", "300.00"] {
        let table: [&[&str]; 4] = [
            &SIGNED,
            &["01/10/2025", "Farmacia", printed, "700.00"],
            &["02/10/2025", "Nómina", "800.00", "1,500.00"],
            &["03/10/2025", "Renta", "-250.00", "1,250.00"],
        ];
        let found = statement(&HEAD, &table);
        assert_eq!(amounts(&found), [-30_000, 80_000, -25_000], "{printed}");
        assert!(!are_left_out(&found), "{printed}");
    }
}

#[test]
fn movement_that_the_running_balance_contradicts_is_left_out() {
    for (how, second) in [
        ("another amount", ["02/10/2025", "Nómina", "810.00", "1,500.00"]),
        ("another sign of the balance", ["02/10/2025", "Nómina", "-2,200.00", "1,500.00"]),
        ("without a day", ["Octubre", "Nómina", "800.00", "1,500.00"]),
    ] {
        let table: [&[&str]; 4] = [
            &SIGNED,
            &["01/10/2025", "Farmacia", "-300.00", "700.00"],
            &second,
            &["03/10/2025", "Renta", "-250.00", "1,250.00"],
        ];
        let found = statement(&HEAD, &table);
        let expected: &[i64] = if how == "without a day" { &[-30_000] } else { &[-30_000, -25_000] };
        assert_eq!(amounts(&found), expected, "{how}");
        assert!(are_left_out(&found), "{how}: {:?}", found.extracted.first.faults);
        let balances = found.extracted.first.fields.iter().filter(|it| it.name.ends_with("Balance"));
        assert!(balances.clone().count() == 2 && balances.clone().all(|it| it.confidence < 0.5), "{how}");
    }
}

#[test]
fn sign_is_not_taken_from_a_contradicted_balance() {
    // The second balance is overdrawn, but its minus is not there.
    let head: [&[&str]; 6] =
        [HEAD[0], HEAD[1], HEAD[2], HEAD[3], &["Saldo inicial", "0.00"], &["Saldo final", "300.00"]];
    let table: [&[&str]; 3] = [
        &SPLIT,
        &["01/10/2025", "Renta", "500.00", "", "500.00"],
        &["02/10/2025", "Nómina", "", "800.00", "300.00"],
    ];
    let found = statement(&head, &table);
    assert_eq!(amounts(&found), [-50_000, 80_000], "both lead from 0.00 to 300.00");
    assert!(!are_left_out(&found));
}

#[test]
fn misread_balance_does_not_hide_movements() {
    let table: [&[&str]; 4] = [
        &SIGNED,
        &["01/10/2025", "Farmacia", "-300.00", "100.00"],
        &["02/10/2025", "Nómina", "800.00", "1,500.00"],
        &["03/10/2025", "Renta", "-250.00", ""],
    ];
    assert_eq!(amounts(&statement(&HEAD, &table)), [-30_000, 80_000, -25_000]);
}

#[test]
fn movements_from_the_newest_to_the_oldest_are_read() {
    let table: [&[&str]; 4] = [
        &SPLIT,
        &["03/10/2025", "Renta", "250.00", "0.00", "1,250.00"],
        &["02/10/2025", "Nómina", "0.00", "800.00", "1,500.00"],
        &["01/10/2025", "Farmacia", "300.00", "0.00", "700.00"],
    ];
    let found = statement(&HEAD, &table);
    assert_eq!(amounts(&found), [-25_000, 80_000, -30_000]);
    assert!(!are_left_out(&found));
}

#[test]
fn movements_without_an_opening_balance_are_read_by_column() {
    let table: [&[&str]; 4] = [
        &SPLIT,
        &["01/10/2025", "Farmacia", "300.00", "", "700.00"],
        &["02/10/2025", "Nómina", "", "800.00", "1,500.00"],
        &["03/10/2025", "Renta", "250.00", "", "1,250.00"],
    ];
    assert_eq!(amounts(&statement(&HEAD[..4], &table)), [-30_000, 80_000, -25_000]);
    let table: [&[&str]; 3] = [
        &SIGNED,
        &["01/10/2025", "Farmacia", "300.00", "700.00"],
        &["02/10/2025", "Nómina", "800.00", "1,500.00"],
    ];
    let found = statement(&HEAD[..4], &table);
    assert_eq!(amounts(&found), [80_000], "nothing confirms the sign of the first one");
    assert!(are_left_out(&found));
}

#[test]
fn movements_without_a_running_balance_are_read_by_column() {
    let table: [&[&str]; 3] = [
        &["Fecha", "Concepto", "Cargos", "Abonos"],
        &["01/10/2025", "Farmacia", "300.00", "0.00"],
        &["02/10/2025", "Nómina", "0.00", "550.00"],
    ];
    let found = statement(&HEAD, &table);
    assert_eq!(amounts(&found), [-30_000, 55_000]);
    assert!(!are_left_out(&found));
}

#[test]
fn narrow_letters_and_signs_are_read_at_every_position() {
    const TEXT: &str = "PAYROLL CREDIT LUNA IFTE -8,739.25";
    for size in [7.0, 8.206, 8.924, 9.937] {
        let row = |at: usize| text_at(51.0 + at as f64 * 0.037, base(at) + at as f64 * 0.041, size, "", TEXT);
        let content: String = (0..30).map(row).collect();
        let until = Instant::now() + Duration::from_secs(60);
        let files = vec![(FileFormat::Pdf, draw_pdf(&[content]))];
        let read = reading::pages(files, &Tesseract::default(), until).unwrap();
        let lines: Vec<String> = read.pages[0].lines.iter().map(|line| line.text()).collect();
        assert_eq!(lines, vec![TEXT; 30], "at {size} points");
    }
}
