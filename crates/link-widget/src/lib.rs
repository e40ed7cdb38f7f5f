//! The widget's body: it draws the blocks of [`link_flow::View`], runs [`link_flow::Effect`]s and reports
//! [`link_flow::Event`]s. It holds no rule, checks nothing and repeats nothing by itself.
//!
//! # Where to start
//!
//! 1. [`LinkModal`]: the class that a page constructs, in the frame (`www/frame/boot.ts`) or mounted directly.
//! 2. [`App`](app::App): the one component with state; every event goes through it.
//! 3. [`effect`]: how each effect is run, one file for each kind of work.
//! 4. [`page`] and [`block`]: how a view is drawn, one file a block.

pub mod app;
pub mod block;
pub mod decode;
pub mod effect;
pub mod element;
pub mod encode;
pub mod host;
pub mod icon;
pub mod modal;
pub mod options;
pub mod page;
pub mod theme;
pub mod ui;

pub use modal::LinkModal;

/// A list of free blocks: all that one opening of the widget needs, and 2 KB less to load than the library's own.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
#[expect(
    unsafe_code,
    reason = "the allocator asks for a promise that there is one thread; this target has no more"
)]
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

#[cfg(all(test, target_arch = "wasm32"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on says where and stops")]
mod tests;
