//! Compares glyphs with the drawn page: a glyph that does not stand out from what is around it is not seen.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{BezPath, ParamCurve as _, Point, Rect, Shape as _};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};

use super::glyph::Glyph;

/// Pixels per point of the drawn page.
const SCALE: f64 = 3.0;
/// The maximum length of the drawn page's longer side, in pixels.
const MAX_SIDE: f64 = 3_200.0;
/// The minimum difference between ink and its background in one of the colors, of 255.
const MIN_CONTRAST: u8 = 36;
/// The smallest size of letters that a person sees, as a share of the page's longer side. Never more than 3 points.
const MIN_SIZE: f64 = 0.0035;
/// The minimum share of the pixels around a letter that differ from it, in percent. The others may be ink of the letters
/// next to it.
const MIN_FREE: usize = 20;
/// The minimum share of the pixels around a letter of lines that differ from its line, in percent.
const MIN_FREE_OF_LINE: usize = 40;
/// Points that are compared in each direction.
const STEPS: u8 = 12;

/// Marks the glyphs that are not seen. They are drawn exactly where their outlines are: hayro otherwise moves them to whole
/// pixels, and narrow letters and minus signs are then elsewhere.
pub(super) fn compare(page: &PdfPage<'_>, glyphs: &mut [Glyph]) {
    let (width, height) = page.render_dimensions();
    let longest = f64::from(width.max(height)).max(1.0);
    let scale = SCALE.min(MAX_SIDE / longest);
    let smallest = (longest * MIN_SIZE).min(3.0);
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings { hinting: false, glyph_caching: false, ..RenderSettings::default() },
        &PixmapSettings { x_scale: scale as f32, y_scale: scale as f32, bg_color: WHITE },
    );
    let (columns, rows) = (usize::from(pixmap.width()), usize::from(pixmap.height()));
    let data = pixmap.data();
    let colour = |point: Point| {
        let (x, y) = ((point.x * scale) as usize, (point.y * scale) as usize);
        let inside = point.x >= 0.0 && point.y >= 0.0 && x < columns && y < rows;
        data.get(y * columns + x).filter(|_| inside).map(|pixel| [pixel.r, pixel.g, pixel.b])
    };
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.seen) {
        let size = glyph.size();
        glyph.seen = size >= smallest
            && !glyph.is_mirrored()
            && match &glyph.outline {
                Some(outline) if glyph.is_stroked => is_traced(outline, size, &colour),
                Some(outline) => stands_out(outline, size, &colour),
                None => is_uneven(glyph.bounds(), size, &colour),
            };
    }
}

/// Returns whether the pixels within the outline differ from those around it.
fn stands_out(outline: &BezPath, size: f64, colour: &impl Fn(Point) -> Option<[u8; 3]>) -> bool {
    let bounds = outline.bounding_box();
    if bounds.width() <= 0.0 && bounds.height() <= 0.0 {
        return false;
    }
    let (mut ink, mut around) = (Vec::new(), Vec::new());
    for point in grid(bounds.inflate(size * 0.12, size * 0.12)) {
        let Some(pixel) = colour(point) else { continue };
        let is_ink = bounds.contains(point) && outline.winding(point) != 0;
        if is_ink { ink.push(pixel) } else { around.push(pixel) }
    }
    (0..3).any(|channel| {
        let tones = |pixels: &[[u8; 3]]| -> Vec<u8> {
            pixels.iter().filter_map(|pixel| pixel.get(channel)).copied().collect()
        };
        let around = tones(&around);
        middle(tones(&ink)).is_some_and(|ink| {
            let differing = around.iter().filter(|tone| tone.abs_diff(ink) >= MIN_CONTRAST).count();
            differing * 100 >= around.len() * MIN_FREE && differing > 0
        })
    })
}

/// Returns whether the pixels along the outline differ from the others. Lines that cross it do not count.
fn is_traced(outline: &BezPath, size: f64, colour: &impl Fn(Point) -> Option<[u8; 3]>) -> bool {
    let along = [0.1, 0.3, 0.5, 0.7, 0.9];
    let points = outline.segments().flat_map(|segment| along.map(|at| segment.eval(at)));
    let line: Vec<_> = points.filter_map(colour).collect();
    let others: Vec<_> =
        grid(outline.bounding_box().inflate(size * 0.12, size * 0.12)).filter_map(colour).collect();
    (0..3).any(|channel| {
        let tones = |pixels: &[[u8; 3]]| -> Vec<u8> {
            pixels.iter().filter_map(|pixel| pixel.get(channel)).copied().collect()
        };
        let others = tones(&others);
        middle(tones(&line)).is_some_and(|line| {
            let differing = others.iter().filter(|tone| tone.abs_diff(line) >= MIN_CONTRAST).count();
            differing * 100 >= others.len() * MIN_FREE_OF_LINE
        })
    })
}

/// Returns whether there is any ink in the rectangle, if the outline is unknown.
fn is_uneven(bounds: Rect, size: f64, colour: &impl Fn(Point) -> Option<[u8; 3]>) -> bool {
    let pixels: Vec<_> = grid(bounds.inflate(size * 0.12, size * 0.12)).filter_map(colour).collect();
    (0..3).any(|channel| {
        let tones = || pixels.iter().filter_map(|pixel| pixel.get(channel)).copied();
        tones().max().zip(tones().min()).is_some_and(|(most, least)| most - least >= MIN_CONTRAST)
    })
}

fn grid(area: Rect) -> impl Iterator<Item = Point> {
    let at = |step: u8| (f64::from(step) + 0.5) / f64::from(STEPS);
    (0..STEPS).flat_map(move |row| {
        (0..STEPS).map(move |column| {
            Point::new(area.x0 + area.width() * at(column), area.y0 + area.height() * at(row))
        })
    })
}

fn middle(mut tones: Vec<u8>) -> Option<u8> {
    tones.sort_unstable();
    tones.get(tones.len() / 2).copied()
}
