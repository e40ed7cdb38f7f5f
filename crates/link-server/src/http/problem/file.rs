//! Problems of rejected files.

use axum::http::StatusCode;
use link_types::archive::FileFault;
use link_types::problem::ProblemCode;

use super::Problem;

impl Problem {
    /// Creates the problem for a rejected file: 413 if it is too large or over a quota, 460 (tus: Checksum Mismatch) if
    /// its bytes do not match the announced hash, and 422 otherwise.
    pub fn file(fault: FileFault) -> Self {
        let (code, detail) = match fault {
            FileFault::Empty => (ProblemCode::InvalidParameters, "The file is empty."),
            FileFault::TooLarge => {
                (ProblemCode::PayloadTooLarge, "A file may have at most 15,000,000 bytes.")
            }
            FileFault::UnsupportedFormat => (
                ProblemCode::InvalidParameters,
                "The file's content is not a PDF, JPEG, HEIC, PNG, WebP or TIFF.",
            ),
            FileFault::ExtraBytes => {
                (ProblemCode::InvalidParameters, "The file holds other data besides the document.")
            }
            FileFault::Encrypted => {
                (ProblemCode::InvalidParameters, "The file is protected with a password.")
            }
            FileFault::Damaged => {
                (ProblemCode::InvalidParameters, "The file is incomplete or cannot be read.")
            }
            FileFault::TooManyPages => (ProblemCode::InvalidParameters, "A file may have at most 30 pages."),
            FileFault::TooManyPixels => {
                (ProblemCode::InvalidParameters, "A page may have at most 80,000,000 pixels.")
            }
            FileFault::TooManyFiles => {
                (ProblemCode::InvalidParameters, "The archive already has 10 files or a file in this slot.")
            }
            FileFault::QuotaExceeded => {
                (ProblemCode::PayloadTooLarge, "The user has reached the upload quota. Try again later.")
            }
            FileFault::HashMismatch => {
                (ProblemCode::InvalidParameters, "The uploaded bytes do not match `sha256`.")
            }
        };
        let mut problem = Self { file_fault: Some(fault), ..Self::new(code, detail) };
        if fault == FileFault::HashMismatch {
            problem.status = StatusCode::from_u16(460).unwrap_or(problem.status);
        }
        problem
    }
}
