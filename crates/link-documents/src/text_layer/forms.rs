//! Form fields and free texts whose text a viewer draws itself: their appearance is missing or outdated.

use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_syntax::object::{Array, Dict, Name, Rect, String as PdfString};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{self, Affine, Point};

use super::collect::{MAX_CHECKS, MAX_GLYPHS};
use super::glyph::Glyph;

/// The maximum number of annotations that are examined per page.
const MAX_ANNOTATIONS: usize = 2_000;
/// The maximum number of letters of a value that are read.
const MAX_LETTERS: usize = 2_000;
/// The maximum depth of a field within its parents.
const MAX_DEPTH: usize = 8;
/// Flags of an annotation that no viewer shows.
const NOT_SHOWN: u32 = 0b10_0010;
/// The flag of a field for a password.
const PASSWORD: u32 = 1 << 13;
/// The flag of a field with several lines.
const MULTILINE: u32 = 1 << 12;
/// The size of the font if the viewer chooses it, in points.
const USUAL_SIZE: f64 = 12.0;
/// Smaller letters are not read.
const MIN_SIZE: f64 = 3.0;
/// Samples of a color from this on are as light as paper.
const LIGHT: f64 = 0.85;

/// A text in its place, in the page's units.
struct Field {
    place: Rect,
    text: String,
    look: Look,
    /// 1 if it is centered, 2 if it ends at the right.
    quadding: u32,
    is_multiline: bool,
    /// Whether the file gives what is drawn instead.
    has_appearance: bool,
}

/// How a viewer draws a text.
struct Look {
    /// `None` if the viewer chooses a size that fits.
    size: Option<f64>,
    is_light: bool,
    is_invisible: bool,
}

/// Adds the texts that a viewer draws itself to the page's glyphs, of which those from `annotated` on are the appearances of
/// annotations. Hides text of annotations whose layer may be off, and text under shapes that a viewer draws itself. Doubts text that contradicts a field's value or is under it. Returns `None` if there is too much to examine.
pub(super) fn draw(page: &PdfPage<'_>, mut glyphs: Vec<Glyph>, annotated: usize) -> Option<Vec<Glyph>> {
    let root = page.xref().get::<Dict<'_>>(page.xref().root_id()).unwrap_or_else(Dict::empty);
    let form = root.get::<Dict<'_>>(b"AcroForm").unwrap_or_else(Dict::empty);
    let draws_anew = form.get::<bool>(b"NeedAppearances").unwrap_or_default();
    let to_page = page.initial_transform(true).to_kurbo();
    let (width, height) = page.render_dimensions();
    let bounds = kurbo::Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return Some(glyphs) };
    let annotations: Vec<Dict<'_>> = annotations.iter::<Dict<'_>>().take(MAX_ANNOTATIONS).collect();
    if annotations.len() * glyphs.len() > MAX_CHECKS {
        return None;
    }
    let place_of = |it: &Dict<'_>| {
        let Rect { x0, y0, x1, y1 } = it.get::<Rect>(b"Rect")?;
        Some(to_page.transform_rect_bbox(kurbo::Rect::new(x0, y0, x1, y1)))
    };
    let mut written = Vec::new();
    let centers: Vec<Point> = glyphs.iter().map(|glyph| glyph.bounds().center()).collect();
    for annotation in &annotations {
        let (is_layered, is_over) = (annotation.contains_key(b"OC"), is_filled_shape(annotation));
        let Some(place) = place_of(annotation).filter(|_| is_layered || is_over) else { continue };
        for (at, (glyph, center)) in glyphs.iter_mut().zip(&centers).enumerate() {
            let is_own = at >= annotated;
            glyph.seen &= !(place.contains(*center) && (is_layered && is_own || is_over && !is_own));
        }
    }
    for (at, annotation) in annotations.iter().enumerate() {
        let (Some(field), Some(place)) = (field(annotation, &form), place_of(annotation)) else { continue };
        let mut inside: Vec<(usize, &mut Glyph)> = glyphs
            .iter_mut()
            .enumerate()
            .zip(&centers)
            .filter(|((_, glyph), center)| glyph.seen && place.contains(**center))
            .map(|(glyph, _)| glyph)
            .collect();
        let appearance = |it: &&(usize, &mut Glyph)| it.0 >= annotated;
        let drawn: String = inside.iter().filter(appearance).map(|(_, glyph)| glyph.text.as_str()).collect();
        if field.has_appearance && agree(&drawn, &field.text) {
            continue;
        }
        let is_redrawn = draws_anew || !field.has_appearance;
        // Text printed on the page itself stays there, below the value.
        let is_printed = |(at, glyph): &(usize, &mut Glyph)| {
            *at < annotated && glyph.text.chars().any(char::is_alphanumeric)
        };
        let is_over = is_redrawn && inside.iter().any(is_printed);
        for (at, glyph) in &mut inside {
            if *at >= annotated {
                glyph.seen &= !is_redrawn;
                glyph.is_sure = false;
            } else {
                glyph.is_sure &= !is_over;
            }
        }
        let is_under = annotations.iter().skip(at + 1).any(|later| {
            let is_other = later.get::<Name<'_>>(b"Subtype").is_some_and(|it| it.as_ref() != b"Link");
            is_other && place_of(later).is_some_and(|later| later.intersect(place).area() > 0.0)
        });
        if is_redrawn && !field.look.is_invisible && bounds.contains(place.center()) {
            let is_sure = !is_over && !is_under && !field.look.is_light;
            write(&field, is_sure, to_page, &mut written);
        }
        if glyphs.len() + written.len() > MAX_GLYPHS {
            return None;
        }
    }
    glyphs.append(&mut written);
    Some(glyphs)
}

/// Returns whether most viewers draw a filled shape that hayro does not draw, because it has no appearance.
fn is_filled_shape(annotation: &Dict<'_>) -> bool {
    let kind = annotation.get::<Name<'_>>(b"Subtype");
    let is_shape = kind.is_some_and(|it| [&b"Square"[..], b"Circle", b"Polygon"].contains(&it.as_ref()));
    let is_filled = annotation.get::<Array<'_>>(b"IC").is_some_and(|it| it.raw_iter().next().is_some());
    let is_shown = annotation.get::<u32>(b"F").unwrap_or(0) & NOT_SHOWN == 0;
    is_shape && is_filled && is_shown && !annotation.contains_key(b"AP")
}

/// Returns a text field, a list or a free text that is shown.
fn field(annotation: &Dict<'_>, form: &Dict<'_>) -> Option<Field> {
    // Layers can be off, which is not examined.
    if annotation.get::<u32>(b"F").unwrap_or(0) & NOT_SHOWN != 0 || annotation.contains_key(b"OC") {
        return None;
    }
    let kind = annotation.get::<Name<'_>>(b"Subtype")?;
    let has_appearance = annotation.get::<Dict<'_>>(b"AP").is_some_and(|it| it.contains_key(b"N"));
    let flags = find_inherited(annotation, |it| it.get::<u32>(b"Ff")).unwrap_or(0);
    let value = match kind.as_ref() {
        b"Widget" if flags & PASSWORD == 0 => {
            let kind = find_inherited(annotation, |it| it.get::<Name<'_>>(b"FT"))?;
            let value = find_inherited(annotation, |it| it.get::<PdfString<'_>>(b"V"));
            match kind.as_ref() {
                b"Tx" => value,
                b"Ch" => value.map(|value| show_choice(annotation, &value).unwrap_or(value)),
                _ => return None,
            }
        }
        // Viewers do not draw the text of one that has an appearance.
        b"FreeText" if !has_appearance => annotation.get::<PdfString<'_>>(b"Contents"),
        _ => return None,
    };
    let text: String =
        value.map(|it| decode_text(&it).chars().take(MAX_LETTERS).collect()).unwrap_or_default();
    let look = find_inherited(annotation, |it| it.get::<PdfString<'_>>(b"DA")).or_else(|| form.get(b"DA"));
    Some(Field {
        place: annotation.get::<Rect>(b"Rect").filter(|it| it.width() > 0.0 && it.height() > 0.0)?,
        text: text.trim().to_owned(),
        look: Look::parse(look.as_ref().map(|it| it.as_bytes()).unwrap_or_default()),
        quadding: find_inherited(annotation, |it| it.get::<u32>(b"Q")).unwrap_or(0),
        is_multiline: flags & MULTILINE != 0 || kind.as_ref() == b"FreeText",
        has_appearance,
    })
    .filter(|field| field.has_appearance || !field.text.is_empty())
}

/// Looks an entry up in a field and its parents.
fn find_inherited<'a, T>(field: &Dict<'a>, entry: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut at = field.clone();
    for _ in 0..MAX_DEPTH {
        if let Some(found) = entry(&at) {
            return Some(found);
        }
        at = at.get::<Dict<'a>>(b"Parent")?;
    }
    None
}

/// Returns the words that a list shows for a value.
fn show_choice<'a>(field: &Dict<'a>, value: &PdfString<'a>) -> Option<PdfString<'a>> {
    let options = find_inherited(field, |it| it.get::<Array<'a>>(b"Opt"))?;
    options.iter::<Array<'a>>().take(MAX_ANNOTATIONS).find_map(|option| {
        let mut pair = option.iter::<PdfString<'a>>();
        (pair.next()?.as_bytes() == value.as_bytes()).then(|| pair.next())?
    })
}

/// Decodes a text string: UTF-16 or UTF-8 with a mark, or else Latin letters.
fn decode_text(text: &PdfString<'_>) -> String {
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

impl Look {
    /// Parses a default appearance such as `/Helv 10 Tf 0 g`.
    fn parse(operators: &[u8]) -> Self {
        let operators = String::from_utf8_lossy(operators);
        let words: Vec<&str> = operators.split_whitespace().collect();
        let before = |operator: &str, count: usize| -> Option<Vec<f64>> {
            let at = words.iter().rposition(|word| *word == operator)?;
            words.get(at.checked_sub(count)?..at)?.iter().map(|word| word.parse().ok()).collect()
        };
        let size = before("Tf", 1).and_then(|it| it.first().copied()).filter(|size| *size > 0.0);
        let is_light = |operator, count| {
            before(operator, count).is_some_and(|samples| samples.iter().all(|sample| *sample >= LIGHT))
        };
        let has_no_ink = before("k", 4).is_some_and(|inks| inks.iter().all(|ink| *ink <= 1.0 - LIGHT));
        let is_mode = |mode: f64| before("Tr", 1).is_some_and(|it| it.first() == Some(&mode));
        Self {
            size,
            is_light: is_light("g", 1) || is_light("rg", 3) || has_no_ink,
            is_invisible: is_mode(3.0) || is_mode(7.0) || size.is_some_and(|size| size < MIN_SIZE),
        }
    }
}

/// Returns whether what is drawn is the value, perhaps in another format.
fn agree(drawn: &str, value: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
    let amount = number(drawn);
    match (&amount, number(value)) {
        (Some(drawn), Some(value)) => *drawn == value,
        _ => letters(drawn) == letters(value),
    }
}

/// Returns an amount without currency, separators of thousands and zeros at its ends.
fn number(text: &str) -> Option<String> {
    const CURRENCIES: [&str; 4] = ["MXN", "PHP", "USD", "MN"];
    let letters: String = text.chars().filter(|it| it.is_alphabetic()).collect();
    let kept: String = text.chars().filter(|it| it.is_ascii_digit() || *it == '.').collect();
    let is_amount = letters.is_empty() || CURRENCIES.contains(&letters.to_uppercase().as_str());
    if !is_amount || !kept.chars().any(|it| it.is_ascii_digit()) {
        return None;
    }
    let sign = if text.contains(['-', '(']) { "-" } else { "" };
    let (whole, cents) = kept.split_once('.').unwrap_or((&kept, ""));
    Some(format!("{sign}{}.{}", whole.trim_start_matches('0'), cents.trim_end_matches('0')))
}

/// Adds the glyphs of a text, as far as it fits its place.
fn write(field: &Field, is_sure: bool, to_page: Affine, glyphs: &mut Vec<Glyph>) {
    const INSET: f64 = 2.0;
    const LEADING: f64 = 1.2;
    /// The part of its size that an average letter is wide.
    const WIDE: f64 = 0.5;
    const CUT: f64 = 1.2;
    let Field { place, text, quadding, is_multiline, look, .. } = field;
    let size = look.size.unwrap_or(USUAL_SIZE).min(place.height());
    let within = (place.width() - 2.0 * INSET).max(1.0);
    let lines: Vec<&str> =
        if *is_multiline { text.split(['\r', '\n']).collect() } else { vec![text.as_str()] };
    let lines = lines.into_iter().filter(|line| !line.trim().is_empty());
    for (row, line) in lines.enumerate() {
        let count = line.chars().count().max(1) as f64;
        let advance = (size * WIDE).min(within / count);
        // A viewer does not show what does not fit a font of fixed size.
        let is_cut = look.size.is_some() && size * WIDE * count > within * CUT;
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
        if base < place.y0 {
            return;
        }
        for (nth, letter) in line.chars().enumerate() {
            let at = |x: f64| to_page * Point::new(left + advance * x, base);
            let origin = at(nth as f64);
            glyphs.push(Glyph {
                text: letter.to_string(),
                origin,
                end: at(nth as f64 + 1.0),
                up: to_page * Point::new(left + advance * nth as f64, base + size) - origin,
                outline: None,
                is_stroked: false,
                seen: !letter.is_whitespace(),
                is_sure: is_sure && !is_cut,
            });
        }
    }
}
