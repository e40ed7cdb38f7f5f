//! Other amounts on a payslip that fit together as well: nothing but unknown words says which ones are paid (ADR 278).

use rstest::rstest;

use link_test_support::documents::pdf::text_at;

use super::{PAYSLIP, RIGHT, SURE, base, findings, plainly, read};

const AMOUNTS: [&str; 3] = ["grossAmount", "deductionsAmount", "netAmount"];
const LABELS: [&str; 3] = ["Total percepciones", "Total deducciones", "Neto a pagar"];
const OTHERS: [&str; 3] = ["9,915.05", "1,248.66", "8,666.39"];

/// Returns the rows of the payslip without its amounts.
fn without_amounts() -> Vec<&'static [&'static str]> {
    PAYSLIP[..8].to_vec()
}

#[rstest]
#[case("PROYECCIÓN SIGUIENTE QUINCENA")]
#[case("TOTALES DE LA EMPRESA")]
#[case("COSTO DE SU ÁREA")]
#[case("Year so far")]
fn amounts_are_not_sure_if_others_fit_together_as_well(#[case] title: &'static str) {
    let rows = [
        vec!["Ingresos", "7,015.05"],
        vec!["Descuentos", "1,000.00"],
        vec!["Depositado", "6,015.05"],
        vec![title],
        vec![LABELS[0], OTHERS[0]],
        vec![LABELS[1], OTHERS[1]],
        vec![LABELS[2], OTHERS[2]],
    ];
    let mut shown = without_amounts();
    shown.extend(rows.iter().map(|row| &*row.clone().leak()));
    let found = findings(&[plainly(&shown)]).unwrap();
    let fields = &found.extracted.first.fields;
    for name in AMOUNTS {
        let it = fields.iter().find(|it| it.name == name).unwrap();
        assert!(it.confidence <= 0.9, "{name}: {} at {}, {title}", it.value, it.confidence);
        let faults = &found.extracted.first.faults;
        assert!(faults.iter().any(|fault| fault.fields.contains(&it.name)), "{name} has a fault, {title}");
    }
}

#[rstest]
#[case("dice; debe decir")]
#[case("CANCELADO, vale")]
#[case("a")]
fn amounts_with_other_amounts_beside_them_are_not_sure(#[case] words: &str) {
    let mut content = plainly(&PAYSLIP);
    for (at, other) in OTHERS.iter().enumerate() {
        content += &text_at(330.0, base(at + 9), 10.0, "", &format!("{words} {other}"));
    }
    let fields = read(&[content]);
    assert!(AMOUNTS.iter().all(|name| fields.get(*name).is_none_or(|(_, sure)| *sure < SURE)), "{words}");
}

#[test]
fn amounts_are_in_doubt_if_the_cells_of_this_period_are_empty() {
    for headings in [["Amount", "Total"], ["Importe", "Esta quincena"]] {
        for is_first in [false, true] {
            let cell = |x: f64, row: usize, text: &str| text_at(x, base(row), 10.0, "", text);
            let mut content = plainly(&without_amounts());
            content += &(cell(300.0, 8, headings[0]) + &cell(420.0, 8, headings[1]));
            for (row, label, one, two) in [
                (9, "Sueldo", "6,300.00", "75,600.00"),
                (10, "Bono", "715.05", "8,580.60"),
                (11, LABELS[0], "", "84,180.60"),
                (12, LABELS[1], "", "12,000.00"),
                (13, LABELS[2], "", "72,180.60"),
            ] {
                let (one, two) = if is_first { (two, one) } else { (one, two) };
                content += &(cell(51.0, row, label) + &cell(300.0, row, one) + &cell(420.0, row, two));
            }
            let fields = read(&[content]);
            for name in AMOUNTS {
                if let Some((value, sure)) = fields.get(name) {
                    assert!(*sure < 0.5, "{name}: {value} at {sure}, {headings:?}");
                }
            }
        }
    }
}

#[test]
fn total_in_one_of_two_columns_without_headings_is_not_sure() {
    let cell = |x: f64, row: usize, text: &str| text_at(x, base(row), 10.0, "", text);
    let mut content = plainly(&without_amounts());
    content += &(cell(51.0, 9, "Sueldo") + &cell(300.0, 9, "75,600.00") + &cell(420.0, 9, "6,300.00"));
    for (at, amount) in ["84,180.60", "12,000.00", "72,180.60"].iter().enumerate() {
        content += &(cell(51.0, at + 10, LABELS[at]) + &cell(300.0, at + 10, amount));
    }
    let fields = read(&[content]);
    for name in AMOUNTS {
        assert!(fields.get(name).is_none_or(|(_, sure)| *sure < SURE), "{name}: {:?}", fields.get(name));
    }
}

#[test]
fn parts_of_the_amounts_leave_them_sure() {
    let rows: [&[&str]; 4] =
        [&["Bono", "715.05"], &["ISR", "700.00"], &["IMSS cuota", "300.00"], &["Depositado", "6,015.05"]];
    let fields = read(&[plainly(&[&PAYSLIP[..], &rows].concat())]);
    for name in AMOUNTS {
        let right = RIGHT.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        assert_eq!(fields.get(name).map(|(value, _)| value.as_str()), right, "{name}");
        assert!(fields[name].1 >= SURE, "{name}: {:?}", fields[name]);
    }
}
