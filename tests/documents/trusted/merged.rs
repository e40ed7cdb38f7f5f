//! Pages of one file that may be about different people or be no payslip: their values are not mixed (ADR 278).

use rstest::rstest;

use super::{Fields, PAYSLIP, SURE, findings, plainly, read};

const AMOUNTS: [&str; 3] = ["grossAmount", "deductionsAmount", "netAmount"];

/// The amounts of another payslip.
const OTHER: [&[&str]; 3] =
    [&["Total percepciones", "9,915.05"], &["Total deducciones", "1,248.66"], &["Neto a pagar", "8,666.39"]];

/// Reads a payslip without amounts, and a second page with these rows and other amounts.
fn with_page(shown: &[&'static [&'static str]]) -> Fields {
    let second: Vec<&[&str]> = shown.iter().chain(&OTHER).copied().collect();
    read(&[plainly(&PAYSLIP[..8]), plainly(&second)])
}

#[rstest]
#[case::number(&["Clave de empleado", "31740"])]
#[case::tax_number(&["RFC", "UUST910305A19"])]
#[case::line(&["Tomás Urrutia Solís / 31740"])]
#[case::number_and_name(&["Empleado:", "31740 Tomás Urrutia Solís"])]
#[case::folio(&["Folio", "000119"])]
#[case::employer_number(&["RFC del patrón", "ETR950817QZ3"])]
#[case::employer(&["Empaques Tres Ríos S.A. de C.V."])]
#[case::job(&["Puesto", "Operador de montacargas"])]
#[case::pages(&["Página 2 de 3"])]
#[case::nothing(&[""])]
fn amounts_of_a_page_that_does_not_name_the_person_are_not_sure(#[case] row: &'static [&'static str]) {
    for title in ["RECIBO DE NÓMINA", ""] {
        let title: &'static [&'static str] = vec![title].leak();
        let fields = with_page(&[title, row]);
        for name in AMOUNTS {
            if let Some((value, sure)) = fields.get(name) {
                assert!(*sure < SURE, "{name}: {value} at {sure}, {row:?} {title:?}");
            }
        }
    }
}

#[rstest]
#[case(&["Clave de empleado", "20881"])]
#[case(&["Rosa Elena Ficticia Prueba   No. 20881"])]
#[case(&["CURP", "IAEM870617MPLBBF02"])]
fn amounts_of_a_page_that_names_the_person_are_sure(#[case] row: &'static [&'static str]) {
    let fields = with_page(&[&["RECIBO DE NÓMINA"], row]);
    for name in AMOUNTS {
        assert!(fields[name].1 >= SURE, "{name}: {:?}, {row:?}", fields[name]);
    }
}

#[test]
fn amounts_that_add_up_over_two_pages_are_sure() {
    let fields = read(&[plainly(&PAYSLIP[..10]), plainly(&PAYSLIP[10..])]);
    for name in AMOUNTS {
        assert!(fields[name].1 >= SURE, "{name}: {:?}", fields[name]);
    }
}

#[test]
fn payslips_with_other_numbers_are_read_apart() {
    let upper = plainly(&PAYSLIP[..8]);
    let lower: Vec<&[&str]> = [&[""][..]; 14]
        .into_iter()
        .chain([&["RECIBO DE NÓMINA"][..], &["Clave de empleado", "31740"]])
        .chain(OTHER)
        .collect();
    let found = findings(&[upper + &plainly(&lower)]).unwrap();
    let names = |fields: &[link_types::archive::ExtractedField]| {
        fields.iter().map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    let first = names(&found.extracted.first.fields);
    assert!(first.contains(&"fullName".to_owned()) && !first.contains(&"netAmount".to_owned()), "{first:?}");
    assert!(names(&found.extracted.further[0].fields).contains(&"netAmount".to_owned()));
}

#[rstest]
#[case("Solicitante")]
#[case("DATOS PERSONALES DE MI FAMILIAR")]
fn person_of_another_page_is_not_sure(#[case] title: &'static str) {
    let title: &'static [&'static str] = vec![title].leak();
    let person: [&'static [&'static str]; 3] =
        [&["Nombre completo", "María Fernanda Ibáñez Ejemplar"], &["CURP", "IAEM870617MPLBBF02"], title];
    let mut nameless: Vec<&[&str]> = PAYSLIP[..2].to_vec();
    nameless.extend(&PAYSLIP[7..]);
    for contents in [
        [plainly(&[title, person[0], person[1]]), plainly(&nameless)],
        [plainly(&nameless), plainly(&[title, person[0], person[1]])],
    ] {
        let fields = read(&contents);
        for name in ["fullName", "nationalId", "taxId"] {
            if let Some((value, sure)) = fields.get(name) {
                assert!(*sure < SURE, "{name}: {value} at {sure}");
            }
        }
    }
}

#[test]
fn application_before_a_payslip_is_left_out() {
    let application: [&[&str]; 4] = [&["SOLICITUD DE CRÉDITO"], OTHER[0], OTHER[1], OTHER[2]];
    let found = findings(&[plainly(&application), plainly(&PAYSLIP)]).unwrap();
    assert_eq!((found.extracted.first.pages.as_slice(), found.other_pages), (&[2][..], 1));
    assert!(found.extracted.further.is_empty());
    let fields = read(&[plainly(&PAYSLIP[..8]), plainly(&application)]);
    assert!(AMOUNTS.iter().all(|name| fields.get(*name).is_none_or(|(_, sure)| *sure < SURE)), "declared");
}
