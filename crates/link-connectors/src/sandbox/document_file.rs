//! Files of the sandbox's documents: a PDF of one page that shows the document's own fields.

use link_domain::data::provider_file::{DocumentKey, FileBytes, FileOffer, FileReference, document};
use link_types::Date;
use link_types::data::{DataPointBody, Document, Identity};
use pdf_writer::{Content, Finish as _, Name, Pdf, Rect, Ref, Str};
use serde::{Deserialize, Serialize};

/// Contents of a file. A reference contains them as JSON, so a file can be drawn from its reference.
#[derive(Serialize, Deserialize)]
struct Sheet {
    name: String,
    number: String,
    issued: Option<Date>,
    holder: Option<String>,
}

/// Offers a file for each document without a `fileUrl`.
pub(super) fn offers(bodies: &[DataPointBody]) -> Vec<FileOffer> {
    let holder = bodies.iter().find_map(identity).and_then(|it| it.full_name.clone());
    let documents = bodies.iter().filter_map(document).filter(|it| it.file_url.is_none());
    documents.filter_map(|document| offer(document, holder.clone())).collect()
}

fn offer(document: &Document, holder: Option<String>) -> Option<FileOffer> {
    let (name, number, issued) = (document.name.clone(), document.doc_id.clone(), document.issue_date);
    let sheet = serde_json::to_string(&Sheet { name, number, issued, holder }).ok()?;
    Some(FileOffer { document: DocumentKey::from_document(document), reference: FileReference::new(sheet)? })
}

/// Draws the file of a reference. Returns `None` for a reference that the sandbox did not create.
pub(super) fn draw(reference: &FileReference) -> Option<FileBytes> {
    let sheet: Sheet = serde_json::from_str(reference.as_str()).ok()?;
    FileBytes::new(pdf(&sheet))
}

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const REGULAR: Ref = Ref::new(5);
const BOLD: Ref = Ref::new(6);
const REGULAR_NAME: Name<'_> = Name(b"R");
const BOLD_NAME: Name<'_> = Name(b"B");

fn pdf(sheet: &Sheet) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, 595.0, 842.0)).parent(PAGES).contents(CONTENT);
    page.resources().fonts().pair(REGULAR_NAME, REGULAR).pair(BOLD_NAME, BOLD);
    page.finish();
    for (font, name) in [(REGULAR, Name(b"Helvetica")), (BOLD, Name(b"Helvetica-Bold"))] {
        pdf.type1_font(font).base_font(name).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    pdf.stream(CONTENT, &content(sheet));
    pdf.finish()
}

fn content(sheet: &Sheet) -> Vec<u8> {
    let mut content = Content::new();
    let mut line = |font: Name<'_>, size: f32, y: f32, text: &str| {
        content.begin_text().set_font(font, size).next_line(72.0, y).show(Str(&win_ansi(text))).end_text();
    };
    line(BOLD_NAME, 22.0, 740.0, &sheet.name);
    let facts = [
        ("Holder", sheet.holder.clone()),
        ("Number", Some(sheet.number.clone())),
        ("Issued", sheet.issued.map(|it| it.to_string())),
    ];
    let mut y = 690.0;
    for (label, fact) in facts {
        let Some(fact) = fact else { continue };
        line(REGULAR_NAME, 9.0, y, label);
        line(REGULAR_NAME, 13.0, y - 18.0, &fact);
        y -= 48.0;
    }
    line(BOLD_NAME, 10.0, 72.0, "Sandbox sample. The person and the numbers are invented.");
    content.finish().to_vec()
}

/// Encodes a text for the fonts that every PDF reader has. They lack letters beyond Latin-1.
fn win_ansi(text: &str) -> Vec<u8> {
    text.chars().map(|it| u8::try_from(u32::from(it)).unwrap_or(b'?')).collect()
}

fn identity(body: &DataPointBody) -> Option<&Identity> {
    if let DataPointBody::Identity(identity) = body { Some(identity) } else { None }
}

#[cfg(test)]
mod tests {
    use link_types::archive::FileFormat;

    use super::*;

    #[test]
    fn file_shows_the_document_and_its_holder() {
        let sheet = Sheet {
            name: "Certificado".to_owned(),
            number: "SBX-7".to_owned(),
            issued: None,
            holder: Some("Andrés Zaragüeta".to_owned()),
        };
        let reference = FileReference::new(serde_json::to_string(&sheet).unwrap()).unwrap();
        let file = draw(&reference).unwrap();
        assert_eq!(file.format(), FileFormat::Pdf);
        let shown = String::from_utf8_lossy(file.as_slice()).into_owned();
        // Texts beyond ASCII are written as hexadecimal digits: é is E9, and ü is FC.
        for text in ["(Certificado)", "(SBX-7)", "<416E6472E973205A617261"] {
            assert!(shown.contains(text), "{text} is not in {shown}");
        }
    }

    #[test]
    fn other_reference_has_no_file() {
        assert_eq!(draw(&FileReference::new("/etc/passwd").unwrap()), None);
    }
}
