//! The data of one person at a provider.

use std::collections::BTreeMap;

use link_types::data::{
    Contribution, DataPointBody, DataPointKind, Document, DocumentType, Employment, Identity, Income,
    IncomeFrequency, Liability, Rating, Transaction,
};
use link_types::id::{DocumentId, RatingId};
use link_types::{Date, Money};

use super::super::identity;
use crate::fixture::bodies;

/// The kinds that a provider returns. The others are computed.
pub(super) const KINDS: [DataPointKind; 8] = [
    DataPointKind::Identities,
    DataPointKind::Documents,
    DataPointKind::Employments,
    DataPointKind::Incomes,
    DataPointKind::Transactions,
    DataPointKind::Contributions,
    DataPointKind::Liabilities,
    DataPointKind::Ratings,
];

/// An item at the provider. Its position in the list of its kind is its natural key.
#[derive(Clone, Copy)]
struct Item {
    value: i64,
    is_shown: bool,
}

const NEW: Item = Item { value: 1, is_shown: true };

/// The items of each kind. They are added, corrected, hidden and shown again.
pub(super) struct Provider(BTreeMap<DataPointKind, Vec<Item>>);

impl Provider {
    /// Begins with one item of each kind.
    pub(super) fn begin() -> Self {
        Self(KINDS.iter().map(|kind| (*kind, vec![NEW])).collect())
    }

    /// Adds an item. A person has only one identity and one rating.
    pub(super) fn adds(&mut self, kind: DataPointKind) {
        if !matches!(kind, DataPointKind::Identities | DataPointKind::Ratings) {
            self.0.entry(kind).or_default().push(NEW);
        }
    }

    pub(super) fn corrects(&mut self, kind: DataPointKind, index: usize) {
        self.item(kind, index).value += 1;
    }

    /// Hides an item from later readings, or shows it again.
    pub(super) fn hides_or_shows(&mut self, kind: DataPointKind, index: usize) {
        let item = self.item(kind, index);
        item.is_shown = !item.is_shown;
    }

    fn item(&mut self, kind: DataPointKind, index: usize) -> &mut Item {
        let items = self.0.get_mut(&kind).unwrap();
        let index = index % items.len();
        &mut items[index]
    }

    /// Returns the natural keys and values of the items that a reading returns.
    pub(super) fn shown(&self, kind: DataPointKind) -> Vec<(usize, i64)> {
        let items = self.0[&kind].iter().enumerate();
        items.filter(|(_, item)| item.is_shown).map(|(key, item)| (key, item.value)).collect()
    }

    /// Returns what a reading of these kinds returns.
    pub(super) fn answer(&self, kinds: &[DataPointKind]) -> Vec<DataPointBody> {
        let of_kind = |kind: &DataPointKind| {
            let kind = *kind;
            self.shown(kind).into_iter().map(move |(key, value)| body(kind, key, value))
        };
        kinds.iter().flat_map(of_kind).collect()
    }
}

/// Returns the item of a kind with this natural key and this value. Its id is a placeholder.
#[expect(clippy::wildcard_enum_match_arm, reason = "each fixture returns a body of one kind")]
pub(super) fn body(kind: DataPointKind, key: usize, value: i64) -> DataPointBody {
    use DataPointBody as Body;
    let date = Date::new(2026, 1, 1).unwrap().plus_days(10 * i64::try_from(key).unwrap());
    let (day, amount) = (date.to_string(), Some(Money::from_hundredths(100_000 * value)));
    match kind {
        DataPointKind::Identities => match identity() {
            Body::Identity(it) => {
                Body::Identity(Box::new(Identity { gender: Some(value.to_string()), ..*it }))
            }
            other => other,
        },
        DataPointKind::Documents => Body::Document(Document {
            id: DocumentId::from_bytes([0; 16]),
            name: "Payslip".into(),
            doc_id: key.to_string(),
            status: None,
            document_type: DocumentType::Payslip,
            issue_date: Some(date),
            expiry_date: None,
            file_url: None,
            remarks: Some(value.to_string()),
        }),
        DataPointKind::Employments => match bodies::job(Some(&day), None) {
            Body::Employment(it) => Body::Employment(Employment { status: Some(value.to_string()), ..it }),
            other => other,
        },
        DataPointKind::Incomes => match bodies::pay(&day, IncomeFrequency::Monthly, 0) {
            Body::Income(it) => Body::Income(Income { gross_amount: amount, ..it }),
            other => other,
        },
        DataPointKind::Transactions => match bodies::transaction(&day, value) {
            Body::Transaction(it) => {
                Body::Transaction(Transaction { reference_id: Some(key.to_string()), ..it })
            }
            other => other,
        },
        DataPointKind::Contributions => match bodies::contribution(&day, 10_000 * value) {
            Body::Contribution(it) => {
                Body::Contribution(Contribution { reference_id: Some(key.to_string()), ..it })
            }
            other => other,
        },
        DataPointKind::Liabilities => match bodies::loan(None, "MONTHLY", 1_000, value) {
            Body::Liability(it) => Body::Liability(Liability { reference_id: Some(key.to_string()), ..it }),
            other => other,
        },
        DataPointKind::Ratings => Body::Rating(Rating {
            id: RatingId::from_bytes([0; 16]),
            current_rating: Some(f64::from(i32::try_from(value).unwrap())),
            max_rating: None,
            calculated_percentage: None,
            reviews_received: None,
            likes_received: None,
            jobs_completed: None,
        }),
        DataPointKind::Eincomes | DataPointKind::Links | DataPointKind::Insights => {
            panic!("{kind} are computed")
        }
    }
}
