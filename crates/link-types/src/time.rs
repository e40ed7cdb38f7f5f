//! Timestamps, dates and months in their wire formats (interface: "Conventions").

use ::time::{OffsetDateTime, format_description::well_known::Rfc3339};
use core::{fmt, str::FromStr};

/// Error for a text that is not a timestamp, date or month of the expected format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct InvalidTimeError {
    /// Expected format.
    pub expected: &'static str,
}

macro_rules! as_text {
    ($name:ident, $description:literal, $pattern:expr, $format:expr, $example:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        #[cfg(feature = "schema")]
        string_schema!($name, $description, $pattern, $format, $example);
    };
}

/// A UTC timestamp in microseconds since 1970. On the wire it has milliseconds: `2026-11-20T11:07:11.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

/// First and last timestamp that can be formatted: the years 0001 to 9999.
const FIRST: Timestamp = Timestamp(-62_135_596_800_000_000);
const LAST: Timestamp = Timestamp(253_402_300_799_999_999);

impl Timestamp {
    /// Creates a timestamp from microseconds since 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Returns the microseconds since 1970-01-01T00:00:00Z.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Removes the microseconds that the wire format does not have.
    pub const fn to_millis(self) -> Self {
        Self(self.0.saturating_sub(self.0.rem_euclid(1_000)))
    }

    /// Adds a number of milliseconds, saturating at the limits of `i64`.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis.saturating_mul(1_000)))
    }

    /// Returns the UTC date of this timestamp.
    pub fn date(self) -> Date {
        Date(self.civil().date())
    }

    fn civil(self) -> OffsetDateTime {
        let clamped = self.0.clamp(FIRST.0, LAST.0);
        let second = OffsetDateTime::from_unix_timestamp(clamped.div_euclid(1_000_000));
        let part = clamped.rem_euclid(1_000_000) as u32;
        second.and_then(|it| it.replace_microsecond(part)).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = self.civil();
        // Writes digit by digit, because responses contain many timestamps and `{:02}` dominates the formatting cost.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        digits(&mut text[0..4], u32::try_from(t.year()).map_err(|_| fmt::Error)?);
        digits(&mut text[5..7], u32::from(u8::from(t.month())));
        digits(&mut text[8..10], u32::from(t.day()));
        digits(&mut text[11..13], u32::from(t.hour()));
        digits(&mut text[14..16], u32::from(t.minute()));
        digits(&mut text[17..19], u32::from(t.second()));
        digits(&mut text[20..23], u32::from(t.millisecond()));
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Fills the buffer with the last digits of a number.
fn digits(room: &mut [u8], mut number: u32) {
    for digit in room.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimeError;

    fn from_str(text: &str) -> Result<Self, InvalidTimeError> {
        let invalid =
            InvalidTimeError { expected: "a date-time with its time zone, like 2026-11-20T11:07:11.000Z" };
        let beyond = InvalidTimeError { expected: "a date-time of the years 0001 to 9999 in UTC" };
        let parsed = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| invalid)?;
        let micros = i64::try_from(parsed.unix_timestamp_nanos().div_euclid(1_000)).map_err(|_| beyond)?;
        Some(Self(micros)).filter(|it| (FIRST..=LAST).contains(it)).ok_or(beyond)
    }
}

as_text!(
    Timestamp,
    "ISO 8601 date-time in UTC, with milliseconds.",
    Some(concat!(
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]",
        "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
    )),
    Some(utoipa::openapi::schema::KnownFormat::DateTime),
    "2026-11-20T11:07:11.000Z"
);

/// A calendar day, `YYYY-MM-DD`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(::time::Date);

impl Date {
    /// Creates a date from a year, a month (1 to 12) and a day of the month.
    ///
    /// # Errors
    ///
    /// [`InvalidTimeError`] if the date does not exist.
    pub fn new(year: i32, month: u8, day: u8) -> Result<Self, InvalidTimeError> {
        let invalid = InvalidTimeError { expected: "a date, like 2026-11-20" };
        if !(0..=9999).contains(&year) {
            return Err(invalid);
        }
        let month = ::time::Month::try_from(month).map_err(|_| invalid)?;
        ::time::Date::from_calendar_date(year, month, day).map(Self).map_err(|_| invalid)
    }

    /// Returns the first instant of the date in UTC.
    pub fn start(self) -> Timestamp {
        let seconds = self.0.midnight().assume_utc().unix_timestamp();
        Timestamp(seconds * 1_000_000)
    }

    /// Adds days, or subtracts them if negative. Saturates at the ends of the calendar.
    pub fn plus_days(self, days: i64) -> Self {
        Self(self.0.saturating_add(::time::Duration::days(days)))
    }

    /// Returns the days since another date. Negative if the other date is later.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).whole_days()
    }

    /// Returns the month that contains this date.
    pub fn month(self) -> Month {
        Month { year: self.0.year(), month: u8::from(self.0.month()) }
    }

    /// Returns the day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.0.day()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), u8::from(self.0.month()), self.0.day())
    }
}

fn number<T: FromStr>(text: &str, digits: usize) -> Option<T> {
    (text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

impl FromStr for Date {
    type Err = InvalidTimeError;

    fn from_str(text: &str) -> Result<Self, InvalidTimeError> {
        let invalid = InvalidTimeError { expected: "a date, like 2026-11-20" };
        let mut parts = text.splitn(3, '-');
        let mut part = || parts.next().ok_or(invalid);
        let (year, month, day) = (part()?, part()?, part()?);
        match (number(year, 4), number(month, 2), number(day, 2)) {
            (Some(year), Some(month), Some(day)) => Self::new(year, month, day),
            _ => Err(invalid),
        }
    }
}

as_text!(
    Date,
    "Calendar date, `YYYY-MM-DD`.",
    Some("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"),
    Some(utoipa::openapi::schema::KnownFormat::Date),
    "2026-11-20"
);

/// A calendar month, `YYYY-MM`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month {
    year: i32,
    month: u8,
}

impl Month {
    /// Creates a month from a year and a month number, 1 to 12.
    ///
    /// # Errors
    ///
    /// [`InvalidTimeError`] if the month is not 1 to 12 or the year is not 0 to 9999.
    pub fn new(year: i32, month: u8) -> Result<Self, InvalidTimeError> {
        if (1..=12).contains(&month) && (0..=9999).contains(&year) {
            Ok(Self { year, month })
        } else {
            Err(InvalidTimeError { expected: "a month, like 2026-11" })
        }
    }

    /// Returns the first day of the month. Never `None` for a month created by [`Month::new`].
    pub fn first_day(self) -> Option<Date> {
        Date::new(self.year, self.month, 1).ok()
    }

    /// Returns the months since another month. Negative if the other month is later.
    pub const fn months_since(self, earlier: Self) -> i32 {
        (self.year - earlier.year) * 12 + self.month as i32 - earlier.month as i32
    }

    /// Adds months, or subtracts them if negative. Clamps to the years 0 to 9999.
    pub fn plus_months(self, months: i32) -> Self {
        let index =
            self.year.saturating_mul(12).saturating_add(i32::from(self.month) - 1).saturating_add(months);
        let index = index.clamp(0, 9999 * 12 + 11);
        Self { year: index / 12, month: u8::try_from(index % 12 + 1).unwrap_or(1) }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for Month {
    type Err = InvalidTimeError;

    fn from_str(text: &str) -> Result<Self, InvalidTimeError> {
        let invalid = InvalidTimeError { expected: "a month, like 2026-11" };
        let (year, month) = text.split_once('-').ok_or(invalid)?;
        match (number(year, 4), number(month, 2)) {
            (Some(year), Some(month)) => Self::new(year, month),
            _ => Err(invalid),
        }
    }
}

as_text!(Month, "Calendar month, `YYYY-MM`.", Some("^[0-9]{4}-(0[1-9]|1[0-2])$"), None, "2026-11");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamp_formats_milliseconds_and_parses_any_offset() {
        let t: Timestamp = "2026-11-20T12:07:11.123456+01:00".parse().unwrap();
        assert_eq!(t.to_string(), "2026-11-20T11:07:11.123Z");
        assert_eq!(t.date().to_string(), "2026-11-20");
        assert!("2026-11-20".parse::<Timestamp>().is_err());
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::from_micros(i64::MIN).to_string(), "0001-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_micros(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_micros(i64::MAX).to_string(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn timestamp_outside_years_1_to_9999_is_rejected() {
        for text in ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
        assert!("0000-12-31T23:00:00-01:00".parse::<Timestamp>().is_ok(), "the year counts in UTC");
        let beyond = [
            "0000-01-01T00:00:00Z",
            "0000-12-31T23:59:59.9999999Z",
            "0001-01-01T00:00:00+14:00",
            "9999-12-31T23:59:59-14:00",
        ];
        for text in beyond {
            let error = text.parse::<Timestamp>().unwrap_err();
            assert_eq!(error.to_string(), "expected a date-time of the years 0001 to 9999 in UTC", "{text}");
        }
    }

    #[test]
    fn date_not_in_the_calendar_is_rejected() {
        for text in ["2026-02-30", "2026-2-3", "2026-11-20T00:00:00Z", "+026-01-01", "20261120"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!("2024-02-29".parse::<Date>().unwrap().start().to_string(), "2024-02-29T00:00:00.000Z");
    }

    #[test]
    fn month_and_date_arithmetic_crosses_year_boundaries() {
        let month: Month = "2026-01".parse().unwrap();
        assert_eq!(month.plus_months(-1).to_string(), "2025-12");
        assert_eq!(month.plus_months(12).to_string(), "2027-01");
        assert_eq!(month.months_since(month.plus_months(-14)), 14);
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert_eq!(day("2026-03-01").days_since(day("2026-02-27")), 2);
        assert!("2026-13".parse::<Month>().is_err());
    }
}
