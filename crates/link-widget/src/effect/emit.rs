//! Calls the callbacks of the host page.

use link_types::host::Callback;

use crate::encode::encode;
use crate::host::LinkHost;

/// Passes a callback to the host. Adds the time to UI events, because the flow has no clock.
pub fn emit(host: &LinkHost, key: &str, mut callback: Callback) {
    if let Callback::UiEvent(event) = &mut callback {
        event.event_time = js_sys::Date::new_0().to_iso_string().into();
    }
    host.emit(key, &encode(&callback));
}
