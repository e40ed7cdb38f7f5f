//! Stamps, with which a step is skipped if its inputs have not changed since it last succeeded.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::Outcome;
use crate::files;

/// A hash of everything that a step reads.
#[derive(Default)]
pub struct Inputs(Sha256);

impl Inputs {
    /// Adds an input that is not a file, such as a version or a flag.
    pub fn fact(mut self, fact: &str) -> Self {
        self.0.update(fact.as_bytes());
        self.0.update([0]);
        self
    }

    /// Adds bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a file, or the files below a folder, if `wanted` accepts them.
    pub fn path(mut self, path: &Path, wanted: impl Fn(&Path) -> bool) -> Outcome<Self> {
        let found = if path.is_dir() { files::walk(path)? } else { vec![path.to_path_buf()] };
        for file in found.iter().filter(|file| wanted(file)) {
            self = self.fact(&file.to_string_lossy());
            self = match std::fs::read(file) {
                Ok(bytes) => self.bytes(&bytes),
                Err(_) => self.fact("missing"),
            };
        }
        Ok(self)
    }

    /// Returns the hash in hexadecimal.
    pub fn fingerprint(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The file with the fingerprint of a step's last success.
pub struct Stamp {
    file: PathBuf,
    fingerprint: String,
}

impl Stamp {
    /// Creates the stamp of a step with these inputs.
    pub fn new(file: PathBuf, inputs: Inputs) -> Self {
        Self { file, fingerprint: inputs.fingerprint() }
    }

    /// Returns whether the step last succeeded with these inputs.
    pub fn is_current(&self) -> bool {
        std::fs::read_to_string(&self.file).is_ok_and(|stored| stored == self.fingerprint)
    }

    /// Stores the success.
    pub fn set(&self) -> Outcome {
        files::write(&self.file, &self.fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_changes_with_content_names_and_removal() {
        let dir = tempfile::tempdir().unwrap();
        let print = || Inputs::default().path(dir.path(), |_| true).unwrap().fingerprint();
        let empty = print();
        files::write(&dir.path().join("a"), "1").unwrap();
        let one = print();
        files::write(&dir.path().join("a"), "2").unwrap();
        let two = print();
        std::fs::rename(dir.path().join("a"), dir.path().join("b")).unwrap();
        let renamed = print();
        std::fs::remove_file(dir.path().join("b")).unwrap();
        assert_eq!(print(), empty);
        assert_eq!([&empty, &one, &two, &renamed].iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    }

    #[test]
    fn stamp_is_current_only_after_success_with_same_inputs() {
        let dir = tempfile::tempdir().unwrap();
        let stamp = |fact: &str| Stamp::new(dir.path().join("stamp"), Inputs::default().fact(fact));
        assert!(!stamp("one").is_current());
        stamp("one").set().unwrap();
        assert!(stamp("one").is_current());
        assert!(!stamp("two").is_current());
    }
}
