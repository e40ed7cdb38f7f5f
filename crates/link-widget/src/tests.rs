//! Tests in a real browser: drawing, secrets, focus, announcements, and the contract of `LinkModal`.

mod contract;
mod differential;
mod drawing;
mod files;
mod focus;
mod foreign;
mod screen;
mod secrets;
mod wire;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
