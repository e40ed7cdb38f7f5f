//! Several documents in one file (ADR 203).

use link_documents::points;
use link_documents::rules::RecognitionError;
use link_domain::data::batch::Extracted;
use link_test_support::documents::pdf::text_at;

use link_types::data::DataPointKind;

use super::{PAYSLIP, assert_right, base, findings, plainly, read};

/// A payslip of another person.
pub const OTHER_PERSON: [&[&str]; 9] = [
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
pub const NEXT: [&[&str]; 9] = [
    &["Talleres Aurora S.A. de C.V."],
    &["RECIBO DE NÓMINA"],
    &["Nombre completo", "Rosa Elena Ficticia Prueba"],
    &["Puesto", "Operadora de almacén"],
    &["Periodo", "16/11/2025 - 30/11/2025"],
    &["Fecha de pago", "1 de diciembre de 2025"],
    &["Total percepciones", "9,915.05"],
    &["Total deducciones", "1,248.66"],
    &["Neto a pagar", "8,666.39"],
];

pub fn without_codes() -> Vec<&'static [&'static str]> {
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
        assert_eq!(findings(&contents).err(), Some(RecognitionError::SeveralPeople), "{how}");
    }
}

#[test]
fn several_documents_of_a_person_are_read_apart() {
    for (how, contents) in [
        ("on two pages", vec![plainly(&PAYSLIP), plainly(&NEXT)]),
        ("one below another", vec![below(750.0, 51.0, &PAYSLIP) + &below(400.0, 51.0, &NEXT)]),
        ("next to each other", vec![below(750.0, 30.0, &PAYSLIP) + &below(750.0, 330.0, &NEXT)]),
    ] {
        let found = findings(&contents).unwrap();
        assert_eq!(found.other_pages, 0, "{how}");
        let fields = read(&contents);
        assert_right(&fields, how);
        for name in ["jobTitle", "payDate"] {
            assert_eq!(fields.get(name), None, "{name} is of the other document, {how}");
        }
        let Extracted { first, further } = &found.extracted;
        let [second] = further.as_slice() else { panic!("{how}: {} further documents", further.len()) };
        let value = |name| second.fields.iter().find(|it| it.name == name).map(|it| it.value.as_str());
        assert_eq!(value("jobTitle"), Some("Operadora de almacén"), "{how}");
        assert_eq!(value("startDate"), Some("2025-11-16"), "{how}");
        assert_eq!(value("netAmount"), Some("8666.39"), "{how}");
        assert_eq!(value("nationalId"), None, "of the first document, {how}");
        let pages = (first.pages.as_slice(), second.pages.as_slice());
        assert_eq!(pages, (&[1][..], if contents.len() == 1 { &[1][..] } else { &[2] }), "{how}");
        assert!(second.fields.iter().all(|it| second.pages.contains(&it.page)), "{how}");

        let bodies = points::batch(&found).bodies;
        let count = |kind| bodies.iter().filter(|body| body.kind() == kind).count();
        assert_eq!((count(DataPointKind::Documents), count(DataPointKind::Incomes)), (2, 2), "{how}");
    }
}

#[test]
fn documents_of_other_kinds_and_appendices_are_left_out() {
    let statement = ["ESTADO DE CUENTA", "Saldo inicial 100.00", "Puesto Operadora de almacén"];
    let lines = statement.iter().enumerate().map(|(row, text)| text_at(51.0, base(row), 10.0, "", text));
    let fields = read(&[plainly(&PAYSLIP), lines.collect::<String>() + &"0 g\n".repeat(2)]);
    assert_eq!(fields.get("jobTitle"), None, "of a document of another kind");
    let untitled: Vec<&[&str]> = NEXT.iter().filter(|row| row[0] != "RECIBO DE NÓMINA").copied().collect();
    let found = findings(&[plainly(&PAYSLIP), plainly(&untitled), plainly(&NEXT[4..])]).unwrap();
    assert_eq!(
        (found.extracted.further.len(), found.other_pages),
        (0, 2),
        "nothing says that it is a document"
    );
    let copies = [&PAYSLIP[..], &NEXT, &PAYSLIP, &NEXT].map(plainly);
    let found = findings(&copies).unwrap();
    let pages: Vec<_> = found.extracted.further.iter().map(|it| it.pages.as_slice()).collect();
    assert_eq!((found.extracted.first.pages.as_slice(), pages), (&[1, 3][..], vec![&[2, 4][..]]), "copies");
}

/// A name that differs by a letter is misread in a picture, but not in a text, even if a number of it is not sure by its form.
#[test]
fn similar_names_in_texts_are_names_of_two_people() {
    let named = |name: &'static str, number: &'static str| {
        let rows: [&[&str]; 6] = [
            &["RECIBO DE NÓMINA"],
            &["Nombre completo", name],
            &["RFC del patrón", "ABA990703213"],
            &["Clave de empleado", number],
            &["Periodo", "1 de noviembre de 2025 - 15 de noviembre de 2025"],
            &["Neto a pagar", "6,015.05"],
        ];
        plainly(&rows)
    };
    let found = findings(&[named("Mario Robles Supuesto", "20881"), named("Maria Robles Supuesto", "20882")]);
    assert_eq!(found.err(), Some(RecognitionError::SeveralPeople));
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
