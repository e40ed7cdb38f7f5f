//! Values of form fields: a viewer draws them if the file does not, or if what the file draws is outdated.

use link_test_support::documents::pdf::{Extras, draw_pdf_with, text_at};
use link_types::archive::FileFormat;

use super::{Fields, PAYSLIP, SURE, assert_right, base, plainly, read_file};

const NEEDED: &str = "/AcroForm<</Fields[]/NeedAppearances true/DA(/F0 0 Tf 0 g)>>";
const NOT_NEEDED: &str = "/AcroForm<</Fields[]/DA(/F0 0 Tf 0 g)>>";

/// Reads the payslip with its labels on the page and its values in fields. `field` returns the entries of a value's field,
/// and what its appearance draws, if it has one.
fn read_form(catalog: &str, field: impl Fn(&str) -> (String, Option<String>)) -> Fields {
    let mut extras = Extras { catalog: catalog.to_owned(), ..Extras::default() };
    let mut labels: Vec<&[&str]> = Vec::new();
    for (row, cells) in PAYSLIP.iter().enumerate() {
        labels.push(&cells[..1]);
        let Some(value) = cells.get(1) else { continue };
        let (entries, drawn) = field(value);
        let y = base(row);
        let appearance = if drawn.is_some() { "/AP<</N {ap}>>" } else { "" };
        extras.appearances.extend(drawn);
        extras.annotations.push(format!(
            "<</Type/Annot/Subtype/Widget/FT/Tx/F 4/T(f{row})/Rect[230 {} 540 {}]{entries}{appearance}>>",
            y - 4.0,
            y + 12.0
        ));
    }
    let content = plainly(&labels);
    let latin =
        |text: String| text.chars().map(|it| if it.is_ascii() { it } else { 'o' }).collect::<String>();
    extras.annotations = extras.annotations.into_iter().map(latin).collect();
    read_file(FileFormat::Pdf, draw_pdf_with(&[content], &extras))
}

fn draw_text(text: &str) -> Option<String> {
    Some(format!("/Tx BMC q {} Q EMC", text_at(2.0, 4.0, 10.0, "", text)))
}

#[test]
fn values_without_appearance_are_read() {
    for look in
        ["/DA(/F0 10 Tf 0 g)", "/DA(0 g /F0 0 Tf)", "", "/DA(/F0 10 Tf)/Q 2", "/DA(/F0 10 Tf)/Q 1/Ff 4096"]
    {
        for catalog in [NEEDED, NOT_NEEDED] {
            let fields = read_form(catalog, |value| (format!("{look}/V({value})"), None));
            assert_right(&fields, look);
        }
    }
}

#[test]
fn values_in_utf_16_and_of_the_parent_are_read() {
    let utf16 = |value: &str| {
        let units: String = value.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
        format!("<FEFF{units}>")
    };
    assert_right(&read_form(NEEDED, |value| (format!("/V{}", utf16(value)), None)), "UTF-16");
    let of_parent = |value: &str| (format!("/Parent<</FT/Tx/Parent<</V({value})>>>>"), None);
    assert_right(&read_form(NEEDED, of_parent), "of the parent");
}

#[test]
fn outdated_appearance_is_replaced_if_the_form_says_so() {
    let outdated = |value: &str| (format!("/DA(/F0 10 Tf)/V({value})"), draw_text("0.00"));
    assert_right(&read_form(NEEDED, outdated), "replaced");
    let empty = |value: &str| (format!("/DA(/F0 10 Tf)/V({value})"), Some("/Tx BMC EMC".to_owned()));
    assert_right(&read_form(NEEDED, empty), "empty");
}

#[test]
fn appearance_that_contradicts_its_value_is_not_sure() {
    let fields = read_form(NOT_NEEDED, |value| (format!("/V({value})"), draw_text("9,999.99")));
    let sure: Vec<_> = fields.iter().filter(|(name, it)| it.1 >= SURE && *name != "currency").collect();
    assert!(sure.is_empty(), "{sure:?}");
}

#[test]
fn appearance_may_have_another_format() {
    let fields = read_form(NOT_NEEDED, |value| {
        let is_amount = value.contains('.') && value.contains(',') && !value.contains(' ');
        let plain = if is_amount { value.replace(',', "") } else { value.to_owned() };
        (format!("/V({plain})"), draw_text(value))
    });
    for name in ["grossAmount", "netAmount", "deductionsAmount"] {
        assert!(fields.get(name).is_some_and(|(_, confidence)| *confidence >= SURE), "{name}: {fields:?}");
    }
}

#[test]
fn hidden_fields_and_passwords_are_not_read() {
    for entries in ["/F 2", "/F 32", "/Ff 8192"] {
        let fields = read_form(NEEDED, |value| (format!("{entries}/V({value})"), None));
        assert!(!fields.contains_key("netAmount"), "{entries}: {fields:?}");
    }
}

/// Returns a field over the name of the printed payslip.
fn over_name(entries: &str, catalog: &str, drawn: Option<String>) -> Fields {
    let y = base(3);
    let appearance = if drawn.is_some() { "/AP<</N {ap}>>" } else { "" };
    let extras = Extras {
        catalog: catalog.to_owned(),
        annotations: vec![format!(
            "<</Type/Annot/F 4/Rect[225 {} 540 {}]{entries}{appearance}>>",
            y - 4.0,
            y + 12.0
        )],
        appearances: drawn.into_iter().collect(),
        ..Extras::default()
    };
    read_file(FileFormat::Pdf, draw_pdf_with(&[plainly(&PAYSLIP)], &extras))
}

#[test]
fn field_over_printed_text_is_not_sure() {
    for entries in
        ["/Subtype/FreeText/Contents(Otra Persona Falsa)", "/Subtype/Widget/FT/Tx/T(n)/V(Otra Persona Falsa)"]
    {
        for look in ["", "/DA(/F0 10 Tf 0 g)"] {
            let fields = over_name(&format!("{entries}{look}"), NEEDED, None);
            let surely = fields.get("fullName").filter(|(_, confidence)| *confidence >= SURE);
            assert_eq!(surely, None, "{entries}{look}");
        }
    }
}

#[test]
fn field_that_no_viewer_shows_is_not_read_surely() {
    let right = "Rosa Elena Ficticia Prueba";
    for (what, entries) in [
        ("light", "/DA(/F0 10 Tf 1 g)/V(VALUE)"),
        ("light as colors", "/DA(/F0 10 Tf 1 1 1 rg)/V(VALUE)"),
        ("tiny", "/DA(/F0 0.5 Tf 0 g)/V(VALUE)"),
        ("invisible", "/DA(/F0 10 Tf 3 Tr)/V(VALUE)"),
        ("on a layer", "/OC<</Type/OCG/Name(off)>>/V(VALUE)"),
    ] {
        let fields = read_form(NEEDED, |value| (entries.replace("VALUE", value), None));
        let sure: Vec<_> = fields.iter().filter(|(name, it)| it.1 >= SURE && *name != "currency").collect();
        assert!(sure.iter().all(|(_, (value, _))| value != right), "{what}: {sure:?}");
        assert!(!sure.iter().any(|(name, _)| *name == "netAmount"), "{what}: {sure:?}");
    }
}

#[test]
fn appearance_of_an_empty_field_is_not_sure() {
    for value in ["/V()", ""] {
        for catalog in [NEEDED, NOT_NEEDED] {
            let fields = read_form(catalog, |text| (value.to_owned(), draw_text(text)));
            let sure: Vec<_> =
                fields.iter().filter(|(name, it)| it.1 >= SURE && *name != "currency").collect();
            assert!(!sure.iter().any(|(name, _)| *name == "netAmount"), "{value} {catalog}: {sure:?}");
        }
    }
}

#[test]
fn lines_of_a_field_stay_lines() {
    let fields = read_form(NEEDED, |value| {
        let address = if value.starts_with("Rosa") { "\\rCalle Ocho 8" } else { "" };
        (format!("/DA(/F0 8 Tf)/Ff 4096/V({value}{address})"), None)
    });
    assert_eq!(fields.get("fullName").map(|it| it.0.as_str()), Some("Rosa Elena Ficticia Prueba"));
}
