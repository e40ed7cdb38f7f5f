//! Port to the source of the master key: a file that holds the key, or a program of the operator that wraps it (ADR 273).

use std::fmt;
use std::path::Path;

use zeroize::Zeroizing;

/// The number of hexadecimal digits of a master key.
const DIGITS: usize = 64;

/// The bytes of a master key. They are zeroed on drop and never printed.
#[derive(Clone)]
pub struct MasterKeyBytes(Zeroizing<[u8; 32]>);

impl fmt::Debug for MasterKeyBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MasterKeyBytes(..)")
    }
}

impl MasterKeyBytes {
    /// Takes random bytes as a key.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads 64 hexadecimal digits, with white space around them. Returns `None` if the text is anything else.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        let digits = text.trim_ascii();
        let read = base16ct::mixed::decode(digits, bytes.as_mut()).ok()?.len();
        (digits.len() == DIGITS && read == bytes.len()).then_some(Self(bytes))
    }

    /// Returns 64 hexadecimal digits and a line break.
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(base16ct::lower::encode_string(self.0.as_ref()) + "\n")
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Reason why a source does not open or protect a master key. No text contains a part of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MasterKeySourceError {
    /// The file has something else than a key.
    #[error(
        "it does not hold 64 hexadecimal digits. If a program wraps the key, name it with --master-key-command"
    )]
    NotAKey,
    /// The program cannot be started.
    #[error("the program {program} cannot be started ({cause}). Check --master-key-command")]
    NotStarted {
        /// The program.
        program: String,
        /// The operating system's message.
        cause: String,
    },
    /// The program did not end in time, and was killed.
    #[error("the program {program} did not end within {seconds} s and was killed. It said: {words}")]
    TimedOut {
        /// The program.
        program: String,
        /// The limit in seconds.
        seconds: u64,
        /// Its messages on standard error.
        words: String,
    },
    /// The program failed.
    #[error("the program {program} {action} failed ({status}). It said: {words}")]
    Failed {
        /// The program.
        program: String,
        /// Its argument.
        action: &'static str,
        /// How it ended.
        status: String,
        /// Its messages on standard error.
        words: String,
    },
    /// The program wrote more than a wrapped key.
    #[error("the program {program} {action} wrote more than {limit} bytes")]
    TooLong {
        /// The program.
        program: String,
        /// Its argument.
        action: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// The program ended well, but its output is not a key.
    #[error("the program {program} {action} wrote something else than {expected}. It said: {words}")]
    Unusable {
        /// The program.
        program: String,
        /// Its argument.
        action: &'static str,
        /// The output that it must write.
        expected: &'static str,
        /// Its messages on standard error.
        words: String,
    },
}

impl MasterKeySourceError {
    /// Returns a stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAKey => "NotAKey",
            Self::NotStarted { .. } => "NotStarted",
            Self::TimedOut { .. } => "TimedOut",
            Self::Failed { .. } => "Failed",
            Self::TooLong { .. } => "TooLong",
            Self::Unusable { .. } => "Unusable",
        }
    }
}

/// Opens the content of a master key's file, and makes the content of a new one. Both may block for seconds.
pub trait MasterKeySource: fmt::Debug + Send + Sync {
    /// Returns the key of a file with this content.
    ///
    /// # Errors
    ///
    /// [`MasterKeySourceError`] if the content is not a key of this source, or the source does not open it.
    fn open(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError>;

    /// Returns the content of the file of a new key.
    ///
    /// # Errors
    ///
    /// [`MasterKeySourceError`] if the source does not wrap it.
    fn protect(&self, key: &MasterKeyBytes) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError>;

    /// Makes the next [`MasterKeySource::open`] ask the source again, also for a content that it remembers.
    fn forget(&self) {}

    /// Returns the path of the program that wraps a new key. `None` if the file holds it as it is.
    fn program(&self) -> Option<&Path> {
        None
    }
}

/// A file that holds the key as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainKeyFile;

impl MasterKeySource for PlainKeyFile {
    fn open(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError> {
        MasterKeyBytes::parse(content).ok_or(MasterKeySourceError::NotAKey)
    }

    fn protect(&self, key: &MasterKeyBytes) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError> {
        Ok(Zeroizing::new(key.to_text().as_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_file_holds_the_key() {
        let key = MasterKeyBytes::new([0xa7; 32]);
        let content = PlainKeyFile.protect(&key).unwrap();
        assert_eq!(PlainKeyFile.open(&content).unwrap().as_bytes(), key.as_bytes());
        assert_eq!(content.as_slice(), format!("{}\n", "a7".repeat(32)).as_bytes());
    }

    #[test]
    fn other_content_is_not_a_key() {
        for content in ["", "a7", &"a7".repeat(31), &"a7".repeat(33), &"g7".repeat(32)] {
            let refused = PlainKeyFile.open(content.as_bytes()).unwrap_err();
            assert_eq!(refused, MasterKeySourceError::NotAKey, "{content}");
        }
    }

    #[test]
    fn key_is_not_printed() {
        assert!(!format!("{:?}", MasterKeyBytes::new([0xa7; 32])).contains("167"));
    }
}
