//! Values at the usual labels that are about something else: another period, another person, other days (ADR 224).

use rstest::rstest;

use link_test_support::documents::pdf::text_at;

use super::{Fields, PAYSLIP, RIGHT, SURE, assert_right, base, plainly, read, rows};

/// Draws cells at these places, in points from the left and the top of the page.
fn cells(cells: &[(f64, f64, &str)]) -> String {
    cells.iter().map(|(x, y, text)| text_at(*x, 792.0 - y, 10.0, "", text)).collect()
}

/// Draws the payslip without the rows from this one to that one.
fn without(from: usize, to: usize) -> String {
    let kept = |(row, cells): (usize, &&'static [&'static str])| {
        if (from..to).contains(&row) { &[][..] } else { *cells }
    };
    plainly(&PAYSLIP.iter().enumerate().map(kept).collect::<Vec<_>>())
}

/// Asserts that each value is right or in doubt.
fn assert_right_or_doubted(fields: &Fields, names: &[&str], how: &str) {
    for name in names {
        let right = RIGHT.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
        if let Some((value, sure)) = fields.get(*name) {
            assert!(Some(value.as_str()) == right || *sure < 0.5, "{name}: {value} at {sure}, {how}");
        }
    }
}

const AMOUNTS: [&str; 3] = ["grossAmount", "deductionsAmount", "netAmount"];

#[rstest]
#[case("ACUMULADO ANUAL 2025")]
#[case("Year to date")]
#[case("Del 1 de enero a la fecha")]
#[case("For reference, your pay of August:")]
#[case("Resumen del año")]
#[case("Periodo anterior")]
fn amounts_under_the_title_of_another_period_are_in_doubt(#[case] title: &str) {
    let block = cells(&[
        (51.0, 600.0, title),
        (51.0, 614.0, "Total percepciones"),
        (240.0, 614.0, "67,905.63"),
        (51.0, 628.0, "Total deducciones"),
        (240.0, 628.0, "12,733.29"),
        (51.0, 642.0, "Neto a pagar"),
        (240.0, 642.0, "55,172.34"),
    ]);
    // This period has other labels.
    let own = cells(&[(51.0, 500.0, "Suma de ingresos"), (240.0, 500.0, "7,015.05")]);
    let fields = read(&[without(9, 12) + &own + &block]);
    assert_right_or_doubted(&fields, &AMOUNTS, title);
    assert_eq!(fields["netAmount"].0, "55172.34", "{title}");
    let fields = read(&[plainly(&PAYSLIP) + &block]);
    assert_right(&fields, title);
    assert!(fields["netAmount"].1 < SURE, "{title}: the amounts of the year fit together, too");
}

#[test]
fn amounts_of_boxes_next_to_each_other_are_told_apart() {
    let row = |y: f64, label: &'static str, year: &'static str, period: &'static str| {
        [(51.0, y, label), (200.0, y, year), (330.0, y, label), (500.0, y, period)]
    };
    let boxes: Vec<_> = [(51.0, 540.0, "YEAR TO DATE"), (330.0, 540.0, "THIS PERIOD")]
        .into_iter()
        .chain(row(554.0, "Sueldo", "75,600.00", "6,300.00"))
        .chain(row(568.0, "Total percepciones", "84,180.60", "7,015.05"))
        .chain(row(582.0, "Total deducciones", "12,000.00", "1,000.00"))
        .chain(row(596.0, "Neto a pagar", "72,180.60", "6,015.05"))
        .collect();
    assert_right(&read(&[without(8, 12) + &cells(&boxes)]), "boxes");
}

#[rstest]
#[case("2025")]
#[case("('25)")]
fn amounts_of_labels_with_a_year_are_in_doubt(#[case] year: &str) {
    let labels =
        ["Total percepciones", "Total deducciones", "Neto a pagar"].map(|label| format!("{label} {year}"));
    let values = ["67,905.63", "12,733.29", "55,172.34"];
    let drawn = labels.iter().zip(values).enumerate().map(|(at, (label, value))| {
        let y = 540.0 + 14.0 * at as f64;
        cells(&[(51.0, y, label.as_str()), (300.0, y, value)])
    });
    let fields = read(&[without(9, 12) + &drawn.collect::<String>()]);
    assert_right_or_doubted(&fields, &AMOUNTS, year);
}

#[rstest]
#[case("Autorizó el pago")]
#[case("Representante legal")]
#[case("Prepared by")]
#[case("JEFE INMEDIATO")]
#[case("DATOS DEL CÓNYUGE")]
#[case("Solicitante")]
fn values_of_another_person_are_in_doubt(#[case] title: &str) {
    let block = cells(&[
        (51.0, 600.0, title),
        (51.0, 614.0, "Nombre:"),
        (120.0, 614.0, "Teresa Barrón Camacho"),
        (51.0, 628.0, "RFC:"),
        (120.0, 628.0, "BACT860930R35"),
        (51.0, 642.0, "CURP:"),
        (120.0, 642.0, "BACT860930MGTRMR01"),
    ]);
    let names = ["fullName", "nationalId", "taxId"];
    assert_right_or_doubted(&read(&[without(3, 6) + &block]), &names, title);
    let fields = read(&[plainly(&PAYSLIP) + &block]);
    assert_right_or_doubted(&fields, &names, title);
    assert_eq!(fields["fullName"].0, "Rosa Elena Ficticia Prueba", "{title}");
}

#[test]
fn person_below_the_amounts_is_not_sure() {
    let block = cells(&[
        (51.0, 600.0, "Entregado por"),
        (51.0, 614.0, "Nombre:"),
        (120.0, 614.0, "Teresa Barrón Camacho"),
        (51.0, 628.0, "CURP:"),
        (120.0, 628.0, "BACT860930MGTRMR01"),
    ]);
    let fields = read(&[without(3, 6) + &block]);
    for name in ["fullName", "nationalId"] {
        assert!(fields.get(name).is_none_or(|(_, sure)| *sure < SURE), "{name}: {:?}", fields.get(name));
    }
}

#[test]
fn person_in_a_row_about_another_person_is_in_doubt() {
    let row = cells(&[
        (51.0, 600.0, "Beneficiaria: Teresa Barrón Camacho"),
        (300.0, 600.0, "CURP: BACT860930MGTRMR01"),
    ]);
    assert_right_or_doubted(&read(&[without(5, 6) + &row]), &["nationalId"], "beneficiary");
}

#[rstest]
#[case("Vacaciones - Desde: 05/05/2025", "Hasta: 18/05/2025")]
#[case("Próxima fecha de pago: 30/11/2025", "")]
fn days_of_something_else_are_in_doubt(#[case] first: &str, #[case] second: &str) {
    let row = cells(&[(51.0, 600.0, first), (300.0, 600.0, second)]);
    let fields = read(&[without(7, 8) + &row]);
    for name in ["startDate", "endDate", "payDate"] {
        let sure = fields.get(name).map_or(0.0, |it| it.1);
        assert!(sure < 0.5, "{name}: {fields:?}");
    }
}

#[test]
fn stamp_of_a_printer_does_not_show_the_order_of_dates() {
    let rows = cells(&[
        (51.0, 600.0, "Fecha de pago"),
        (230.0, 600.0, "07/06/2025"),
        (51.0, 780.0, "Impreso 6/13/2025 10:22 a.m."),
    ]);
    assert_eq!(read(&[plainly(&PAYSLIP) + &rows])["payDate"].0, "2025-06-07");
}

#[test]
fn name_on_two_lines_is_read_whole() {
    let name = [(230.0, base(3) - 11.0, "Ejemplar")];
    let drawn: String = name.iter().map(|(x, y, text)| text_at(*x, *y, 10.0, "", text)).collect();
    let (name, sure) = &read(&[plainly(&PAYSLIP) + &drawn])["fullName"];
    assert!(name == "Rosa Elena Ficticia Prueba Ejemplar" && *sure < SURE, "{name} at {sure}");
}

#[test]
fn name_with_a_wider_space_is_not_sure() {
    let mut shown = PAYSLIP;
    shown[3] = &["Nombre completo", "María Fernanda Ibáñez Ejemplar"];
    assert!(read(&[plainly(&shown)])["fullName"].1 >= SURE, "its letters are those of the CURP");
    shown[3] = &["Nombre completo", "María Fernanda Ibáñez Ejemplar   Confianza"];
    assert!(read(&[plainly(&shown)])["fullName"].1 < SURE);
}

#[test]
fn corrected_code_is_not_sure() {
    let mut shown = PAYSLIP;
    shown[3] = &["Nombre completo", "María Fernanda Ibáñez Ejemplar"];
    assert!(read(&[plainly(&shown)])["nationalId"].1 >= SURE);
    shown[5] = &["CURP", "1AEM870617MPLBBF02"];
    let (code, sure) = &read(&[plainly(&shown)])["nationalId"];
    assert!(code == "IAEM870617MPLBBF02" && *sure < SURE, "{code} at {sure}");
}

#[test]
fn abbreviation_of_a_state_is_not_a_currency() {
    let mut shown = PAYSLIP;
    shown[4] = &["Clave de empleado", "20881", "Worthington, MN 56187"];
    assert!(read(&[plainly(&shown)])["currency"].1 < SURE);
}

#[test]
fn text_that_viewers_blend_with_the_paper_is_in_doubt() {
    let hidden: String = rows(&PAYSLIP[5..7], |x, y, text| text_at(x, y - 400.0, 10.0, "", text));
    let fields = read(&[without(5, 7) + &format!("q /Screen gs {hidden} Q")]);
    for name in ["nationalId", "socialSecurityNumber"] {
        assert!(fields.get(name).is_none_or(|it| it.1 < 0.5), "{name}: {fields:?}");
    }
}
