//! Encodes logos in a child process, under the limits and the sandbox of an inspection.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::documents::document_reader::{ContentLost, FileContent};
use link_domain::kernel::future::BoxFuture;
use link_domain::tenancy::logo::{EncodedLogo, LOGO_BYTES, LogoBounds};
use link_domain::tenancy::logo_encoder::{LogoEncoder, LogoFault};

use super::{ChildReader, Lost, log_missing};
use crate::job::{Outcome, Task};
use crate::limits::Limits;

/// A file in memory, in one piece.
struct Piece(Option<Vec<u8>>);

impl FileContent for Piece {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLost>> {
        Box::pin(std::future::ready(Ok(self.0.take())))
    }
}

impl LogoEncoder for ChildReader {
    fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoFault>> {
        Box::pin(async move {
            if file.len() > LOGO_BYTES {
                return Err(LogoFault::TooLarge);
            }
            let job = self.job(Limits::INSPECT, Task::Logo { width: bounds.width, height: bounds.height });
            match self.ask(&job, &mut [Box::new(Piece(Some(file)))]).await {
                Ok(Outcome::Encoded { png, width, height }) => {
                    let png = STANDARD.decode(png).map_err(|_| LogoFault::Damaged)?;
                    Ok(EncodedLogo { png, width, height })
                }
                Ok(Outcome::NotEncoded { fault }) => Err(fault.into()),
                Ok(Outcome::Unsandboxed { missing }) => {
                    log_missing(&missing);
                    Err(LogoFault::Unavailable)
                }
                Ok(
                    Outcome::Inspected { .. }
                    | Outcome::Refused { .. }
                    | Outcome::Read { .. }
                    | Outcome::Failed { .. }
                    | Outcome::WithoutTesseract {}
                    | Outcome::Probed { .. },
                )
                | Err(Lost::Away) => Err(LogoFault::Unavailable),
                Err(Lost::Broken | Lost::Late) => Err(LogoFault::Damaged),
            }
        })
    }
}
