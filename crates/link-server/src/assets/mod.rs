//! The widget's files and the page inside the iframe.

pub mod files;
pub mod frame_page;
pub mod refused_origins;
