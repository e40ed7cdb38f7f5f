//! What parent and child say to each other: a job in one line of JSON, then the files in pieces, on the child's
//! standard input; an answer in JSON on its standard output.

use std::io::{self, Read};

use link_types::archive::{ArchiveErrorCode, FileFault, FileFormat, MAX_FILE_BYTES};
use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::rules::Findings;
use super::sandbox::probe::{Attempt, Probe};
use super::sandbox::{Confinement, Entered, Layer};
use super::tesseract::Tesseract;

/// Bytes an answer may have.
pub(super) const ANSWER_BYTES: u64 = 4_000_000;

/// What a child is to do.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Job {
    /// What it may use.
    pub limits: Limits,
    /// How it is confined.
    pub confinement: Confinement,
    /// What it does.
    pub task: Task,
}

/// What a child does.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Task {
    /// Looks at one file.
    Inspect {},
    /// Reads the files of a document.
    #[serde(rename_all = "camelCase")]
    Read {
        /// The files that follow.
        formats: Vec<FileFormat>,
        /// How pixels are read.
        tesseract: Tesseract,
    },
    /// Tries what its sandbox forbids.
    #[serde(rename_all = "camelCase")]
    Probe {
        /// What it tries.
        probe: Probe,
        /// What it must still start.
        tesseract: Tesseract,
    },
}

impl Task {
    /// What the child may start.
    pub fn tesseract(&self) -> Option<&Tesseract> {
        match self {
            Self::Inspect {} => None,
            Self::Read { tesseract, .. } | Self::Probe { tesseract, .. } => Some(tesseract),
        }
    }
}

/// What a child found.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    /// What came of the job.
    pub outcome: Outcome,
    /// Its largest memory, in KiB; 0 where the system does not say.
    pub peak_kib: u64,
}

/// What came of a job.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Outcome {
    /// The file may be kept.
    Inspected {
        /// By its content.
        format: FileFormat,
        /// Pages.
        pages: u16,
        /// Pixels of the largest page or picture.
        pixels: u32,
    },
    /// The file is refused.
    Refused {
        /// Why.
        fault: FileFault,
    },
    /// The document was recognized.
    #[serde(rename_all = "camelCase")]
    Read {
        /// What it says.
        findings: Box<Findings>,
        /// Its pages that were left out.
        left_out: u16,
    },
    /// It was not.
    Failed {
        /// Why.
        code: ArchiveErrorCode,
    },
    /// It has pictures, and nothing to read them with.
    WithoutTesseract {},
    /// The child has no sandbox and may not read without.
    Unsandboxed {
        /// The layers that are missing.
        missing: Vec<Layer>,
    },
    /// The self-test ended.
    Probed {
        /// What the child applied to itself.
        entered: Entered,
        /// What it tried.
        attempts: Vec<Attempt>,
        /// Whether Tesseract runs; null if it is not installed.
        tesseract: Option<bool>,
    },
}

/// The head of a piece of so many bytes; the piece of none ends a file.
pub(super) fn piece_head(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes()
}

/// Reads one file's pieces. Of a file that is too large one byte more than allowed is kept.
pub(super) fn read_file(input: &mut impl Read) -> io::Result<Vec<u8>> {
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
    fn a_file_is_put_together_from_its_pieces() {
        let sent = [&piece_head(3)[..], b"abc", &piece_head(2), b"de", &piece_head(0), b"next"].concat();
        assert_eq!(read_file(&mut sent.as_slice()).unwrap(), b"abcde");
        assert!(read_file(&mut &sent[..6]).is_err(), "the parent went away");
    }
}
