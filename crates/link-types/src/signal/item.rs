//! Definition of a signal's items: name, values and description.

words! {
    /// Type of an item's value.
    ValueType {
        /// true or false.
        Boolean = "BOOLEAN",
        /// A whole number.
        Integer = "INTEGER",
        /// A number with at most two decimals.
        Number = "NUMBER",
        /// One of the item's values.
        String = "STRING",
        /// A date, `YYYY-MM-DD`.
        Date = "DATE",
        /// A list of dates, latest first.
        DateList = "DATE_LIST",
    }
}

/// Values that an item can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemValues {
    /// true or false.
    Boolean,
    /// A whole number within inclusive bounds.
    Integer(i64, i64),
    /// A number within inclusive bounds, given in hundredths.
    Hundredths(i64, i64),
    /// One of these strings.
    Word(&'static [&'static str]),
    /// A date at most this many days in the past.
    DaysAgo(i64),
    /// Dates at most this many days in the past, latest first.
    DayList(i64),
}

impl ItemValues {
    /// Returns the type of the value on the wire.
    pub const fn value_type(self) -> ValueType {
        match self {
            Self::Boolean => ValueType::Boolean,
            Self::Integer(..) => ValueType::Integer,
            Self::Hundredths(..) => ValueType::Number,
            Self::Word(_) => ValueType::String,
            Self::DaysAgo(_) => ValueType::Date,
            Self::DayList(_) => ValueType::DateList,
        }
    }

    /// Describes the values in words, for the guide.
    pub fn in_words(self) -> String {
        match self {
            Self::Boolean => "true, false".to_owned(),
            Self::Integer(low, high) => format!("{low} to {high}"),
            Self::Hundredths(low, high) => format!("{} to {}", hundredths(low), hundredths(high)),
            Self::Word(words) => words.join(", "),
            Self::DaysAgo(_) => "a date".to_owned(),
            Self::DayList(_) => "a list of dates".to_owned(),
        }
    }
}

fn hundredths(value: i64) -> String {
    if value % 100 == 0 { (value / 100).to_string() } else { format!("{}.{:02}", value / 100, value % 100) }
}

/// A row in a signal's table of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemSpec {
    /// Name of the item.
    pub name: &'static str,
    /// Values that the item can have.
    pub values: ItemValues,
    /// Description of the item, as shown in the guide.
    pub description: &'static str,
    /// Name of an earlier item in the same table, whose value is a lower bound of this one.
    pub not_below: Option<&'static str>,
}

impl ItemSpec {
    /// Creates an item without a lower bound.
    pub(super) const fn new(name: &'static str, values: ItemValues, description: &'static str) -> Self {
        Self { name, values, description, not_below: None }
    }

    /// Returns the item with another item as its lower bound.
    pub(super) const fn not_below(self, other: &'static str) -> Self {
        Self { not_below: Some(other), ..self }
    }
}
