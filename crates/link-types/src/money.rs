//! Amounts of money: exact decimals, represented as JSON numbers.

use core::fmt;

/// An exact amount with two decimals, stored in hundredths of the currency unit. Can be negative.
///
/// On the wire it is a JSON number (`1234.5`). Up to 15 significant digits, the shortest form of a double is the exact
/// decimal, so no precision is lost. Deserialization rejects amounts beyond ±9,999,999,999,999.99.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Money(i64);

/// Largest amount in hundredths: 15 significant digits.
const LIMIT: i64 = 999_999_999_999_999;

impl Money {
    /// Creates an amount from hundredths of the currency unit.
    pub const fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Returns the amount in hundredths of the currency unit.
    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

impl serde::Serialize for Money {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            serializer.serialize_i64(self.0 / 100)
        } else {
            serializer.serialize_f64(self.0 as f64 / 100.0)
        }
    }
}

impl<'de> serde::Deserialize<'de> for Money {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let units = f64::deserialize(deserializer)?;
        let hundredths = (units * 100.0).round();
        if hundredths.abs() <= LIMIT as f64 && (hundredths / 100.0) == units {
            Ok(Self(hundredths as i64))
        } else {
            Err(serde::de::Error::custom("expected an amount with at most two decimals"))
        }
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Money {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::Number)
            .description(Some("Exact amount with at most two decimals."))
            .examples([1234.5])
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Money {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_round_trip_exactly_through_json() {
        for hundredths in [0, 1, 10, 99, 100, 123_450, -5, -123_456, LIMIT, -LIMIT, 29, 57, 58, 113, 4_35] {
            let text = serde_json::to_string(&Money::from_hundredths(hundredths)).unwrap();
            assert_eq!(serde_json::from_str::<Money>(&text).unwrap().hundredths(), hundredths, "{text}");
        }
        assert_eq!(serde_json::to_string(&Money::from_hundredths(123_450)).unwrap(), "1234.5");
        assert_eq!(serde_json::to_string(&Money::from_hundredths(100)).unwrap(), "1");
    }

    #[test]
    fn amount_with_three_decimals_or_out_of_range_is_rejected() {
        assert!(serde_json::from_str::<Money>("1.005").is_err());
        assert!(serde_json::from_str::<Money>("1e20").is_err());
    }
}
