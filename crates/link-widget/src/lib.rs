//! The shell of the widget: it draws the blocks of [`link_flow::View`], runs [`link_flow::Effect`]s and reports
//! [`link_flow::Event`]s. It has no rules: it neither validates nor retries.
//!
//! # Where to start
//!
//! 1. [`LinkModal`]: the class that a page constructs, in the frame (`www/frame/boot.ts`) or mounted directly.
//! 2. [`App`](app::App): the only stateful component; every event passes through it.
//! 3. [`effect`]: runs the effects.
//! 4. [`page`] and [`block`]: draw a view. `deferred` modules are in the second chunk of the wasm.

pub mod app;
pub mod attribute;
pub mod block;
pub mod decode;
pub mod effect;
pub mod element;
pub mod encode;
pub mod host;
pub mod icon;
pub mod modal;
pub mod page;
pub mod ui;

pub use modal::LinkModal;

#[cfg(all(test, target_arch = "wasm32"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on says where and stops")]
mod tests;
