//! The photos of the sandbox's people: invented drawings, each a `data:` URL in the identity, with which it is erased.

use link_types::provider::ProviderType;

use super::person::Scene;
use crate::sandbox::picture::{data_url, encode};

/// The width and the height in pixels.
const SIZE: i64 = 64;
const SKIN: [u8; 4] = [214, 188, 160, 132];
const HAIR: [u8; 4] = [28, 60, 92, 116];
const CLOTHES: [u8; 3] = [52, 100, 148];
const BACKGROUND: u8 = 236;

/// Returns the person's photo: gig platforms and employers have one, and the other providers that of every third
/// person.
pub(super) fn draw(scene: &Scene<'_>) -> Option<String> {
    let mut draw = scene.draw("photo");
    let has_one = match scene.provider.provider_type {
        ProviderType::Employer | ProviderType::Gig => true,
        ProviderType::Government | ProviderType::Payroll => draw.number(1, 3) == 1,
    };
    let (skin, hair) = (draw.pick(&SKIN)?, draw.pick(&HAIR)?);
    let (clothes, fringe) = (draw.pick(&CLOTHES)?, draw.number(16, 24));
    let is_long = scene.person.gender == "FEMALE";
    let shade = |x: i64, y: i64| {
        let is_in = |left: i64, top: i64, wide: i64, high: i64| {
            let (across, down) = (x - left, y - top);
            across * across * high * high + down * down * wide * wide <= wide * wide * high * high
        };
        if is_in(32, 28, 13, 16) && y > fringe {
            skin
        } else if is_in(32, 24, 17, 17) && (y < 24 || is_long) || is_long && is_in(32, 34, 17, 22) && y < 46 {
            hair
        } else if is_in(32, 66, 26, 20) {
            clothes
        } else {
            BACKGROUND
        }
    };
    let pixels: Vec<u8> = (0..SIZE * SIZE).map(|at| shade(at % SIZE, at / SIZE)).collect();
    let size = usize::try_from(SIZE).ok()?;
    has_one.then(|| encode(&pixels, size, size).map(|file| data_url(&file))).flatten()
}
