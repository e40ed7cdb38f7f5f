//! Text that the drawn page contradicts: what a viewer hides, other letters than the text says, marks and columns that touch.

use link_test_support::documents::pdf::{Extras, draw_pdf_with, text_at};
use link_types::archive::{ExtractionFaultCode, FileFormat};

use super::{Fields, PAYSLIP, RIGHT, SURE, base, file_findings, plainly, read, read_file};

/// The confidence below which a value is in doubt.
const DOUBTED: f64 = 0.5;
/// The row of the registry code.
const CODE: usize = 5;
/// The row of the employee number, which no rule checks.
const NUMBER: usize = 4;
/// The row of the gross amount.
const GROSS: usize = 9;
/// The row of the net amount.
const NET: usize = 11;

/// Returns the operators that draw the payslip without this row.
fn without(row: usize) -> String {
    let rest = |(at, cells): (usize, &&'static [&'static str])| if at == row { &[][..] } else { cells };
    plainly(&PAYSLIP.iter().enumerate().map(rest).collect::<Vec<_>>())
}

/// Returns the operators that draw the row's value, with these before it.
fn value(row: usize, before: &str) -> String {
    text_at(230.0, base(row), 10.0, before, PAYSLIP[row][1])
}

/// Returns the operators that draw the row's label.
fn label(row: usize) -> String {
    text_at(51.0, base(row), 10.0, "", PAYSLIP[row][0])
}

fn read_with(content: String, extras: &Extras) -> Fields {
    read_file(FileFormat::Pdf, draw_pdf_with(&[content], extras))
}

/// Asserts that the value is not read, and the others are.
fn assert_unread(fields: &Fields, name: &str, how: &str) {
    assert_eq!(fields.get(name), None, "{how}");
    assert_eq!(fields["grossAmount"].0, "7015.05", "the rest is read, {how}");
}

/// Asserts that the value is right or in doubt.
fn assert_not_wrong(fields: &Fields, name: &str, right: &str, how: &str) {
    let wrong = fields.get(name).filter(|(value, sure)| value != right && *sure >= DOUBTED);
    assert_eq!(wrong, None, "{name}, {how}");
    assert!(fields.contains_key("grossAmount"), "the rest is read, {how}");
}

#[test]
fn white_lines_of_letters_are_not_read_under_rules() {
    let (low, high) = (base(CODE) + 2.0, base(CODE) + 6.0);
    for (how, rules) in [
        ("a rule", format!("0.6 w 225 {} m 390 {} l S", base(CODE) + 3.5, base(CODE) + 3.5)),
        ("dots", format!("q .4 G .5 w [1 3] 0 d 225 {low} m 390 {low} l S Q")),
        ("two rules", format!("0.5 w 225 {low} m 390 {low} l 225 {high} m 390 {high} l S")),
    ] {
        let hidden = format!("q {} Q\n{rules}\n", value(CODE, "1 Tr 1 G .2 w"));
        let fields = read(&[without(CODE) + &label(CODE) + &hidden]);
        assert_unread(&fields, "nationalId", how);
    }
    let seen = format!("q {} Q\n", value(CODE, "1 Tr 0 G .4 w"));
    assert_eq!(read(&[without(CODE) + &label(CODE) + &seen])["nationalId"].0, PAYSLIP[CODE][1]);
}

#[test]
fn layers_that_viewers_may_hide_are_not_read() {
    let group = "<</Type/OCG/Name(Layer)>>";
    let printed = "<</Type/OCG/Name(Layer)/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>>>";
    let shown = "/OCProperties<</OCGs[{0}]/D<</ON[{0}]/Order[{0}]>>>>";
    let automatic = "/OCProperties<</OCGs[{0}]/D<</AS[<</Event/View/Category[/View]/OCGs[{0}]>>]>>>>";
    for (how, objects, catalog, used) in [
        ("an expression", vec![group, "<</Type/OCMD/VE[/Not {0}]>>"], shown, "{1}"),
        ("a layer that is only printed", vec![printed], automatic, "{0}"),
        ("a member that is only printed", vec![printed, "<</Type/OCMD/OCGs[{0}]>>"], automatic, "{1}"),
    ] {
        let extras = Extras {
            catalog: catalog.to_owned(),
            resources: format!("/Properties<</MC {used}>>"),
            objects: objects.into_iter().map(str::to_owned).collect(),
            ..Extras::default()
        };
        let hidden = format!("/OC /MC BDC {} EMC\n", value(CODE, ""));
        assert_unread(&read_with(without(CODE) + &label(CODE) + &hidden, &extras), "nationalId", how);
    }
    let extras = Extras {
        catalog: shown.to_owned(),
        resources: "/Properties<</MC {0}>>".to_owned(),
        objects: vec![group.to_owned()],
        ..Extras::default()
    };
    let seen = format!("/OC /MC BDC {} EMC\n", value(CODE, ""));
    let fields = read_with(without(CODE) + &label(CODE) + &seen, &extras);
    assert_eq!(fields["nationalId"].0, PAYSLIP[CODE][1], "a layer that every viewer shows");
}

/// Returns a form that draws the registry code, with these entries.
fn form(entries: &str) -> String {
    let font = "/Font<</F0<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";
    let content = value(CODE, "");
    format!(
        "<</Type/XObject/Subtype/Form/BBox[0 0 612 792]{entries}/Length {}>>\nstream\n{content}\nendstream",
        content.len()
    )
    .replace("{font}", font)
}

#[test]
fn forms_on_layers_that_viewers_may_hide_are_doubted() {
    let group = "<</Type/OCG/Name(Layer)>>";
    let printed = "<</Type/OCG/Name(Layer)/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>>>";
    let expression = "<</Type/OCMD/VE[/Not {0}]>>";
    let own = form("/OC {1}/Resources<<{font}>>");
    let around = form("/Resources<<{font}/XObject<</In {2}>>>>").replace(&value(CODE, ""), "/In Do");
    let around = around.replace(&format!("/Length {}", value(CODE, "").len()), "/Length 6");
    let read_form = |objects: [&str; 4], drawn: &str| {
        let extras = Extras {
            catalog: "/OCProperties<</OCGs[{0}]/D<</ON[{0}]/Order[{0}]>>>>".to_owned(),
            x_objects: format!("/Fm {drawn}"),
            objects: objects.map(str::to_owned).to_vec(),
            ..Extras::default()
        };
        read_with(without(CODE) + &label(CODE) + "q /Fm Do Q\n", &extras)
    };
    for (how, objects, drawn) in [
        ("an expression", [group, expression, &own, "null"], "{2}"),
        ("a layer that is only printed", [group, printed, &own, "null"], "{2}"),
        ("a form within another", [group, expression, &own, &around], "{3}"),
    ] {
        assert_not_wrong(&read_form(objects, drawn), "nationalId", "", how);
    }
    for drawn in ["{2}", "{3}"] {
        let (code, sure) = &read_form([group, group, &own, &around], drawn)["nationalId"];
        assert!(
            code == PAYSLIP[CODE][1] && *sure >= 0.9,
            "a layer that every viewer shows: {code} at {sure}"
        );
    }
}

#[test]
fn annotations_on_layers_are_not_read() {
    let place = format!("[228 {} 400 {}]", base(CODE) - 4.0, base(CODE) + 11.0);
    let extras = Extras {
        annotations: vec![format!("<</Type/Annot/Subtype/Stamp/F 4/Rect{place}/AP<</N {{ap}}>>/OC {{0}}>>")],
        appearances: vec![text_at(2.0, 4.0, 10.0, "", PAYSLIP[CODE][1])],
        catalog: "/OCProperties<</OCGs[{0}]/D<</OFF[{0}]>>>>".to_owned(),
        objects: vec!["<</Type/OCG/Name(Layer)>>".to_owned()],
        ..Extras::default()
    };
    assert_unread(&read_with(without(CODE) + &label(CODE), &extras), "nationalId", "a layer that is off");
}

#[test]
fn text_under_shapes_that_viewers_draw_is_not_read() {
    let place = format!("[225 {} 400 {}]", base(CODE) - 4.0, base(CODE) + 11.0);
    let shape = format!("<</Type/Annot/Subtype/Square/F 4/C[0 0 0]/IC[0 0 0]/Rect{place}>>");
    let extras = Extras { annotations: vec![shape], ..Extras::default() };
    assert_unread(&read_with(plainly(&PAYSLIP), &extras), "nationalId", "a black square");
}

/// A font that draws its letters as usual.
const LYING: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode {0}>>";

/// Returns a map from the codes of a font to letters, in which one drawn letter is another one.
fn lying_map(drawn: char, letter: char) -> String {
    let lie = format!("<{:02X}> <{:04X}>", u32::from(drawn), u32::from(letter));
    let map =
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def \
               1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange \
               1 beginbfchar {lie} endbfchar endcmap end end"
            .replace("{lie}", &lie);
    format!("<</Length {}>>\nstream\n{map}\nendstream", map.len())
}

#[test]
fn fonts_that_draw_other_letters_than_their_text_are_doubted() {
    let widths = "556 ".repeat(95);
    let names: String = (32..127).map(|code| format!("/c{code}")).collect();
    let glyphs: String = (32..127).map(|code| format!("/c{code} {{2}} ")).collect();
    let boxes = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 600 800]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 32/LastChar 126\
         /Widths[{widths}]/CharProcs<<{glyphs}>>/Encoding<</Differences[32{names}]>>/Resources<<>>/ToUnicode {{0}}>>"
    );
    let box_of_ink = "556 0 0 0 500 700 d1 0 0 500 700 re f";
    let stream = format!("<</Length {}>>\nstream\n{box_of_ink}\nendstream", box_of_ink.len());
    for (how, font) in [("9 for 1", LYING.to_owned()), ("boxes", boxes)] {
        let extras = Extras {
            fonts: "/FX {1}".to_owned(),
            objects: vec![lying_map('9', '1'), font, stream.clone()],
            ..Extras::default()
        };
        let number = text_at(230.0, base(NUMBER), 10.0, "", "20889").replace("/F0", "/FX");
        let content = without(NUMBER) + &label(NUMBER) + &number;
        let first =
            file_findings(FileFormat::Pdf, draw_pdf_with(&[content], &extras)).unwrap().extracted.first;
        let number = first.fields.iter().find(|field| field.name == "employeeNumber").unwrap();
        assert_eq!(number.value, "20881", "the text, {how}");
        assert!(number.confidence < DOUBTED, "{}, {how}", number.confidence);
        let mut faults = first.faults.iter().filter(|it| it.code == ExtractionFaultCode::SeveralValues);
        assert!(faults.any(|fault| fault.fields.contains(&number.name)), "{:?}, {how}", first.faults);
    }
    let (number, sure) = &read(&[plainly(&PAYSLIP)])["employeeNumber"];
    assert!(number == "20881" && *sure >= 0.9, "an honest font: {number} at {sure}");
}

#[test]
fn fonts_that_draw_digits_for_signs_are_not_sure() {
    let extras = Extras {
        fonts: "/FX {1}".to_owned(),
        objects: vec![lying_map('5', '$'), LYING.to_owned()],
        ..Extras::default()
    };
    let mut rows = PAYSLIP;
    (rows[GROSS], rows[NET]) = (&["Total percepciones", "7,018.00"], &["Neto a pagar"]);
    let net = text_at(230.0, base(NET), 10.0, "", "56,018.00").replace("/F0", "/FX");
    let fields = read_with(plainly(&rows) + &net, &extras);
    let (net, sure) = &fields["netAmount"];
    assert!(net == "6018.00" && *sure < SURE, "56,018.00 is drawn: {net} at {sure}");
}

#[test]
fn raised_digits_are_marks_of_footnotes() {
    let mark = |x: f64, y: f64, size: f64, text: &str| text_at(x, y, size, "", text);
    let net = mark(230.0, base(NET) + 2.2, 7.0, "1") + &mark(234.1, base(NET), 10.0, "6,015.05");
    assert_eq!(read(&[without(NET) + &label(NET) + &net])["netAmount"].0, "6015.05");
    for (rise, size) in [(3.3, 6.0), (2.0, 7.0)] {
        // Five digits of 5.56 points.
        let number = plainly(&PAYSLIP) + &mark(258.1, base(4) + rise, size, "2");
        assert_eq!(read(&[number])["employeeNumber"].0, "20881", "raised by {rise}");
    }
    let short = text_at(230.0, base(6), 10.0, "", "4309916152") + &mark(285.9, base(6) + 3.3, 6.0, "3");
    let fields = read(&[without(6) + &label(6) + &short]);
    assert_not_wrong(&fields, "socialSecurityNumber", "", "ten digits and a mark");
    let cents = mark(230.0, base(NET), 10.0, "6,015.") + &mark(258.1, base(NET) + 2.0, 7.0, "05");
    let fields = read(&[without(NET) + &label(NET) + &cents]);
    assert_eq!(fields["netAmount"].0, "6015.05", "raised cents are part of the amount");
}

#[test]
fn numbers_of_columns_that_touch_are_not_joined() {
    let at = |row: usize, x: f64, text: &str| text_at(x, base(row), 10.0, "", text);
    let base_pay = label(8) + &at(8, 230.0, "2") + &at(8, 236.8, "3,300.00");
    assert_not_wrong(&read(&[without(8) + &base_pay]), "baseAmount", "3300.00", "a quantity before it");
    let three = label(8) + &at(8, 215.0, "15") + &at(8, 226.9, "6,300.00") + &at(8, 267.4, "75,600.00");
    assert_not_wrong(&read(&[without(8) + &three]), "baseAmount", "6300.00", "three columns");
    let number = label(4) + &at(4, 230.0, "20881") + &at(4, 259.0, "15");
    assert_not_wrong(&read(&[without(4) + &number]), "employeeNumber", "20881", "days after it");
    let spaced = label(NET) + &text_at(230.0, base(NET), 10.0, "1.2 Tc", "26,015.05");
    assert_eq!(read(&[without(NET) + &spaced + "BT 0 Tc ET"])["netAmount"].0, "26015.05", "letter-spaced");
}

#[test]
fn values_next_to_tilted_stickers_are_doubted() {
    let tilted = "BT /F0 10 Tf 0.99619 0.08716 -0.08716 0.99619 230 ";
    let sticker = format!("{tilted}{} Tm (6,015.05) Tj ET\n", base(NET));
    let year = text_at(330.0, base(NET), 10.0, "", "72,180.60");
    let fields = read(&[without(NET) + &label(NET) + &sticker + &year]);
    assert_not_wrong(&fields, "netAmount", "6015.05", "the year is next to the sticker");
}

#[test]
fn watermarks_and_lines_to_cut_along_doubt_no_values() {
    let diagonal = "q .85 g BT /F0 60 Tf 0.70711 0.70711 -0.70711 0.70711 120 500 Tm (COPIA) Tj ET Q\n";
    let upright = "BT /F0 8 Tf 0 1 -1 0 210 480 Tm (CORTE AQUI - CORTE AQUI - CORTE AQUI) Tj ET\n";
    for (how, content) in [("a watermark", diagonal), ("a line", upright)] {
        let fields = read(&[content.to_owned() + &plainly(&PAYSLIP)]);
        for (name, right) in RIGHT {
            let (value, sure) = &fields[name];
            assert!(value == right && *sure >= 0.9, "{name}: {value} at {sure}, {how}");
        }
    }
}
