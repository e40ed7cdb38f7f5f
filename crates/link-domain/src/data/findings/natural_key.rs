//! Natural keys: what identifies a data point at its source, so that a later reading can be compared with stored data.

use std::fmt::Display;

use link_types::data::{DataPointBody, DataPointKind};

use crate::documents::provider_file::DocumentKey;

/// Natural key of a data point among those of one account. Two data points with the same key are the same thing at two
/// times, unless both are in one reading.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NaturalKey(DataPointKind, Vec<Option<String>>);

impl NaturalKey {
    /// Returns the natural key of a data point.
    pub(crate) fn of(body: &DataPointBody) -> Self {
        let parts = match body {
            // An account has one of each.
            DataPointBody::Identity(_)
            | DataPointBody::Rating(_)
            | DataPointBody::Link(_)
            | DataPointBody::Insight(_) => Vec::new(),
            DataPointBody::Document(it) => {
                let DocumentKey { document_type, doc_id } = DocumentKey::of(it);
                vec![text(&document_type), Some(doc_id)]
            }
            DataPointBody::Employment(it) => match &it.employee_number {
                Some(number) => vec![it.employer.clone(), Some(number.clone())],
                None => vec![it.employer.clone(), None, opt(it.start_date), it.job_title.clone()],
            },
            DataPointBody::Income(it) => {
                vec![it.employer.clone(), opt(it.start_date), text(&it.frequency), text(&it.currency)]
            }
            DataPointBody::Transaction(it) => match &it.reference_id {
                Some(reference) => vec![opt(it.date), Some(reference.clone())],
                None => vec![
                    opt(it.date),
                    None,
                    it.description.clone(),
                    text(&it.currency),
                    text(&it.amount.hundredths()),
                ],
            },
            DataPointBody::Contribution(it) => {
                vec![opt(it.date), it.reference_id.clone(), text(&it.currency)]
            }
            DataPointBody::Liability(it) => match &it.reference_id {
                Some(reference) => vec![it.liability_type.clone(), Some(reference.clone())],
                None => vec![it.liability_type.clone(), None, opt(it.start_date), text(&it.currency)],
            },
            DataPointBody::EstimatedIncome(it) => vec![text(&it.month), text(&it.currency)],
        };
        Self(body.kind(), parts)
    }
}

fn text(value: &impl Display) -> Option<String> {
    Some(value.to_string())
}

fn opt(value: Option<impl Display>) -> Option<String> {
    value.map(|it| it.to_string())
}
