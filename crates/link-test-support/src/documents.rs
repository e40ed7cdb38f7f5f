//! Generates documents from a seed. The same seed gives the same document on every machine with the same fonts.
//!
//! A [`truth::Truth`] is the content of a document. A [`layouts::Layout`] arranges it on a [`sheet::Sheet`], and a
//! [`Form`] makes a file from the sheet. People, employers, issuers, numbers and amounts are fictional.

pub mod draw;
pub mod fonts;
pub mod forms;
pub mod layouts;
pub mod pdf;
pub mod photo;
pub mod raster;
pub mod scan;
pub mod sheet;
pub mod truth;

use link_types::archive::{ArchiveType, FileFormat};

pub use forms::Form;
pub use layouts::Layout;
pub use truth::{Country, Truth};

use draw::Draw;

/// A document as a file, and what a reader should find in it.
pub struct Sample {
    /// For example `payslip-mx-lines-photo-17`.
    pub name: String,
    /// The content.
    pub truth: Truth,
    /// The layout.
    pub layout: Layout,
    /// The form of the file.
    pub form: Form,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// Generates one document.
pub fn sample(kind: ArchiveType, country: Country, layout: Layout, form: Form, seed: u64) -> Sample {
    let mut draw = Draw::new(seed);
    let truth = truth::invent(kind, country, &mut draw);
    let sheets = layouts::arrange(&truth, layout, &mut draw);
    let bytes = forms::file(&sheets, form, &mut draw);
    let name = format!(
        "{}-{}-{}-{}-{seed}",
        kind.as_str().to_lowercase().replace('_', "-"),
        country.code(),
        layout.name(),
        form.name()
    );
    Sample { name, truth, layout, form, bytes }
}

/// Returns the file extension of a format.
pub fn extension(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Pdf => "pdf",
        FileFormat::Png => "png",
        FileFormat::Jpeg => "jpg",
        FileFormat::Tiff => "tif",
        FileFormat::Heic => "heic",
        FileFormat::Webp => "webp",
    }
}
