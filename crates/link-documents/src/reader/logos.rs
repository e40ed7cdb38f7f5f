//! Encodes logos in a child process, under the limits and the sandbox of an inspection.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::documents::document_reader::{ContentLostError, FileContent};
use link_domain::kernel::system::BoxFuture;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds, MAX_LOGO_BYTES};
use link_domain::tenancy::logo::{LogoEncoder, LogoError};

use super::{ChildError, ChildReader, log_missing};
use crate::job::{Outcome, Task};
use crate::limits::Limits;

/// A file in memory, in one piece.
struct Piece(Option<Vec<u8>>);

impl FileContent for Piece {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
        Box::pin(std::future::ready(Ok(self.0.take())))
    }
}

impl LogoEncoder for ChildReader {
    fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
        Box::pin(async move {
            if file.len() > MAX_LOGO_BYTES {
                return Err(LogoError::TooLarge);
            }
            let job = self.job(Limits::INSPECT, Task::Logo { width: bounds.width, height: bounds.height });
            match self.ask(&job, &mut [Box::new(Piece(Some(file)))]).await {
                Ok(Outcome::Encoded { png, width, height }) => {
                    let png = STANDARD.decode(png).map_err(|_| LogoError::Damaged)?;
                    Ok(EncodedLogo { png, width, height })
                }
                Ok(Outcome::NotEncoded { fault }) => Err(fault.into()),
                Ok(Outcome::Unsandboxed { missing }) => {
                    log_missing(&missing);
                    Err(LogoError::Unavailable)
                }
                Ok(
                    Outcome::Inspected { .. }
                    | Outcome::Refused { .. }
                    | Outcome::Read { .. }
                    | Outcome::Failed { .. }
                    | Outcome::WithoutTesseract {}
                    | Outcome::Probed { .. },
                )
                | Err(ChildError::Away) => Err(LogoError::Unavailable),
                Err(ChildError::Broken | ChildError::Late) => Err(LogoError::Damaged),
            }
        })
    }
}
