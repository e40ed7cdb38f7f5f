//! Days of several periods next to each other: those of this period are chosen, or none is sure (ADR 278).

use rstest::rstest;

use super::{Fields, PAYSLIP, SURE, plainly, read};

/// The rows of a payslip without its period, and these rows instead.
fn with_days(days: &[&'static [&'static str]]) -> Fields {
    let mut shown: Vec<&[&str]> = PAYSLIP[..7].to_vec();
    shown.extend(days);
    shown.extend(&PAYSLIP[8..]);
    read(&[plainly(&shown)])
}

/// Asserts that the days are those of the second half of July, or in doubt.
fn assert_not_surely_wrong(fields: &Fields, how: &str) {
    for (name, right) in [("startDate", "2025-07-16"), ("endDate", "2025-07-31"), ("payDate", "2025-07-31")] {
        if let Some((value, sure)) = fields.get(name) {
            assert!(value == right || *sure < 0.5, "{name}: {value} at {sure}, {how}");
        }
    }
}

const EARLIER: &str = "01/07/2025 - 15/07/2025";
const OWN: &str = "16/07/2025 - 31/07/2025";
const LATER: &str = "01/08/2025 - 15/08/2025";

#[test]
fn days_of_this_period_are_chosen_by_the_headings() {
    for (headings, periods, paid) in [
        (["", "Anterior", "Actual", ""], [EARLIER, OWN, ""], ["15/07/2025", "31/07/2025", ""]),
        (["", "Prior", "Current", ""], [EARLIER, OWN, ""], ["15/07/2025", "31/07/2025", ""]),
        (
            ["", "Anterior", "Actual", "Siguiente"],
            [EARLIER, OWN, LATER],
            ["15/07/2025", "31/07/2025", "15/08/2025"],
        ),
        (["", "Actual", "Anterior", ""], [OWN, EARLIER, ""], ["31/07/2025", "15/07/2025", ""]),
    ] {
        let draw = |label: &'static str, days: [&'static str; 3]| [label, days[0], days[1], days[2]];
        let (period, pay) = (draw("Periodo", periods), draw("Fecha de pago", paid));
        let shown: Vec<&[&str]> = PAYSLIP[..7]
            .iter()
            .copied()
            .chain([&headings[..], &period, &pay])
            .chain(PAYSLIP[8..].iter().copied())
            .collect();
        let wide = |row: &[&str], at: usize| -> String {
            let places = [51.0, 170.0, 310.0, 450.0];
            row.iter()
                .zip(places)
                .map(|(text, x)| {
                    link_test_support::documents::pdf::text_at(x, super::base(at), 10.0, "", text)
                })
                .collect()
        };
        let content: String = shown.iter().enumerate().map(|(at, row)| wide(row, at)).collect();
        let fields = read(&[content]);
        for (name, right) in
            [("startDate", "2025-07-16"), ("endDate", "2025-07-31"), ("payDate", "2025-07-31")]
        {
            assert_eq!(
                fields.get(name).map(|(value, _)| value.as_str()),
                Some(right),
                "{name}, {headings:?}"
            );
        }
    }
}

#[rstest]
#[case("Junio", "Julio")]
#[case("Recibo 14", "Recibo 15")]
fn days_under_unknown_headings_are_in_doubt(#[case] first: &'static str, #[case] second: &'static str) {
    let headings: &'static [&'static str] = vec!["", first, second].leak();
    let fields = with_days(&[headings, &["Fecha de pago", "15/07/2025", "31/07/2025"]]);
    assert!(fields["payDate"].1 < 0.5, "{first}: {:?}", fields["payDate"]);
}

#[rstest]
#[case("NÓMINA ANTERIOR")]
#[case("Previous payroll")]
#[case("Siguiente quincena")]
fn days_in_the_block_of_another_period_are_in_doubt(#[case] title: &'static str) {
    let title: &'static [&'static str] = vec![title].leak();
    let fields = with_days(&[
        title,
        &["Periodo", EARLIER],
        &["Fecha de pago", "15/07/2025"],
        &["NÓMINA ACTUAL"],
        &["Del", "16/07/2025", "31/07/2025"],
        &["Pagado el", "31/07/2025"],
    ]);
    assert_not_surely_wrong(&fields, title[0]);
}

#[test]
fn days_are_not_sure_if_another_period_is_printed() {
    let rows: [&'static [&'static str]; 2] = [&["Periodo", OWN], &["Fecha de pago", "31/07/2025"]];
    let alone = with_days(&rows);
    assert!(alone["startDate"].1 >= SURE, "{:?}", alone["startDate"]);
    let fields = with_days(&[rows[0], rows[1], &["Incidencias del", EARLIER]]);
    assert!(fields["startDate"].1 < SURE, "{:?}", fields["startDate"]);
    assert_not_surely_wrong(&fields, "with days of another period");
}
