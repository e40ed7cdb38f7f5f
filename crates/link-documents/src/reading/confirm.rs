//! Compares values of text layers with the drawn pages: a font may draw other letters than its text says (ADR 217).
//!
//! The places of all values are cut out of the drawn pages and read as one picture, which takes less time than a page.

use std::time::Instant;

use hayro::hayro_syntax::Pdf;
use hayro::kurbo::{Point, Rect};
use image::{GrayImage, Luma, imageops};
use link_types::archive::{Extraction, ExtractionFault, ExtractionFaultCode, PageArea};

use super::Read;
use crate::page::{Page, Word, median};
use crate::pixels::decode;
use crate::rules::{Agreement, Findings, LabelArea, compare};
use crate::tesseract::Tesseract;

/// The factor for a value that the drawn page contradicts.
const CONTRADICTED: f64 = 0.45;
/// The maximum confidence in a value that was not compared, or agrees only in part.
const MAX_CONFIDENCE_UNCONFIRMED: f64 = 0.94;
/// The sizes of letters in the pictures, in pixels. A value that is not confirmed at the first one is read again.
const SIZES: [f64; 2] = [44.0, 62.0];
/// The number of values in one picture.
const PER_PICTURE: usize = 40;
/// The margin of a picture and between its rows, in pixels.
const MARGIN: u32 = 24;
/// The maximum width of a value, in pixels.
const MAX_WIDTH: f64 = 3_000.0;
/// The height of a word of a text layer, in sizes of its font.
const HEIGHT: f64 = 0.95;

/// A place of a page with one or more values, or a label.
struct Spot {
    page: u16,
    area: PageArea,
    text: String,
    /// Its rectangle in the positions of the page's words, and the size of the letters.
    place: Rect,
    size: f64,
    /// The best result so far. `None` if it was not compared.
    result: Option<Agreement>,
}

/// Doubts values of text layers that the drawn pages contradict, and lowers the confidence in those that are not compared:
/// Tesseract failed, or it is late. Does nothing if Tesseract is not installed.
pub(super) fn confirm(findings: &mut Findings, read: &Read, tesseract: &Tesseract, until: Instant) {
    if !tesseract.is_installed() {
        return;
    }
    let mut spots = spots(findings, read);
    for size in SIZES {
        let mut open: Vec<&mut Spot> =
            spots.iter_mut().filter(|spot| spot.result != Some(Agreement::Full)).collect();
        for sheet in open.chunks_mut(PER_PICTURE) {
            let Some(seen) = texts_seen(sheet, size, read, tesseract, until) else { continue };
            for (spot, seen) in sheet.iter_mut().zip(seen) {
                spot.result = spot.result.max(Some(compare(&spot.text, &seen)));
            }
        }
    }
    let extracted = &mut findings.extracted;
    for extraction in std::iter::once(&mut extracted.first).chain(&mut extracted.further) {
        doubt(extraction, &findings.labels, &spots, read);
    }
}

/// Returns the places of the values that were read from text layers, and of their labels, page by page, so that each page is
/// drawn once.
fn spots(findings: &Findings, read: &Read) -> Vec<Spot> {
    let extracted = &findings.extracted;
    let mut spots: Vec<Spot> = Vec::new();
    let fields = std::iter::once(&extracted.first).chain(&extracted.further).flat_map(|it| &it.fields);
    let values = fields.filter_map(|field| Some((field.page, field.area?)));
    for (number, area) in values.chain(findings.labels.iter().map(|it| (it.page, it.label))) {
        if !is_text(number, read) || spots.iter().any(|it| it.page == number && it.area == area) {
            continue;
        }
        let Some(page) = read.pages.get(usize::from(number) - 1) else { continue };
        spots.extend(spot(page, number, area));
    }
    spots.sort_by_key(|spot| spot.page);
    spots
}

/// Returns whether the text layer of this page was read.
fn is_text(page: u16, read: &Read) -> bool {
    read.texts.iter().any(|(number, ..)| *number == page)
}

fn spot(page: &Page, number: u16, area: PageArea) -> Option<Spot> {
    let corner = Point::new(area.left, area.top);
    let shown = Rect::from_points(corner, Point::new(area.left + area.width, area.top + area.height));
    let place = page.frame.affine().inverse().transform_rect_bbox(shown);
    let is_inside = |word: &&Word| {
        let middle = Point::new((word.left + word.right).into(), (word.top + word.bottom).into());
        place.contains(Point::new(middle.x / 2.0, middle.y / 2.0))
    };
    let words: Vec<&Word> = page.lines.iter().flat_map(|line| &line.words).filter(is_inside).collect();
    let size = f64::from(median(words.iter().map(|word| word.height()))) / HEIGHT;
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let place = place.inflate(size * 0.15, size * 0.12);
    (size > 0.0 && !text.is_empty()).then_some(Spot { page: number, area, text, place, size, result: None })
}

/// Returns the text at each place, as Tesseract reads it. `None` if it fails, or if it is late before a page is drawn.
fn texts_seen(
    spots: &[&mut Spot],
    size: f64,
    read: &Read,
    tesseract: &Tesseract,
    until: Instant,
) -> Option<Vec<String>> {
    let is_late = || Instant::now() >= until;
    if is_late() {
        return None;
    }
    let running = tesseract.start().ok()?;
    let mut rows: Vec<GrayImage> = Vec::with_capacity(spots.len());
    let mut drawn: Option<(u16, GrayImage)> = None;
    for spot in spots {
        if drawn.as_ref().is_none_or(|(page, _)| *page != spot.page) {
            if is_late() {
                return None;
            }
            drawn = picture(spot.page, read).map(|picture| (spot.page, picture));
        }
        let frame = read.pages.get(usize::from(spot.page) - 1)?.frame;
        rows.push(match &drawn {
            Some((_, picture)) => cut_out(spot, size, frame.affine(), picture),
            None => GrayImage::new(1, 1),
        });
    }
    let width = rows.iter().map(GrayImage::width).max()? + 2 * MARGIN;
    let height = rows.iter().map(|row| row.height() + MARGIN).sum::<u32>() + MARGIN;
    let mut sheet = GrayImage::from_pixel(width, height, Luma([u8::MAX]));
    let mut top = MARGIN;
    let mut tops = Vec::with_capacity(rows.len());
    for row in &rows {
        imageops::replace(&mut sheet, row, MARGIN.into(), top.into());
        tops.push((top, top + row.height()));
        top += row.height() + MARGIN;
    }
    let page = running.read(&sheet).ok()?;
    let text = |(top, bottom): (u32, u32)| {
        let (top, bottom) = (top as f32, bottom as f32);
        let mut words: Vec<&Word> = page
            .lines
            .iter()
            .flat_map(|line| &line.words)
            .filter(|word| (top..bottom).contains(&((word.top + word.bottom) / 2.0)))
            .collect();
        words.sort_by(|a, b| a.left.total_cmp(&b.left));
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    Some(tops.into_iter().map(text).collect())
}

/// Draws a page of a PDF.
fn picture(page: u16, read: &Read) -> Option<GrayImage> {
    let (_, file, index) = read.texts.iter().find(|(number, ..)| *number == page)?;
    let pdf = Pdf::new(file.clone()).ok()?;
    decode::pdf_page(pdf.pages().get(*index)?)
}

/// Cuts a place out of its page, upright, in dark letters on a light ground.
fn cut_out(spot: &Spot, size: f64, to_page: hayro::kurbo::Affine, picture: &GrayImage) -> GrayImage {
    let scale = (size / spot.size).min(MAX_WIDTH / spot.place.width().max(1.0));
    let side = |length: f64| ((length * scale) as u32).clamp(1, MAX_WIDTH as u32);
    let mut row = GrayImage::from_fn(side(spot.place.width()), side(spot.place.height()), |x, y| {
        let at = Point::new(f64::from(x) / scale, f64::from(y) / scale) + spot.place.origin().to_vec2();
        let part = to_page * at;
        imageops::sample_bilinear(picture, part.x as f32, part.y as f32).unwrap_or(Luma([u8::MAX]))
    });
    let light = row.as_raw().iter().map(|tone| u64::from(*tone)).sum::<u64>() / row.as_raw().len() as u64;
    if light < u64::from(u8::MAX / 2) {
        imageops::invert(&mut row);
    }
    row
}

/// Lowers the confidence in the values of text layers that the places do not confirm.
fn doubt(extraction: &mut Extraction, labels: &[LabelArea], spots: &[Spot], read: &Read) {
    let mut names = Vec::new();
    for field in extraction.fields.iter_mut().filter(|it| is_text(it.page, read)) {
        let Some(area) = field.area else { continue };
        let result_at = |area: PageArea| {
            spots
                .iter()
                .find(|spot| spot.page == field.page && spot.area == area)
                .and_then(|spot| spot.result)
        };
        let label = labels.iter().find(|it| it.page == field.page && it.value == area);
        // Few letters of a label may differ.
        let of_label = label.map_or(Some(Agreement::Full), |it| match result_at(it.label)? {
            Agreement::Full | Agreement::Partly => Some(Agreement::Full),
            Agreement::No => Some(Agreement::No),
        });
        match result_at(area).zip(of_label).map(|(value, label)| value.min(label)) {
            Some(Agreement::Full) => {}
            Some(Agreement::No) => {
                field.confidence = (field.confidence * CONTRADICTED * 100.0).round() / 100.0;
                names.push(field.name.clone());
            }
            Some(Agreement::Partly) | None => {
                field.confidence = field.confidence.min(MAX_CONFIDENCE_UNCONFIRMED)
            }
        }
    }
    let code = ExtractionFaultCode::SeveralValues;
    match extraction.faults.iter_mut().find(|fault| fault.code == code) {
        Some(fault) => {
            names.retain(|name| !fault.fields.contains(name));
            fault.fields.append(&mut names);
        }
        None if names.is_empty() => {}
        None => extraction.faults.push(ExtractionFault { code, fields: names }),
    }
}
