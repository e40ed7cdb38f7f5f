//! Policy for a child without a complete sandbox.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whether a child without a complete sandbox reads documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxPolicy {
    /// Reads no documents: the [layers](super::Layer) for files, the network and system calls must hold.
    Required,
    /// Reads documents with the layers that the system provides.
    BestEffort,
}

impl Default for SandboxPolicy {
    /// Returns `Required` on Linux. Other systems provide none of the layers.
    fn default() -> Self {
        if cfg!(target_os = "linux") { Self::Required } else { Self::BestEffort }
    }
}

/// A policy name that is neither `required` nor `best-effort`.
#[derive(Debug, thiserror::Error)]
#[error("expected required or best-effort")]
pub struct UnknownPolicyError;

impl FromStr for SandboxPolicy {
    type Err = UnknownPolicyError;

    fn from_str(text: &str) -> Result<Self, UnknownPolicyError> {
        match text {
            "required" => Ok(Self::Required),
            "best-effort" => Ok(Self::BestEffort),
            _ => Err(UnknownPolicyError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_is_parsed_from_its_name() {
        assert_eq!("required".parse::<SandboxPolicy>().unwrap(), SandboxPolicy::Required);
        assert_eq!("best-effort".parse::<SandboxPolicy>().unwrap(), SandboxPolicy::BestEffort);
        assert!("off".parse::<SandboxPolicy>().is_err());
    }
}
