//! Text that is drawn more than once, next to other text, or with spaces between its letters.

use link_test_support::documents::pdf::text_at;

use super::{PAYSLIP, RIGHT, SURE, assert_no_wrong_amount, assert_right, base, plainly, read, rows};

#[test]
fn bold_drawn_twice_and_shadows_are_read_once() {
    for (dx, dy) in [(0.2, 0.0), (0.3, 0.0), (0.5, 0.2), (0.9, -0.9), (1.5, -1.5), (0.0, 0.0)] {
        let runs = rows(&PAYSLIP, |x, y, text| {
            text_at(x, y, 10.0, "0 g", text) + &text_at(x + dx, y + dy, 10.0, "0 g", text)
        });
        assert_right(&read(&[runs]), &format!("each text again at {dx}, {dy}"));
        let grey = rows(&PAYSLIP, |x, y, text| text_at(x + dx, y + dy, 10.0, "0.6 g", text));
        assert_right(&read(&[grey + "0 g\n" + &plainly(&PAYSLIP)]), &format!("a grey shadow at {dx}, {dy}"));
    }
    let stroked = rows(&PAYSLIP, |x, y, text| text_at(x, y, 10.0, "2 Tr 0.3 w", text));
    assert_right(&read(&[stroked]), "filled and stroked");
    let four = rows(&PAYSLIP, |x, y, text| {
        [0.0, 0.15, 0.3, 0.45].map(|dx| text_at(x + dx, y, 10.0, "", text)).concat()
    });
    assert_right(&read(&[four]), "four times");
}

#[test]
fn letters_drawn_twice_one_by_one_are_read_once() {
    // Letters of one width, so that the test knows their places.
    let width = 5.56;
    let amounts = [("Total percepciones", "701505"), ("Neto a pagar", "601505")];
    let digits = |x: f64, y: f64, text: &str| -> String {
        let each = text.chars().enumerate();
        each.map(|(at, c)| {
            let x = x + width * at as f64;
            [0.0, 0.3].map(|dx| text_at(x + dx, y, 10.0, "", &c.to_string())).concat()
        })
        .collect()
    };
    let mut content = plainly(&PAYSLIP[..8]);
    for (row, (label, number)) in amounts.iter().enumerate() {
        content += &text_at(51.0, base(8 + row), 10.0, "", label);
        let (units, cents) = number.split_at(4);
        content += &digits(230.0, base(8 + row), units);
        content += &digits(230.0 + width * 4.0, base(8 + row), ".");
        content += &digits(230.0 + width * 4.0 + 2.78, base(8 + row), cents);
    }
    let fields = read(&[content]);
    assert_eq!(fields["grossAmount"].0, "7015.05");
    assert_eq!(fields["netAmount"].0, "6015.05");
}

#[test]
fn white_box_correction_is_read_as_it_is_seen() {
    let (row, new) = (11, "6,915.05");
    for (box_left, box_width, new_left) in [(229.0, 42.0, 230.0), (229.0, 42.0, 222.0), (225.0, 60.0, 185.0)]
    {
        let cover = format!("1 g {box_left} {} {box_width} 12 re f 0 g\n", base(row) - 3.0);
        let content = plainly(&PAYSLIP) + &cover + &text_at(new_left, base(row), 10.0, "", new);
        let fields = read(&[content]);
        let (value, confidence) = &fields["netAmount"];
        assert_eq!(value, "6915.05", "the new value at {new_left}");
        assert!(*confidence < SURE, "it contradicts the other amounts");
        assert!(fields["grossAmount"].1 < SURE, "and they contradict it");
    }
}

#[test]
fn amounts_printed_over_each_other_are_not_sure() {
    for dx in [0.0, 1.0, 3.0] {
        let content = plainly(&PAYSLIP) + &text_at(230.0 + dx, base(11), 10.0, "", "8,942.71");
        assert_no_wrong_amount(&read(&[content]), &RIGHT, &format!("{dx} pt apart"));
    }
}

#[test]
fn amounts_beside_each_other_are_not_joined() {
    for gap in [0.0, 0.3, 1.0, 2.0, 5.0, 8.0] {
        let others = ["75,600.00", "84,180.60", "12,000.00", "72,180.60"];
        let beside: String = others
            .iter()
            .enumerate()
            .map(|(at, other)| text_at(268.9 + gap, base(8 + at), 10.0, "", other))
            .collect();
        let fields = read(&[plainly(&PAYSLIP) + &beside]);
        assert_no_wrong_amount(&fields, &RIGHT, &format!("{gap} pt apart"));
        for name in ["grossAmount", "deductionsAmount", "netAmount"] {
            let value = &fields[name].0;
            assert!(value.len() <= 8, "{name}: {value} is two numbers, {gap} pt apart");
        }
    }
}

#[test]
fn letter_spaced_headings_are_read_as_words() {
    for spacing in ["1 Tc", "2 Tc", "3 Tc", "5 Tc"] {
        let heading = rows(&PAYSLIP[..2], |x, y, text| text_at(x, y, 10.0, spacing, text));
        let rest: String = (2..PAYSLIP.len())
            .map(|row| rows(&PAYSLIP[row..=row], |x, _, text| text_at(x, base(row), 10.0, "0 Tc", text)))
            .collect();
        assert_right(&read(&[heading + &rest]), spacing);
    }
}
