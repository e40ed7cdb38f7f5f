//! Renders a sheet as a PDF with A4 pages and embedded fonts.

mod face;
mod layout;
mod wrap;

#[cfg(test)]
mod tests;

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;

use self::face::Faces;
use self::layout::{Ink, Mark, PAGE};
use super::sheet::Sheet;
use super::snapshot::RenderError;

/// The thickness of a rule, in points.
const RULE: f32 = 0.5;
/// The horizontal margin of rules, in points.
const RULE_FROM: f32 = 46.0;

/// Renders the document.
///
/// # Errors
/// [`RenderError::Pages`] if the pages cannot be written.
pub(super) fn render(sheet: &Sheet) -> Result<Vec<u8>, RenderError> {
    let faces = Faces::load().ok_or(RenderError::Pages)?;
    let mut document = Document::new();
    let title = sheet.subject.as_ref().map_or(sheet.title.clone(), |it| format!("{}: {it}", sheet.title));
    let metadata = Metadata::new().title(title).language("en".to_owned()).creator("Linchpin".to_owned());
    document.set_metadata(metadata);
    for marks in layout::pages(sheet, &faces) {
        let settings = PageSettings::from_wh(PAGE.0, PAGE.1).ok_or(RenderError::Pages)?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in &marks {
            draw(mark, &faces, &mut surface);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|_| RenderError::Pages)
}

fn draw(mark: &Mark, faces: &Faces, surface: &mut Surface<'_>) {
    match mark {
        Mark::Text { x, y, size, weight, ink, text } => {
            surface.set_fill(Some(fill(*ink)));
            let glyphs = faces.glyphs(text, *weight);
            surface.draw_glyphs(Point::from_xy(*x, *y), &glyphs, faces.font(*weight), text, *size, false);
        }
        Mark::Rule { y, ink } => {
            surface.set_fill(Some(fill(*ink)));
            let mut path = PathBuilder::new();
            path.move_to(RULE_FROM, *y);
            path.line_to(PAGE.0 - RULE_FROM, *y);
            path.line_to(PAGE.0 - RULE_FROM, y + RULE);
            path.line_to(RULE_FROM, y + RULE);
            path.close();
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
    }
}

fn fill(ink: Ink) -> Fill {
    let shade = match ink {
        Ink::Black => 20,
        Ink::Grey => 95,
        Ink::Pale => 220,
    };
    Fill { paint: luma::Color::new(shade).into(), opacity: NormalizedF32::ONE, rule: FillRule::default() }
}
