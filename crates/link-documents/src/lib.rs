//! Documents: detection of a file's format, and extraction of the document's data. Logos: new encodings of pictures.
//!
//! The crate implements the ports [`DocumentReader`](link_domain::documents::document_reader::DocumentReader) and
//! [`LogoEncoder`](link_domain::tenancy::logo::LogoEncoder). It does not depend on the
//! store, axum or an HTTP client. Uploaded files are parsed only in a child process, [`child::run`]. [`ChildReader`]
//! starts one for each job.
//!
//! # Where to start
//!
//! 1. [`ChildReader`] implements the port. `job` is the protocol between both processes, and `sandbox` confines the
//!    child.
//! 2. [`inspection`] identifies a file by its content, and says why it is rejected.
//! 3. [`reading`] turns files into [`page::Page`]s, with `text_layer` or, from `pixels`, with [`tesseract`].
//! 4. [`rules`] extract what the pages say, and [`points`] converts it to data points.

pub mod child;
pub mod inspection;
mod job;
mod limits;
pub mod logo;
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
pub use reader::{ChildReader, SelfTestError};
pub use sandbox::{Layer, LayerReport, SandboxPolicy, SandboxReport, UnknownPolicyError};
pub use tesseract::Tesseract;
