//! The protocol between parent and child. On standard input: a job in one line of JSON, then the files in pieces. On
//! standard output: a response in JSON.

use std::io::{self, Read};

use link_types::archive::{ArchiveErrorCode, FileFault, FileFormat, MAX_FILE_BYTES};
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::logo::PictureError;
use crate::rules::Findings;
use crate::sandbox::probe::{Attempt, Probe};
use crate::sandbox::{Confinement, Entered, Layer};
use crate::tesseract::Tesseract;

/// The maximum length of a response, in bytes.
pub(crate) const MAX_RESPONSE_BYTES: u64 = 4_000_000;

/// A child's job.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Job {
    /// The resource limits.
    pub limits: Limits,
    /// How the child is confined.
    pub confinement: Confinement,
    /// The task.
    pub task: Task,
}

/// Task of a child process.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Task {
    /// Inspects one file.
    Inspect {},
    /// Decodes one picture and encodes it again.
    #[serde(rename_all = "camelCase")]
    Logo {
        /// The maximum width of the result, in pixels.
        width: u16,
        /// The maximum height of the result, in pixels.
        height: u16,
    },
    /// Reads the files of a document.
    #[serde(rename_all = "camelCase")]
    Read {
        /// The formats of the files that follow.
        formats: Vec<FileFormat>,
        /// How to read pictures.
        tesseract: Tesseract,
    },
    /// Tries what the sandbox forbids.
    #[serde(rename_all = "camelCase")]
    Probe {
        /// The forbidden acts to try.
        probe: Probe,
        /// A program that must still start.
        tesseract: Tesseract,
    },
}

impl Task {
    /// Returns the Tesseract that the child may start.
    pub fn tesseract(&self) -> Option<&Tesseract> {
        match self {
            Self::Inspect {} | Self::Logo { .. } => None,
            Self::Read { tesseract, .. } | Self::Probe { tesseract, .. } => Some(tesseract),
        }
    }
}

/// A child's response.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    /// The result of the job.
    pub outcome: Outcome,
    /// The child's peak memory in KiB, or 0 if the system does not report it.
    pub peak_kib: u64,
}

/// The result of a job.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Outcome {
    /// The file is accepted.
    Inspected {
        /// The format, by content.
        format: FileFormat,
        /// The number of pages.
        pages: u16,
        /// The pixels of the largest page or picture.
        pixels: u32,
    },
    /// The file is rejected.
    Refused {
        /// The reason.
        fault: FileFault,
    },
    /// The picture was encoded.
    #[serde(rename_all = "camelCase")]
    Encoded {
        /// The PNG file in base64.
        png: String,
        /// The width in pixels.
        width: u16,
        /// The height in pixels.
        height: u16,
    },
    /// The picture was rejected.
    NotEncoded {
        /// The reason.
        fault: PictureError,
    },
    /// The document was recognized.
    #[serde(rename_all = "camelCase")]
    Read {
        /// Data of the document.
        findings: Box<Findings>,
        /// The number of pages that were left out.
        left_out: u16,
    },
    /// The document was not recognized.
    Failed {
        /// The reason.
        code: ArchiveErrorCode,
    },
    /// The document has pictures, but Tesseract is not installed.
    WithoutTesseract {},
    /// The sandbox is incomplete, and the child must not read without it.
    Unsandboxed {
        /// The missing layers.
        missing: Vec<Layer>,
    },
    /// The self-test is complete.
    Probed {
        /// The layers that the child applied to itself.
        entered: Entered,
        /// The acts it tried.
        attempts: Vec<Attempt>,
        /// Whether Tesseract runs. `None` if it is not installed.
        tesseract: Option<bool>,
    },
}

/// Returns the header of a piece with this length. An empty piece ends a file.
pub(crate) fn piece_head(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes()
}

/// Reads the pieces of one file. Keeps at most one byte more than the maximum file size.
pub(crate) fn read_file(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let most = MAX_FILE_BYTES as usize + 1;
    let mut file = Vec::new();
    loop {
        let mut head = [0; 4];
        input.read_exact(&mut head)?;
        let length = u32::from_be_bytes(head);
        if length == 0 {
            return Ok(file);
        }
        let kept = (most - file.len()).min(length as usize);
        input.by_ref().take(kept as u64).read_to_end(&mut file)?;
        io::copy(&mut input.by_ref().take(u64::from(length) - kept as u64), &mut io::sink())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_assembled_from_pieces() {
        let sent = [&piece_head(3)[..], b"abc", &piece_head(2), b"de", &piece_head(0), b"next"].concat();
        assert_eq!(read_file(&mut sent.as_slice()).unwrap(), b"abcde");
        assert!(read_file(&mut &sent[..6]).is_err(), "the parent is gone");
    }
}
