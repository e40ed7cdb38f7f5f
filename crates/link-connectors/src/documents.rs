//! Documents: what a file is, and what stands in it.
//!
//! What people upload is parsed in a child process alone, [`child::run`], which [`ChildReader`] starts for each job.
//!
//! # Where to start
//!
//! 1. [`ChildReader`]: the port's implementation; `job` is what both sides say; `sandbox` is what holds the child.
//! 2. [`inspection`]: what a file is by its content, and why it is refused.
//! 3. [`reading`]: from files to [`page::Page`]s, by `text_layer` or, from `pixels`, by [`tesseract`].
//! 4. [`rules`]: what the words of the pages say; [`points`]: the data points of it.

pub mod child;
pub mod inspection;
mod job;
mod limits;
pub mod page;
mod pixels;
pub mod points;
mod reader;
pub mod reading;
pub mod rules;
mod sandbox;
pub mod tesseract;
mod text_layer;

pub use limits::Limits;
pub use reader::{ChildReader, SelfTestFault};
pub use sandbox::{Layer, LayerReport, SandboxPolicy, SandboxReport, UnknownPolicy};
pub use tesseract::Tesseract;
