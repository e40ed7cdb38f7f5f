//! Logos of some of the sandbox's providers, drawn here: shapes of one color on a transparent ground.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The length of a logo's sides, in pixels.
const SIDE: u8 = 120;
/// The number of samples per pixel along each side, for smooth edges.
const SAMPLES: u8 = 4;

/// A color, and whether a point is inside the shape. Points range from -1 to 1.
type Shape = ([u8; 3], fn(f32, f32) -> bool);

/// The providers with a logo.
const SHAPES: [(&str, Shape); 3] = [
    ("mx_rapido_rides", ([0xd9, 0x4a, 0x1e], chevrons)),
    ("mx_talleres_aurora", ([0x8a, 0x1f, 0x4b], sun)),
    ("ph_sahod_payroll", ([0x0f, 0x6b, 0x5c], bars)),
];

/// Returns a provider's logo as a `data:` URL. Most providers have none.
pub(super) fn of(id: &str) -> Option<String> {
    static DRAWN: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
        let url = |file: Vec<u8>| format!("data:image/png;base64,{}", STANDARD.encode(file));
        SHAPES.iter().filter_map(|(id, shape)| Some((*id, url(png(*shape)?)))).collect()
    });
    DRAWN.iter().find(|(known, _)| *known == id).map(|(_, url)| url.clone())
}

fn chevrons(x: f32, y: f32) -> bool {
    let turn = |tip: f32| (tip - 0.38..=tip).contains(&(x + y.abs() * 0.7));
    y.abs() < 0.6 && (turn(0.05) || turn(0.7))
}

fn sun(x: f32, y: f32) -> bool {
    let distance = x.hypot(y - 0.35);
    let rays = ((0.35 - y).atan2(x) / std::f32::consts::PI * 7.0).rem_euclid(1.0);
    y < 0.35 && (distance < 0.45 || ((0.58..0.85).contains(&distance) && (0.25..0.75).contains(&rays)))
        || (x.abs() < 0.85 && (0.45..0.58).contains(&y))
}

fn bars(x: f32, y: f32) -> bool {
    let bar = |left: f32, top: f32| (left..left + 0.34).contains(&x) && (top..0.7).contains(&y);
    bar(-0.72, 0.15) || bar(-0.17, -0.25) || bar(0.38, -0.7)
}

fn png((color, is_inside): Shape) -> Option<Vec<u8>> {
    let place = |pixel: u8, sample: u8| {
        let at = f32::from(pixel) + (f32::from(sample) + 0.5) / f32::from(SAMPLES);
        at / f32::from(SIDE) * 2.0 - 1.0
    };
    let mut pixels = Vec::with_capacity(4 * usize::from(SIDE) * usize::from(SIDE));
    for row in 0..SIDE {
        for column in 0..SIDE {
            let samples = (0..SAMPLES).flat_map(|down| (0..SAMPLES).map(move |across| (down, across)));
            let inside =
                samples.filter(|(down, across)| is_inside(place(column, *across), place(row, *down)));
            let share = inside.count() * 255 / (usize::from(SAMPLES) * usize::from(SAMPLES));
            pixels.extend_from_slice(&color);
            pixels.push(u8::try_from(share).unwrap_or(u8::MAX));
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, u32::from(SIDE), u32::from(SIDE));
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_providers_have_a_small_logo() {
        for (id, _) in SHAPES {
            let url = of(id).unwrap();
            assert!(url.len() < 8_000, "{id}: {}", url.len());
        }
        assert_eq!(of("mx_social_security"), None);
    }
}
