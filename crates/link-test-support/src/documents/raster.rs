//! Renders a sheet to pixels.

use ab_glyph::{Font, Glyph, ScaleFont, point};
use image::{GrayImage, Luma};

use super::sheet::{Run, Sheet};

/// Renders a sheet black on white at `dpi` dots per inch.
pub fn raster(sheet: &Sheet, dpi: f32) -> GrayImage {
    let scale = dpi / 72.0;
    let (width, height) = ((sheet.width * scale).round() as u32, (sheet.height * scale).round() as u32);
    let mut image = GrayImage::from_pixel(width, height, Luma([255]));
    for filled in &sheet.filled {
        let grey = (filled.grey * 255.0) as u8;
        let (left, top) = ((filled.x * scale) as u32, (filled.y * scale) as u32);
        let right = ((filled.x + filled.width) * scale).ceil().max(left as f32 + 1.0) as u32;
        let bottom = ((filled.y + filled.height) * scale).ceil().max(top as f32 + 1.0) as u32;
        for y in top..bottom.min(height) {
            for x in left..right.min(width) {
                image.put_pixel(x, y, Luma([grey]));
            }
        }
    }
    for run in &sheet.runs {
        draw_run(&mut image, run, scale);
    }
    image
}

fn draw_run(image: &mut GrayImage, run: &Run, scale: f32) {
    let font = run.face.font().as_scaled(run.face.scale(run.size * scale));
    let mut x = run.x * scale;
    for c in run.text.chars() {
        let id = font.glyph_id(c);
        let glyph: Glyph = id.with_scale_and_position(font.scale(), point(x, run.y * scale));
        x += font.h_advance(id);
        let Some(outline) = font.font().outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|dx, dy, cover| {
            let (px, py) = (bounds.min.x as i64 + i64::from(dx), bounds.min.y as i64 + i64::from(dy));
            if let (Ok(px), Ok(py)) = (u32::try_from(px), u32::try_from(py))
                && px < image.width()
                && py < image.height()
            {
                let Luma([under]) = *image.get_pixel(px, py);
                let ink = f32::from(under) * (1.0 - cover.min(1.0)) + 25.0 * cover.min(1.0);
                image.put_pixel(px, py, Luma([ink as u8]));
            }
        });
    }
}
