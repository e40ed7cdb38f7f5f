//! The properties of a kind of data point, from the table of data points.

use super::DataPointKind;
use crate::id::hex;
use crate::{event::EventType, id::*};

/// How the lists of a kind filter by date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateFilter {
    /// By the day that the data point refers to.
    Day,
    /// By the day of the data point's creation.
    Creation,
    /// By the day of the data point's creation, and by the month that it refers to.
    Month,
}

/// A line of the table.
struct DataPointSpec {
    key: &'static str,
    body: &'static str,
    prefix: &'static str,
    added: EventType,
    updated: Option<EventType>,
    date_filter: DateFilter,
    #[cfg(feature = "schema")]
    example: &'static str,
}

macro_rules! spec {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, [$added:ident $($updated:ident)?], $filter:ident, $($rest:tt)*
    })*) => {
        const fn spec(kind: DataPointKind) -> DataPointSpec {
            match kind {
                $(DataPointKind::$kind => DataPointSpec {
                    key: stringify!($key),
                    body: stringify!($Body),
                    prefix: $Id::PREFIX,
                    added: EventType::$added,
                    updated: [$(Some(EventType::$updated),)? None][0],
                    date_filter: DateFilter::$filter,
                    #[cfg(feature = "schema")]
                    example: <super::$Body as super::Body>::EXAMPLE,
                },)*
            }
        }
    };
}

crate::data_points!(all spec);

/// Converts the name of a field as serde does.
fn camel_case(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default();
    words.fold(first.to_owned(), |key, word| {
        let (initial, rest) = word.split_at(1.min(word.len()));
        key + &initial.to_ascii_uppercase() + rest
    })
}

impl DataPointKind {
    /// Returns the kind's key in [`Payload`](super::Payload).
    pub fn key(self) -> String {
        camel_case(spec(self).key)
    }

    /// Returns the name of the type of the kind's bodies, which is also the name of its schema.
    pub const fn body_name(self) -> &'static str {
        spec(self).body
    }

    /// Returns the response to a lookup by id, as JSON.
    #[cfg(feature = "schema")]
    pub const fn example(self) -> &'static str {
        spec(self).example
    }

    /// Returns the kinds that sources return.
    pub fn of_sources() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| !kind.is_computed())
    }

    /// Returns the prefix of the kind's ids, including the hyphen.
    pub const fn prefix(self) -> &'static str {
        spec(self).prefix
    }

    /// Returns the id of a data point of the kind, built from these bytes.
    pub fn id(self, bytes: [u8; 16]) -> String {
        format!("{}{}", self.prefix(), hex(bytes))
    }

    /// Returns the event that reports new data points of the kind.
    pub const fn added_event(self) -> EventType {
        spec(self).added
    }

    /// Returns the event that reports changed data points of the kind. Without one, [`Self::added_event`] reports them.
    pub const fn updated_event(self) -> Option<EventType> {
        spec(self).updated
    }

    /// Returns the kind whose data points an event of this type reports.
    pub fn of_event(event_type: EventType) -> Option<Self> {
        let reports =
            |kind: &Self| event_type == kind.added_event() || Some(event_type) == kind.updated_event();
        Self::ALL.iter().copied().find(reports)
    }

    /// Returns whether data points of the kind refer to a date. Lists filter other kinds by their creation.
    pub const fn has_date(self) -> bool {
        matches!(spec(self).date_filter, DateFilter::Day)
    }

    /// Returns whether data points of the kind are computed from others, so that they depend on what is shared.
    pub const fn is_derived(self) -> bool {
        self.is_computed() && !matches!(self, Self::Links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Payload;

    #[test]
    fn keys_are_those_of_a_payload() {
        let payload = serde_json::to_value(Payload::default()).unwrap();
        for kind in DataPointKind::ALL {
            assert!(payload.get(kind.key()).is_some(), "{}", kind.key());
        }
        assert_eq!(camel_case("tax_returns"), "taxReturns");
    }

    #[test]
    fn names_of_kinds_are_fixed() {
        let names: Vec<_> = DataPointKind::ALL.iter().map(|kind| format!("{kind} {}", kind.key())).collect();
        assert_eq!(
            names,
            [
                "IDENTITIES identity",
                "DOCUMENTS documents",
                "EMPLOYMENTS employments",
                "INCOMES incomes",
                "TRANSACTIONS transactions",
                "CONTRIBUTIONS contributions",
                "LIABILITIES liabilities",
                "EINCOMES eincomes",
                "RATINGS rating",
                "LINKS links",
                "INSIGHTS insight",
            ]
        );
    }

    #[test]
    fn events_of_data_points_are_of_their_kind() {
        for event_type in EventType::ALL {
            let event = event_type.as_str();
            let data = event.strip_suffix("_ADDED").or_else(|| event.strip_suffix("_UPDATED"));
            let kind = data.map(|data| match data {
                "IDENTITY" => "IDENTITIES",
                "RATING" => "RATINGS",
                "LINK" => "LINKS",
                "INSIGHT" => "INSIGHTS",
                data => data,
            });
            assert_eq!(DataPointKind::of_event(*event_type).map(DataPointKind::as_str), kind, "{event}");
        }
    }
}
