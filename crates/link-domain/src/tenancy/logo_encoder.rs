//! Port to the encoder of logos and pictures of challenges. It parses untrusted bytes, so it runs in a separate process.

use crate::kernel::future::BoxFuture;
use crate::tenancy::logo::{EncodedLogo, LogoBounds};

/// Decodes pictures and encodes them again. It is stateless between calls.
pub trait LogoEncoder: Send + Sync {
    /// Encodes a PNG, JPEG or WebP file as a PNG within the bounds.
    ///
    /// # Errors
    /// [`LogoError`] if the file is rejected or could not be decoded.
    fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>>;
}

/// Reason why a logo was not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogoError {
    /// The file has more than [`LOGO_BYTES`](crate::tenancy::logo::LOGO_BYTES) bytes.
    #[error("a file of at most 131,072 bytes")]
    TooLarge,
    /// The content is in another format.
    #[error("a PNG, JPEG or WebP picture")]
    Format,
    /// A side is shorter or longer than allowed.
    #[error("a picture with sides of 16 to 2,048 pixels")]
    Dimensions,
    /// The picture cannot be decoded.
    #[error("a complete picture")]
    Damaged,
    /// The encoder is unavailable. The file may be valid.
    #[error("the encoder of logos is unavailable")]
    Unavailable,
}
