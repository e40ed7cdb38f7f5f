//! When a person looks at a photo before it is sent.

use link_types::uploading::PhotoFacts;

/// Below this steepness of edges in percent, small print cannot be read. Sharp photos of documents have 40 and more.
const MIN_SHARPNESS: u32 = 24;
/// Below this brightness in percent, a photo was taken in the dark.
const MIN_BRIGHTNESS: u32 = 20;

/// A photo of a document, to look at before it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Photo {
    /// The `blob:` URL of the picture.
    pub(crate) view: String,
    pub(crate) is_blurred: bool,
    pub(crate) is_dark: bool,
}

impl Photo {
    pub(crate) fn new(facts: PhotoFacts) -> Self {
        Self {
            is_blurred: facts.sharpness.is_some_and(|it| it < MIN_SHARPNESS),
            is_dark: facts.brightness < MIN_BRIGHTNESS,
            view: facts.view,
        }
    }

    /// Returns whether the person must look at it: they just took it, or it may be hard to read.
    pub(crate) fn needs_look(&self, from_camera: bool) -> bool {
        from_camera || self.is_blurred || self.is_dark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn photo(sharpness: Option<u32>, brightness: u32) -> Photo {
        Photo::new(PhotoFacts { view: "blob:1".to_owned(), sharpness, brightness })
    }

    #[test]
    fn blurred_or_dark_photo_needs_a_look() {
        assert!(photo(Some(23), 60).needs_look(false));
        assert!(photo(Some(60), 19).needs_look(false));
        assert!(!photo(Some(24), 20).needs_look(false));
    }

    #[test]
    fn photo_without_edges_is_not_called_blurred() {
        assert!(!photo(None, 60).is_blurred);
    }

    #[test]
    fn sharp_photo_needs_a_look_only_from_the_camera() {
        assert!(photo(Some(60), 60).needs_look(true));
    }
}
