//! What an item can be: its name, the values it takes, what it says.

words! {
    /// Of what type an item's value is.
    ValueType {
        /// true or false.
        Boolean = "BOOLEAN",
        /// A whole number.
        Integer = "INTEGER",
        /// A number with at most two decimals.
        Number = "NUMBER",
        /// One of the item's words.
        String = "STRING",
        /// A day, `YYYY-MM-DD`.
        Date = "DATE",
        /// Days, the latest first.
        DateList = "DATE_LIST",
    }
}

/// The values that an item takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemValues {
    /// true or false.
    Boolean,
    /// A whole number between two bounds, both included.
    Integer(i64, i64),
    /// Hundredths between two bounds, both included.
    Hundredths(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A day at most so many days ago.
    DaysAgo(i64),
    /// Days, each at most so many days ago, the latest first.
    DayList(i64),
}

impl ItemValues {
    /// The type on the wire.
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

    /// The values in words, as the guide shows them.
    pub fn in_words(self) -> String {
        match self {
            Self::Boolean => "true, false".to_owned(),
            Self::Integer(low, high) => format!("{low} to {high}"),
            Self::Hundredths(low, high) => format!("{} to {}", hundredths(low), hundredths(high)),
            Self::Word(words) => words.join(", "),
            Self::DaysAgo(_) => "a day".to_owned(),
            Self::DayList(_) => "days".to_owned(),
        }
    }
}

fn hundredths(value: i64) -> String {
    if value % 100 == 0 { (value / 100).to_string() } else { format!("{}.{:02}", value / 100, value % 100) }
}

/// One line of a signal's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemSpec {
    /// Its name.
    pub name: &'static str,
    /// The values it takes.
    pub values: ItemValues,
    /// What it says.
    pub description: &'static str,
    /// An item of the same table, before it, that it is never less than.
    pub not_below: Option<&'static str>,
}

impl ItemSpec {
    /// A line.
    pub(super) const fn new(name: &'static str, values: ItemValues, description: &'static str) -> Self {
        Self { name, values, description, not_below: None }
    }

    /// The same, never less than another.
    pub(super) const fn not_below(self, other: &'static str) -> Self {
        Self { not_below: Some(other), ..self }
    }
}
