//! The drafts that the browser keeps, so that they survive a reload and the end of a session.
//!
//! They are configuration: neither data of people nor secrets. The names contain the member, and signing out removes them.

use js_sys::JSON;
use web_sys::Storage;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fetch::json;

/// Keeps a draft under a name, or forgets it. Without storage, nothing is kept.
pub fn keep<T: Serialize>(name: &str, draft: Option<&T>) {
    let Some(storage) = storage() else { return };
    match draft.and_then(json) {
        Some(text) => drop(storage.set_item(name, &text)),
        None => drop(storage.remove_item(name)),
    }
}

/// Returns the draft under a name. `None` if there is none, or if it is from another version of the portal.
pub fn recall<T: DeserializeOwned>(name: &str) -> Option<T> {
    let text = storage()?.get_item(name).ok()??;
    serde_wasm_bindgen::from_value(JSON::parse(&text).ok()?).ok()
}

/// Forgets every draft whose name begins like this.
pub fn forget(prefix: &str) {
    let Some(storage) = storage() else { return };
    let length = storage.length().unwrap_or_default();
    let names: Vec<String> = (0..length).filter_map(|it| storage.key(it).ok().flatten()).collect();
    for name in names.iter().filter(|it| it.starts_with(prefix)) {
        drop(storage.remove_item(name));
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}
