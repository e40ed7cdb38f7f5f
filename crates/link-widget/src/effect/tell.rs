//! Tells the host page.

use link_types::host::Callback;

use crate::encode::encode;
use crate::host::LinkHost;

/// Passes a callback on. A UI event gets its time here: the flow has no clock.
pub fn tell(host: &LinkHost, key: &str, mut callback: Callback) {
    if let Callback::UiEvent(event) = &mut callback {
        event.event_time = js_sys::Date::new_0().to_iso_string().into();
    }
    host.tell(key, &encode(&callback));
}
