//! A provider's picture for a person. The encoder decodes it in another process, so that only pixels pass (ADR 176).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::tenancy::logo::LogoBounds;
use link_domain::tenancy::logo::{LogoEncoder, LogoError};

use super::fault::ExchangeError;

/// The size of a challenge's picture, in pixels. A larger one is scaled down.
const CHALLENGE: LogoBounds = LogoBounds { width: 1_000, height: 1_000 };

/// Returns a file in base64 as a `data:` URL of a PNG, encoded again.
///
/// # Errors
/// [`ExchangeError`] if it is not base64, the encoder rejects it, or the encoder is unavailable.
pub(super) async fn data_url(encoder: &dyn LogoEncoder, file: &str) -> Result<String, ExchangeError> {
    let encoded = match STANDARD.decode(file) {
        Ok(file) => encoder.encode(file, CHALLENGE).await,
        Err(_) => Err(LogoError::Format),
    };
    match encoded {
        Ok(picture) => Ok(format!("data:image/png;base64,{}", STANDARD.encode(picture.png))),
        Err(LogoError::Unavailable) => Err(ExchangeError::NoEncoder),
        Err(LogoError::TooLarge | LogoError::Format | LogoError::Dimensions | LogoError::Damaged) => {
            Err(ExchangeError::at("challenge.kind.image.image"))
        }
    }
}
