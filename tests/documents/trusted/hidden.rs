//! Text that a person cannot see.

use link_test_support::documents::pdf::text_at;

use super::{Fields, PAYSLIP, base, plainly, read};

/// The row of the registry code. The social security number follows.
const ROW: usize = 5;

fn rest() -> Vec<&'static [&'static str]> {
    PAYSLIP
        .iter()
        .enumerate()
        .map(|(row, cells)| if row == ROW || row == ROW + 1 { &[][..] } else { cells })
        .collect()
}

/// Returns the operators that draw both numbers, with these operators before each.
fn numbers(before: &str, size: f64) -> String {
    (ROW..ROW + 2)
        .map(|row| {
            let [label, number] = PAYSLIP[row] else { panic!("a label and a number") };
            text_at(51.0, base(row), size, before, label) + &text_at(230.0, base(row), size, before, number)
        })
        .collect()
}

fn assert_hidden(fields: &Fields, how: &str) {
    for name in ["nationalId", "socialSecurityNumber"] {
        assert_eq!(fields.get(name), None, "{how}");
    }
    assert_eq!(fields["netAmount"].0, "6015.05", "the rest is read, {how}");
}

#[test]
fn text_under_boxes_and_pictures_is_not_read() {
    let area = format!("225 {} 160 36", base(ROW + 1) - 5.0);
    let (y, height) = (base(ROW + 1) - 5.0, 36.0);
    for (how, cover) in [
        ("a black box", format!("0 g {area} re f")),
        ("a white box", format!("1 g {area} re f")),
        ("a grey box", format!("0.5 g {area} re f")),
        ("a coloured box with a border", format!("1 0 0 rg 0 G {area} re B")),
        ("a thick line", format!("0 G {height} w 225 {} m 385 {} l S", y + 18.0, y + 18.0)),
        ("a picture", format!("q 160 0 0 {height} 225 {y} cm /P Do Q")),
        ("a polygon", format!("0 g 225 {y} m 385 {y} l 385 {} l 225 {} l h f*", y + height, y + height)),
    ] {
        let fields = read(&[plainly(&rest()) + &numbers("0 g", 10.0) + &cover]);
        assert_hidden(&fields, how);
    }
}

#[test]
fn text_without_contrast_or_size_is_not_read() {
    for (how, before, size) in [
        ("white", "1 g", 10.0),
        ("almost white", "0.96 g", 10.0),
        ("tiny", "0 g", 1.0),
        ("invisible", "3 Tr 0 g", 10.0),
        ("stroked in white", "1 Tr 1 G", 10.0),
    ] {
        let text = numbers(before, size);
        assert_hidden(&read(&[plainly(&rest()) + &format!("q {text} Q")]), how);
    }
    let dark = format!("0.2 g 40 {} 400 40 re f\n", base(ROW + 1) - 8.0);
    assert_hidden(&read(&[plainly(&rest()) + &dark + &numbers("0.2 g", 10.0)]), "dark on dark");
}

#[test]
fn text_outside_the_page_or_a_clip_is_not_read() {
    for (how, operators) in [
        ("left of the page", "1 0 0 1 -700 0 cm"),
        ("below the page", "1 0 0 1 0 -760 cm"),
        ("outside the clip", "500 500 20 20 re W n"),
        ("mirrored", "-1 0 0 1 612 0 cm"),
    ] {
        let content = plainly(&rest()) + &format!("q {operators}\n{} Q", numbers("0 g", 10.0));
        assert_hidden(&read(&[content]), how);
    }
}

#[test]
fn text_that_a_person_sees_is_read() {
    let area = format!("40 {} 400 40 re f", base(ROW + 1) - 8.0);
    for (how, before, text, after) in [
        ("on a grey box", format!("0.85 g {area}"), "0 g", String::new()),
        ("white on a dark box", format!("0.1 g {area}"), "1 g", String::new()),
        ("grey", String::new(), "0.55 g", String::new()),
        ("blue", String::new(), "0 0 1 rg", String::new()),
        ("under a translucent mark", String::new(), "0 g", format!("/Half gs 1 1 0 rg {area}")),
        ("under a line", String::new(), "0 g", format!("0 G 0.5 w 225 {0} m 400 {0} l S", base(ROW) + 3.0)),
    ] {
        let content = plainly(&rest()) + &before + "\n" + &numbers(text, 10.0) + &after;
        let fields = read(&[content]);
        assert_eq!(fields["nationalId"].0, "IAEM870617MPLBBF02", "{how}");
        assert_eq!(fields["socialSecurityNumber"].0, "55304484714", "{how}");
    }
}
