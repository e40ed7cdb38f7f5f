//! Text that the content turns.

use link_test_support::documents::pdf::text_at;

use super::{PAYSLIP, assert_right, plainly, read};

#[test]
fn turned_text_is_read_row_by_row() {
    for degrees in [90.0, 180.0, 270.0, 1.0, 3.0, -3.0, 5.0, -5.0, 12.0, 93.0_f64] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        // Around the middle of the page, smaller, so that nothing leaves the page.
        let scaled = (cos * 0.7, sin * 0.7);
        let content = format!(
            "1 0 0 1 306 396 cm {} {} {} {} 0 0 cm 1 0 0 1 -306 -396 cm\n{}",
            scaled.0,
            scaled.1,
            -scaled.1,
            scaled.0,
            plainly(&PAYSLIP)
        );
        assert_right(&read(&[content]), &format!("turned by {degrees}"));
    }
}

#[test]
fn text_in_the_margin_in_another_direction_is_left_out() {
    let seal = text_at(20.0, 100.0, 8.0, "", "Neto a pagar 99,999.99 Sello digital");
    let content = format!("{}q 0 1 -1 0 60 0 cm {seal} Q", plainly(&PAYSLIP));
    assert_right(&read(&[content]), "with a seal in the margin");
}
