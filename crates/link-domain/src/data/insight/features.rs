//! Periods, value type and rounding that all features share.

use std::collections::BTreeMap;

/// Periods that features are computed over: this many full months before the current month.
pub(super) const SPANS: [i32; 3] = [3, 6, 12];

/// Feature values by name.
pub(super) type Features = BTreeMap<String, Option<f64>>;

/// Rounds to this many decimals. Returns `None` if the value is not finite.
pub(super) fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    // Turns -0.0 into 0.0.
    rounded.is_finite().then_some(rounded + 0.0)
}
