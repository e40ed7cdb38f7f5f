//! Checks a PDF's streams as the parser understands them: decrypted, with filters by any name or reference.

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::dict::keys::{H, HEIGHT, IMAGE, SUBTYPE, W, WIDTH};
use hayro::hayro_syntax::object::{Name, Object, Stream};
use link_types::archive::FileFault;

use super::filters;
use super::raw::{MAX_STREAM_BYTES, MAX_TOTAL_BYTES};
use crate::inspection::pixels;

/// Returns the pixels of the largest picture, if no stream decompresses to more than a page needs.
pub(super) fn check(pdf: &Pdf) -> Result<u32, FileFault> {
    // The parser repairs a broken cross-reference table when the first object is missing. There may be other objects
    // then.
    pdf.objects().into_iter().for_each(drop);
    let (mut most, mut left) = (0, MAX_TOTAL_BYTES);
    for object in pdf.objects() {
        let Object::Stream(stream) = object else { continue };
        let picture = picture(&stream)?;
        most = most.max(picture.unwrap_or(0));
        let data = stream.raw_data();
        let unfolded = filters::max_unfolded_bytes(&stream.filters(), &data, MAX_STREAM_BYTES.min(left));
        // Streams may overlap, so the bytes read for them count too.
        left = match unfolded.and_then(|size| left.checked_sub(size.max(data.len() as u64))) {
            Some(left) => left,
            None if picture.is_some() => return Err(FileFault::TooManyPixels),
            None => return Err(FileFault::Damaged),
        };
    }
    Ok(most)
}

/// Returns the pixels of a picture, or `None` for any other stream.
fn picture(stream: &Stream<'_>) -> Result<Option<u32>, FileFault> {
    let dict = stream.dict();
    if dict.get::<Name<'_>>(SUBTYPE).as_deref() != Some(IMAGE) {
        return Ok(None);
    }
    let side = |short: &[u8], long: &[u8]| dict.get::<u32>(short).or_else(|| dict.get(long));
    match (side(W, WIDTH), side(H, HEIGHT)) {
        (Some(width), Some(height)) => pixels(width, height).map(Some),
        // It is not drawn.
        (None, _) | (_, None) => Ok(Some(0)),
    }
}
