//! Passes the options of the host page to the flow, which reports all faults at once.

use js_sys::{Array, Object};
use link_flow::options::{OptionValue, read};
use link_types::host::WidgetOptions;
use wasm_bindgen::{JsCast, JsValue};

/// Reads the options. The bridge warns of unknown names.
///
/// # Errors
///
/// Every option that is missing or wrong, described for a developer.
pub fn options(given: &JsValue) -> Result<WidgetOptions, String> {
    let entries = given.dyn_ref::<Object>().map(Object::entries).unwrap_or_default();
    let named = entries.iter().filter_map(|entry| {
        let entry = entry.dyn_into::<Array>().ok()?;
        Some((entry.get(0).as_string()?, value(&entry.get(1))))
    });
    read(named.collect())
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn value(value: &JsValue) -> OptionValue {
    if value.is_null() || value.is_undefined() {
        OptionValue::Absent
    } else if let Some(flag) = value.as_bool() {
        OptionValue::Bool(flag)
    } else if let Some(text) = value.as_string() {
        OptionValue::Text(text)
    } else if let Some(list) = value.dyn_ref::<Array>() {
        OptionValue::List(list.iter().map(|item| self::value(&item)).collect())
    } else {
        OptionValue::Other
    }
}
