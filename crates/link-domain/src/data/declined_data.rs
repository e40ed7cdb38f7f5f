//! Kinds of data that a person declined. This is the only place that decides what of a source's data may be stored.

use link_types::data::{DataPointBody, DataPointKind};
use serde::{Deserialize, Serialize};

use crate::data::batch::Extracted;

/// Kinds of data that the consent for an account or archive does not cover. Nothing of these kinds is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeclinedData(Vec<DataPointKind>);

impl DeclinedData {
    /// Returns these kinds, each once and in the order of the interface.
    pub fn new(kinds: &[DataPointKind]) -> Self {
        Self(DataPointKind::ALL.iter().copied().filter(|kind| kinds.contains(kind)).collect())
    }

    /// Returns whether the consent covers a kind.
    pub fn shares(&self, kind: DataPointKind) -> bool {
        !self.0.contains(&kind)
    }

    /// Returns the declined kinds.
    pub fn kinds(&self) -> &[DataPointKind] {
        &self.0
    }

    /// Returns the kinds that the consent covers.
    pub fn shared_kinds(&self) -> Vec<DataPointKind> {
        DataPointKind::ALL.iter().copied().filter(|kind| self.shares(*kind)).collect()
    }

    /// Drops data points of declined kinds.
    pub(crate) fn without(&self, bodies: impl IntoIterator<Item = DataPointBody>) -> Vec<DataPointBody> {
        bodies.into_iter().filter(|body| self.shares(body.kind())).collect()
    }

    /// Drops the values that were read from a document, unless everything that sources return is shared: a value is not
    /// tied to a kind.
    pub(crate) fn without_values(&self, mut extracted: Extracted) -> Extracted {
        if !self.0.iter().all(|kind| kind.is_computed()) {
            let all = std::iter::once(&mut extracted.first).chain(&mut extracted.further);
            all.for_each(|extraction| extraction.fields.clear());
        }
        extracted
    }
}

#[cfg(test)]
mod tests {
    use link_types::archive::{ArchiveType, ExtractedField, Extraction};

    use super::*;

    #[test]
    fn declined_kinds_are_sorted_and_unique() {
        let [first, second, ..] = DataPointKind::ALL else { panic!() };
        let declined = DeclinedData::new(&[*second, *first, *second]);
        assert_eq!(declined.kinds(), [*first, *second]);
        assert_eq!(declined.shared_kinds(), DataPointKind::ALL[2..]);
    }

    #[test]
    fn document_values_are_kept_only_if_all_read_kinds_are_shared() {
        let field = ExtractedField {
            name: "netAmount".into(),
            value: "1.00".into(),
            confidence: 1.0,
            page: 1,
            area: None,
        };
        let document_type = ArchiveType::Payslip;
        let document = Extraction { document_type, pages: vec![1], fields: vec![field], faults: Vec::new() };
        let extracted = Extracted { first: document.clone(), further: vec![document] };
        for kind in DataPointKind::ALL {
            let kept = DeclinedData::new(&[*kind]).without_values(extracted.clone());
            assert_eq!(!kept.first.fields.is_empty(), kind.is_computed(), "{kind}");
            assert_eq!(!kept.further[0].fields.is_empty(), kind.is_computed(), "{kind}");
        }
        assert_eq!(DeclinedData::default().without_values(extracted.clone()), extracted);
    }
}
