//! Several documents in one file (ADR 203).

use link_documents::rules::Unrecognized;
use link_test_support::documents::pdf::text_at;

use super::{PAYSLIP, assert_right, base, findings, plainly, read};

/// A payslip of another person.
const OTHER_PERSON: [&[&str]; 9] = [
    &["Alimentos Bahía Azul S.A. de C.V."],
    &["RECIBO DE NÓMINA"],
    &["Nombre completo", "María Fernanda Ibáñez Ejemplar"],
    &["CURP", "IAEM870617MPLBBF02"],
    &["Periodo", "1 de diciembre de 2025 - 15 de diciembre de 2025"],
    &["Fecha de pago", "16 de diciembre de 2025"],
    &["Total percepciones", "9,915.05"],
    &["Total deducciones", "1,248.66"],
    &["Neto a pagar", "8,666.39"],
];

/// The next payslip of the same person. It has values that the first one lacks.
const NEXT: [&[&str]; 9] = [
    &["Talleres Aurora S.A. de C.V."],
    &["RECIBO DE NÓMINA"],
    &["Nombre completo", "Rosa Elena Ficticia Prueba"],
    &["Puesto", "Operadora de almacén"],
    &["Periodo", "16 de noviembre de 2025 - 30 de noviembre de 2025"],
    &["Fecha de pago", "1 de diciembre de 2025"],
    &["Total percepciones", "9,915.05"],
    &["Total deducciones", "1,248.66"],
    &["Neto a pagar", "8,666.39"],
];

fn without_codes() -> Vec<&'static [&'static str]> {
    PAYSLIP.iter().filter(|row| !["CURP", "NSS"].contains(&row[0])).copied().collect()
}

/// Returns the operators that draw rows from this base line on.
fn below(top: f64, left: f64, shown: &[&[&str]]) -> String {
    let row = |(row, cells): (usize, &&[&str])| -> String {
        let y = top - 15.0 * row as f64;
        let place = |column: usize| left + if column == 0 { 0.0 } else { 100.0 };
        cells.iter().enumerate().map(|(at, text)| text_at(place(at), y, 8.0, "", text)).collect()
    };
    shown.iter().enumerate().map(row).collect()
}

#[test]
fn documents_of_several_people_are_rejected() {
    let first = without_codes();
    for (how, contents) in [
        ("on two pages", vec![plainly(&first), plainly(&OTHER_PERSON)]),
        ("one below another", vec![below(750.0, 51.0, &first) + &below(400.0, 51.0, &OTHER_PERSON)]),
        ("next to each other", vec![below(750.0, 30.0, &first) + &below(750.0, 330.0, &OTHER_PERSON)]),
        (
            "after a page of text",
            vec![
                plainly(&first),
                text_at(
                    51.0,
                    700.0,
                    10.0,
                    "",
                    "Recibí la cantidad indicada a mi entera satisfacción, conforme",
                ),
                plainly(&OTHER_PERSON),
            ],
        ),
    ] {
        assert_eq!(findings(&contents).err(), Some(Unrecognized::SeveralPeople), "{how}");
    }
}

#[test]
fn first_of_several_documents_is_read_alone() {
    for (how, contents) in [
        ("on two pages", vec![plainly(&PAYSLIP), plainly(&NEXT)]),
        ("one below another", vec![below(750.0, 51.0, &PAYSLIP) + &below(400.0, 51.0, &NEXT)]),
        ("next to each other", vec![below(750.0, 30.0, &PAYSLIP) + &below(750.0, 330.0, &NEXT)]),
    ] {
        let found = findings(&contents).unwrap();
        assert_eq!(found.other_pages, 1, "{how}");
        let fields = read(&contents);
        assert_right(&fields, how);
        for name in ["jobTitle", "payDate"] {
            assert_eq!(fields.get(name), None, "{name} is of the other document, {how}");
        }
    }
    let statement = ["ESTADO DE CUENTA", "Saldo inicial 100.00", "Puesto Operadora de almacén"];
    let lines = statement.iter().enumerate().map(|(row, text)| text_at(51.0, base(row), 10.0, "", text));
    let fields = read(&[plainly(&PAYSLIP), lines.collect::<String>() + &"0 g\n".repeat(2)]);
    assert_eq!(fields.get("jobTitle"), None, "of a document of another kind");
}

#[test]
fn pages_and_copies_of_one_document_are_read_together() {
    let (first, second) = PAYSLIP.split_at(8);
    let second = [&PAYSLIP[..2], &[PAYSLIP[3]], second].concat();
    for (how, contents) in [
        ("two pages with a title each", vec![plainly(first), plainly(&second)]),
        ("a copy on the same page", vec![below(750.0, 51.0, &PAYSLIP) + &below(400.0, 51.0, &PAYSLIP)]),
        ("a copy on the next page", vec![plainly(&PAYSLIP), plainly(&PAYSLIP)]),
    ] {
        let found = findings(&contents).unwrap();
        assert_eq!(found.other_pages, 0, "{how}");
        assert_right(&read(&contents), how);
    }
}
