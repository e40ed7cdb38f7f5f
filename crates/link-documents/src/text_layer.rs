//! The text layer of a PDF page: what a person sees of it (ADR 202).
//!
//! [`collect`] records the glyphs in the order in which they are drawn, and removes those under later fills and
//! pictures. [`seen`] compares the rest with the drawn page. [`words`] turns them upright and joins them.

mod collect;
mod glyph;
mod seen;
mod words;

use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::Rect;

use crate::page::Page;
use collect::Collector;

/// Returns the words of the page's text. Returns no words if they cannot be trusted, so that the page is read as a
/// picture: too many glyphs, or glyphs in several directions.
pub(crate) fn words(page: &PdfPage<'_>) -> Page {
    let cache = InterpreterCache::new();
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let mut context = Context::new(
        page.initial_transform(true).to_kurbo(),
        bounds,
        &cache,
        page.xref(),
        InterpreterSettings::default(),
    );
    let mut collector = Collector::new(bounds);
    interpret_page(page, &mut context, &mut collector);
    let Some(mut glyphs) = collector.glyphs() else { return Page::default() };
    if glyphs.iter().any(|glyph| glyph.seen) {
        seen::compare(page, &mut glyphs);
    }
    words::words(&glyphs).map(Page::of).unwrap_or_default()
}
