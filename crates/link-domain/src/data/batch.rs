//! Data that a source gives at once, as data points, or that is read from the files of an archive.

use std::num::NonZeroU32;

use link_types::archive::Extraction;
use link_types::data::DataPointBody;
use serde::{Deserialize, Serialize};

use crate::data::provider_file::FileOffer;

/// Data points that were read together.
#[derive(Clone, Default, PartialEq)]
pub struct Batch {
    /// Data points, oldest of each kind first. Their ids are placeholders; the domain assigns the final ones.
    pub bodies: Vec<DataPointBody>,
    /// Share of the salary that is contributed, if the source knows it. It is used to estimate incomes.
    pub contribution_rate: Option<ContributionRate>,
    /// Files that the source has for documents in `bodies`, in the order of the documents.
    pub files: Vec<FileOffer>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch({} items)", self.bodies.len())
    }
}

/// Share of the salary that is contributed, in hundredths of a percent. Never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContributionRate(NonZeroU32);

impl ContributionRate {
    /// Creates a rate from hundredths of a percent. Returns `None` for zero.
    pub fn from_basis_points(basis_points: u32) -> Option<Self> {
        NonZeroU32::new(basis_points).map(Self)
    }

    /// Returns the rate in hundredths of a percent.
    pub const fn basis_points(self) -> u32 {
        self.0.get()
    }
}

/// Data that was read from an archive. `Debug` does not print it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Extracted {
    /// Data of the first document.
    pub first: Extraction,
    /// Data of further documents of the same kind and person.
    pub further: Vec<Extraction>,
}

impl From<Extraction> for Extracted {
    fn from(first: Extraction) -> Self {
        Self { first, further: Vec::new() }
    }
}

impl std::fmt::Debug for Extracted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extracted({} fields, {} further)", self.first.fields.len(), self.further.len())
    }
}
