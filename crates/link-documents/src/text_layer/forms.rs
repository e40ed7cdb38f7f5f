//! Form fields and free texts whose text a viewer draws itself: their appearance is missing or outdated.

use std::collections::BTreeSet;

use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_syntax::object::{Array, Dict, Name, Rect, String as PdfString};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{self, Affine, Point};

use super::glyph::Glyph;

/// The maximum number of annotations that are examined per page.
const MOST: usize = 2_000;
/// The maximum number of letters of a value that are read.
const LONGEST: usize = 2_000;
/// The maximum depth of a field within its parents.
const DEEPEST: usize = 8;
/// Flags of an annotation that no viewer shows.
const NOT_SHOWN: u32 = 0b10_0010;
/// The flag of a field for a password.
const PASSWORD: u32 = 1 << 13;
/// The flag of a field with several lines.
const MULTILINE: u32 = 1 << 12;
/// The size of the font if the field does not have one, in points.
const USUAL_SIZE: f64 = 12.0;

/// A text in its place, in the page's units.
struct Field {
    place: Rect,
    text: String,
    size: f64,
    /// 1 if it is centered, 2 if it ends at the right.
    quadding: u32,
    is_multiline: bool,
    /// Whether the file gives what is drawn instead.
    has_appearance: bool,
}

/// Adds the texts that a viewer draws itself. Doubts what is drawn for a field whose value says otherwise.
pub(super) fn draw(page: &PdfPage<'_>, glyphs: &mut Vec<Glyph>) {
    let root = page.xref().get::<Dict<'_>>(page.xref().root_id()).unwrap_or_else(Dict::empty);
    let form = root.get::<Dict<'_>>(b"AcroForm").unwrap_or_else(Dict::empty);
    let draws_anew = form.get::<bool>(b"NeedAppearances").unwrap_or_default();
    let to_page = page.initial_transform(true).to_kurbo();
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return };
    let mut written = Vec::new();
    let centers: Vec<Point> = glyphs.iter().map(|glyph| glyph.bounds().center()).collect();
    for annotation in annotations.iter::<Dict<'_>>().take(MOST) {
        let Some(field) = field(&annotation, &form) else { continue };
        let Rect { x0, y0, x1, y1 } = field.place;
        let place = to_page.transform_rect_bbox(kurbo::Rect::new(x0, y0, x1, y1));
        let mut inside: Vec<&mut Glyph> = glyphs
            .iter_mut()
            .zip(&centers)
            .filter(|(glyph, center)| glyph.seen && place.contains(**center))
            .map(|(glyph, _)| glyph)
            .collect();
        let drawn: String = inside.iter().map(|glyph| glyph.text.as_str()).collect();
        if agree(&drawn, &field.text) {
            continue;
        }
        let is_redrawn = draws_anew || !field.has_appearance;
        for glyph in &mut inside {
            glyph.seen = !is_redrawn;
            glyph.is_sure = false;
        }
        if is_redrawn {
            write(&field, to_page, &mut written);
        }
    }
    glyphs.append(&mut written);
}

/// Returns the text of a text field, a list or a free text, if it has one and is shown.
fn field(annotation: &Dict<'_>, form: &Dict<'_>) -> Option<Field> {
    if annotation.get::<u32>(b"F").unwrap_or(0) & NOT_SHOWN != 0 {
        return None;
    }
    let kind = annotation.get::<Name<'_>>(b"Subtype")?;
    let has_appearance = annotation.get::<Dict<'_>>(b"AP").is_some_and(|it| it.contains_key(b"N"));
    let flags = inherited(annotation, |it| it.get::<u32>(b"Ff")).unwrap_or(0);
    let value = match kind.as_ref() {
        b"Widget" if flags & PASSWORD == 0 => {
            let kind = inherited(annotation, |it| it.get::<Name<'_>>(b"FT"))?;
            let value = inherited(annotation, |it| it.get::<PdfString<'_>>(b"V"))?;
            match kind.as_ref() {
                b"Tx" => value,
                b"Ch" => shown_choice(annotation, &value).unwrap_or(value),
                _ => return None,
            }
        }
        // Viewers do not draw the text of one that has an appearance.
        b"FreeText" if !has_appearance => annotation.get::<PdfString<'_>>(b"Contents")?,
        _ => return None,
    };
    let text: String = decoded(&value).chars().take(LONGEST).collect();
    let look = inherited(annotation, |it| it.get::<PdfString<'_>>(b"DA")).or_else(|| form.get(b"DA"));
    Some(Field {
        place: annotation.get::<Rect>(b"Rect").filter(|it| it.width() > 0.0 && it.height() > 0.0)?,
        text: text.trim().to_owned(),
        size: look.and_then(|it| font_size(it.as_bytes())).unwrap_or(USUAL_SIZE),
        quadding: inherited(annotation, |it| it.get::<u32>(b"Q")).unwrap_or(0),
        is_multiline: flags & MULTILINE != 0 || kind.as_ref() == b"FreeText",
        has_appearance,
    })
    .filter(|field| !field.text.is_empty())
}

/// Looks an entry up in a field and its parents.
fn inherited<'a, T>(field: &Dict<'a>, entry: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut at = field.clone();
    for _ in 0..DEEPEST {
        if let Some(found) = entry(&at) {
            return Some(found);
        }
        at = at.get::<Dict<'a>>(b"Parent")?;
    }
    None
}

/// Returns the words that a list shows for a value.
fn shown_choice<'a>(field: &Dict<'a>, value: &PdfString<'a>) -> Option<PdfString<'a>> {
    let options = inherited(field, |it| it.get::<Array<'a>>(b"Opt"))?;
    options.iter::<Array<'a>>().take(MOST).find_map(|option| {
        let mut pair = option.iter::<PdfString<'a>>();
        (pair.next()?.as_bytes() == value.as_bytes()).then(|| pair.next())?
    })
}

/// Decodes a text string: UTF-16 or UTF-8 with a mark, or else Latin letters.
fn decoded(text: &PdfString<'_>) -> String {
    match text.as_bytes() {
        [0xFE, 0xFF, rest @ ..] => {
            let units: Vec<u16> = rest
                .chunks_exact(2)
                .map(|pair| pair.iter().fold(0, |unit, byte| unit << 8 | u16::from(*byte)))
                .collect();
            String::from_utf16_lossy(&units)
        }
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        latin => latin.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Returns the size of a default appearance such as `/Helv 10 Tf 0 g`. `None` if the viewer chooses it.
fn font_size(look: &[u8]) -> Option<f64> {
    let look = String::from_utf8_lossy(look);
    let words: Vec<&str> = look.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "Tf")?;
    words.get(at.checked_sub(1)?)?.parse().ok().filter(|size| *size > 0.0)
}

/// Returns whether what is drawn is the value, perhaps in another format.
fn agree(drawn: &str, value: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
    letters(drawn) == letters(value) || number(drawn).is_some_and(|drawn| number(value) == Some(drawn))
}

/// Returns an amount without currency, separators of thousands and zeros at its ends.
fn number(text: &str) -> Option<String> {
    let kept: String = text.chars().filter(|it| it.is_ascii_digit() || matches!(it, '.' | '-')).collect();
    let others: BTreeSet<char> =
        text.chars().filter(|it| it.is_alphanumeric() && !it.is_ascii_digit()).collect();
    // Letters of a currency, such as MXN.
    if others.len() > 3 || !kept.chars().any(|it| it.is_ascii_digit()) {
        return None;
    }
    let (whole, cents) = kept.split_once('.').unwrap_or((&kept, ""));
    Some(format!("{}.{}", whole.trim_start_matches('0'), cents.trim_end_matches('0')))
}

/// Adds the glyphs of a text.
fn write(field: &Field, to_page: Affine, glyphs: &mut Vec<Glyph>) {
    const INSET: f64 = 2.0;
    const LEADING: f64 = 1.2;
    let Field { place, text, quadding, is_multiline, .. } = field;
    let size = field.size.min(place.height());
    let lines: Vec<&str> = if *is_multiline { text.lines().collect() } else { vec![text.as_str()] };
    for (row, line) in lines.into_iter().enumerate() {
        let count = line.chars().count() as f64;
        let advance = (size * 0.5).min((place.width() - 2.0 * INSET).max(1.0) / count.max(1.0));
        let left = match quadding {
            2 => place.x1 - INSET - advance * count,
            1 => (place.x0 + place.x1 - advance * count) / 2.0,
            _ => place.x0 + INSET,
        };
        let base = if *is_multiline {
            place.y1 - size * (1.0 + LEADING * row as f64)
        } else {
            (place.y0 + place.y1) / 2.0 - size * 0.35
        };
        for (nth, letter) in line.chars().enumerate() {
            let at = |x: f64| to_page * Point::new(left + advance * x, base);
            let origin = at(nth as f64);
            glyphs.push(Glyph {
                text: letter.to_string(),
                origin,
                end: at(nth as f64 + 1.0),
                up: to_page * Point::new(left + advance * nth as f64, base + size) - origin,
                outline: None,
                seen: !letter.is_whitespace(),
                is_sure: true,
            });
        }
    }
}
