//! Invented documents, drawn from a seed: the same seed gives the same document on every machine with the same fonts.
//!
//! A [`truth::Truth`] says what stands in a document; a [`layouts::Layout`] arranges it on a [`sheet::Sheet`]; a
//! [`Form`] makes a file of the sheet. People, employers, issuers, numbers and amounts are made up.

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
pub mod words;

use link_types::archive::{ArchiveType, FileFormat};

pub use forms::Form;
pub use layouts::Layout;
pub use truth::{Country, Truth};

use draw::Draw;

/// A document as a file, and what a reader should find in it.
pub struct Sample {
    /// Like `payslip-mx-lines-photo-17`.
    pub name: String,
    /// What stands in it.
    pub truth: Truth,
    /// How it is arranged.
    pub layout: Layout,
    /// What the file is.
    pub form: Form,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Draws one document.
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

/// The file name's extension of a format.
pub fn extension(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Pdf => "pdf",
        FileFormat::Png => "png",
        FileFormat::Jpeg => "jpg",
        FileFormat::Tiff => "tif",
    }
}
