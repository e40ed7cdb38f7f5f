//! Confidence is high only if something else on the document confirms a value (ADR 205).

use std::collections::BTreeSet;

use link_test_support::documents::pdf::text_at;

use super::{Fields, SURE, base, findings, plainly, read};

/// A payslip on which everything fits together.
const FITTING: [&[&str]; 13] = [
    &["Talleres Aurora S.A. de C.V."],
    &["RECIBO DE NÓMINA"],
    &["Nombre completo", "Valeria Nopal Lozano"],
    &["RFC", "NOLV020319339"],
    &["CURP", "NOLV020319MPLMDCA3"],
    &["NSS", "42355483183"],
    &["Puesto", "Ejecutiva de ventas"],
    &["Periodo", "1 de noviembre de 2025 - 15 de noviembre de 2025"],
    &["Fecha de pago", "16 de noviembre de 2025"],
    &["Sueldo", "6,300.00"],
    &["Total percepciones", "7,015.05"],
    &["Total deducciones", "1,000.00"],
    &["Neto a pagar", "6,015.05"],
];

/// Returns the payslip with another row at its label, or at the end.
fn with(row: &'static [&'static str]) -> Vec<&'static [&'static str]> {
    let mut rows: Vec<&[&str]> = FITTING.iter().filter(|it| it[0] != row[0]).copied().collect();
    rows.push(row);
    rows
}

fn sure(fields: &Fields) -> BTreeSet<&str> {
    fields.iter().filter(|(_, (_, confidence))| *confidence >= SURE).map(|(name, _)| name.as_str()).collect()
}

#[test]
fn values_that_confirm_each_other_are_sure() {
    let fields = read(&[plainly(&FITTING)]);
    let expected = [
        "deductionsAmount",
        "endDate",
        "fullName",
        "grossAmount",
        "nationalId",
        "netAmount",
        "payDate",
        "startDate",
        "taxId",
    ];
    assert_eq!(sure(&fields), BTreeSet::from(expected), "{fields:?}");
    for name in ["jobTitle", "employer", "baseAmount", "currency"] {
        assert!(fields[name].1 >= 0.9, "{name} is read, but nothing confirms it: {:?}", fields[name]);
    }
}

#[test]
fn word_of_a_sentence_is_not_a_currency() {
    for (row, is_sure) in [
        (&["Moneda", "MXN"][..], true),
        (&["Moneda", "MXN, contact us"], true),
        (&["Moneda", "MXN o US$"], false),
    ] {
        assert_eq!(sure(&read(&[plainly(&with(row))])).contains("currency"), is_sure, "{row:?}");
    }
}

#[test]
fn values_that_do_not_fit_the_others_are_not_sure() {
    for (row, doubted) in [
        (&["Nombre completo", "Héctor Robles Supuesto"][..], &["fullName", "nationalId", "taxId"][..]),
        (&["RFC", "GOLV020319339"], &["taxId"]),
        (&["NSS", "42358883188"], &["socialSecurityNumber"]),
        (&["Fecha de pago", "16 de marzo de 2026"], &["startDate", "endDate", "payDate"]),
        (&["Neto a pagar", "6,105.05"], &["grossAmount", "deductionsAmount", "netAmount"]),
        (&["Neto a pagar", "$6", "015.05"], &["netAmount"]),
        (&["Moneda", "Importes en USD"], &["currency"]),
        (&["Beneficiario: Nombre completo", "Lucía Falsa Ejemplar"], &["socialSecurityNumber"]),
    ] {
        let fields = read(&[plainly(&with(row))]);
        for name in doubted {
            assert!(!sure(&fields).contains(name), "{name} with {row:?}: {fields:?}");
        }
    }
}

#[test]
fn table_with_several_rows_has_no_sure_amount() {
    let head: Vec<&[&str]> = FITTING[..9].to_vec();
    let table = |rows: &[&[&str]]| -> String {
        let cells = rows.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().map(move |(at, text)| (140.0 * at as f64, 15.0 * row as f64, *text))
        });
        cells.map(|(x, y, text)| text_at(51.0 + x, base(10) - y, 10.0, "", text)).collect()
    };
    let columns: &[&str] = &["Total percepciones", "Total deducciones", "Neto a pagar"];
    let week: &[&str] = &["5,200.25", "655.00", "4,545.25"];
    let all: &[&str] = &["10,400.50", "1,310.00", "9,090.50"];
    let fields = read(&[plainly(&head) + &table(&[columns, all])]);
    assert!(sure(&fields).contains("netAmount"), "the only row: {fields:?}");
    let fields = read(&[plainly(&head) + &table(&[columns, week, week, all])]);
    for name in ["grossAmount", "deductionsAmount", "netAmount"] {
        let doubted = fields.get(name).is_none_or(|(_, confidence)| *confidence <= 0.5);
        assert!(doubted, "{name} of one week: {fields:?}");
    }
}

#[test]
fn words_of_longer_labels_and_of_sentences_are_not_values() {
    for (row, name) in [
        (&["Nombre del jefe", "Bruno Inventado Quiroz"][..], "fullName"),
        (&["El trabajador recibe la cantidad señalada a su entera satisfacción."], "fullName"),
        (&["Puesto anterior:", "Cajera"], "jobTitle"),
        (&["Department", "Share"], "department"),
        (&["Clave de empleado", "40172 Confianza"], "employeeNumber"),
    ] {
        let fields = read(&[plainly(&with(row))]);
        let own = FITTING.iter().find(|it| it[0] == "Nombre completo").map_or("", |it| it[1]);
        let right = match name {
            "fullName" => Some(own),
            "jobTitle" => Some("Ejecutiva de ventas"),
            "employeeNumber" => Some("40172"),
            _ => None,
        };
        let wrong =
            fields.get(name).filter(|(value, confidence)| Some(value.as_str()) != right && *confidence > 0.5);
        assert_eq!(wrong, None, "{name} with {row:?}");
    }
}

#[test]
fn pages_about_somebody_else_are_left_out() {
    let letter = [
        &["Talleres Aurora S.A. de C.V."][..],
        &["Nombre", "Patricia Supuesta Gil"],
        &["Puesto", "Gerente de recursos humanos"],
        &["Departamento", "Recursos humanos"],
    ];
    let found = findings(&[plainly(&FITTING), plainly(&letter)]).unwrap();
    assert_eq!((found.extracted.first.pages.as_slice(), found.other_pages), (&[1][..], 1));
    let job = found.extracted.first.fields.iter().find(|it| it.name == "jobTitle").unwrap();
    assert_eq!((job.value.as_str(), job.page), ("Ejecutiva de ventas", 1));
}
