//! The items of a signal, as a connector sends them: values by name, checked against the signal's table.

use std::collections::BTreeMap;

use link_domain::lookups::record_source::SignalFindings;
use link_types::Date;
use link_types::signal::{ItemValue, ItemValues, SignalItem, SignalKind};
use serde_json::Value;

use crate::http_source::fault::ExchangeError;

/// The maximum number of dates in a list.
const MAX_DATES: usize = 1_000;
/// The largest number, which every JSON parser can represent exactly, in hundredths as well.
const MAX_NUMBER: f64 = 10_000_000_000_000.0;

/// Converts the values of a signal. Names that are not in the signal's table are ignored. The numeric bounds of the
/// table are those of the sandbox: a source may exceed them, but a number that cannot be negative must not be.
pub(super) fn findings(
    kind: SignalKind,
    mut given: BTreeMap<String, Value>,
) -> Result<SignalFindings, ExchangeError> {
    let mut items = Vec::new();
    for spec in kind.items() {
        let value = match given.remove(spec.name) {
            None | Some(Value::Null) => None,
            Some(value) => {
                let value = value_of(spec.values, &value);
                Some(value.ok_or_else(|| ExchangeError::at(format!("items.{}", spec.name)))?)
            }
        };
        let (name, value_type) = (spec.name.to_owned(), spec.values.value_type());
        items.push(SignalItem { name, value, value_type });
    }
    // A signal without any item is NO_DATA, which is not charged.
    match items.iter().any(|item| item.value.is_some()) {
        true => Ok(SignalFindings(items)),
        false => Err(ExchangeError::at("items")),
    }
}

fn value_of(values: ItemValues, given: &Value) -> Option<ItemValue> {
    match values {
        ItemValues::Boolean => given.as_bool().map(ItemValue::Boolean),
        ItemValues::Integer(low, _) => {
            let number =
                given.as_i64().filter(|it| (*it as f64).abs() <= MAX_NUMBER && (*it >= 0 || low < 0));
            number.map(ItemValue::Integer)
        }
        ItemValues::Hundredths(low, _) => {
            let is_of_hundredths = |it: &f64| (it * 100.0 - (it * 100.0).round()).abs() < 1e-3;
            let fits = |it: &f64| it.abs() <= MAX_NUMBER && (*it >= 0.0 || low < 0) && is_of_hundredths(it);
            given.as_f64().filter(fits).map(ItemValue::Number)
        }
        ItemValues::Word(words) => {
            let text = given.as_str().filter(|it| words.contains(it))?;
            Some(ItemValue::Text(text.to_owned()))
        }
        ItemValues::DaysAgo(_) => Some(ItemValue::Text(day(given)?.to_string())),
        ItemValues::DayList(_) => {
            let given = given.as_array().filter(|it| it.len() <= MAX_DATES)?;
            let mut days = given.iter().map(day).collect::<Option<Vec<_>>>()?;
            days.sort_unstable_by(|one, other| other.cmp(one));
            Some(ItemValue::Dates(days))
        }
    }
}

fn day(given: &Value) -> Option<Date> {
    given.as_str()?.parse().ok()
}
