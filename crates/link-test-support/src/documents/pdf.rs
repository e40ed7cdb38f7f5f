//! Writes sheets as a PDF with a text layer, and images as a PDF without one.

use std::collections::BTreeMap;
use std::io::Write;

use ab_glyph::{Font, ScaleFont};

use super::fonts::Face;
use super::sheet::Sheet;

/// Writes objects in sequence and records their offsets.
struct Writer {
    bytes: Vec<u8>,
    offsets: BTreeMap<usize, usize>,
}

impl Writer {
    fn object(&mut self, number: usize, body: &str) {
        self.offsets.insert(number, self.bytes.len());
        self.bytes.extend(format!("{number} 0 obj\n{body}\nendobj\n").bytes());
    }

    fn stream(&mut self, number: usize, entries: &str, data: &[u8]) {
        self.offsets.insert(number, self.bytes.len());
        self.bytes.extend(format!("{number} 0 obj\n<<{entries}/Length {}>>\nstream\n", data.len()).bytes());
        self.bytes.extend(data);
        self.bytes.extend(b"\nendstream\nendobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len();
        let size = self.offsets.len() + 1;
        self.bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
        for offset in self.offsets.values() {
            self.bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let end = format!("trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
        self.bytes.extend(end.bytes());
        self.bytes
    }
}

fn begin(pages: &[usize]) -> Writer {
    let mut writer = Writer { bytes: b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec(), offsets: BTreeMap::new() };
    let kids: String = pages.iter().map(|page| format!("{page} 0 R ")).collect();
    writer.object(1, "<</Type/Catalog/Pages 2 0 R>>");
    writer.object(2, &format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()));
    writer
}

fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Makes a PDF with a text layer. If `embedded`, it contains the fonts; otherwise it uses the viewer's standard fonts.
pub fn text_pdf(sheets: &[Sheet], embedded: bool) -> Vec<u8> {
    let mut faces: Vec<Face> = Vec::new();
    for run in sheets.iter().flat_map(|sheet| &sheet.runs) {
        if !faces.contains(&run.face) {
            faces.push(run.face);
        }
    }
    let pages: Vec<usize> = (0..sheets.len()).map(|page| 3 + page * 2).collect();
    let first_font = 3 + sheets.len() * 2;
    let mut writer = begin(&pages);
    let fonts: String = (0..faces.len()).map(|at| format!("/F{at} {} 0 R", first_font + at * 3)).collect();
    for (sheet, page) in sheets.iter().zip(&pages) {
        let content = page + 1;
        writer.object(*page, &format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {} {}]/Contents {content} 0 R/Resources<</Font<<{fonts}>>>>>>",
            sheet.width, sheet.height
        ));
        writer.stream(content, "/Filter/FlateDecode", &compress(&content_of(sheet, &faces)));
    }
    for (at, face) in faces.iter().enumerate() {
        font(&mut writer, first_font + at * 3, *face, embedded);
    }
    writer.finish()
}

/// The parts of a PDF next to its contents.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Entries of the catalog.
    pub catalog: String,
    /// Entries of each page.
    pub page: String,
    /// Annotations of each page. `{ap}` in one is the number of an object that draws the next one of `appearances`.
    pub annotations: Vec<String>,
    /// Content streams of appearances.
    pub appearances: Vec<String>,
    /// Entries of the fonts of each page.
    pub fonts: String,
    /// Entries of the forms and pictures of each page.
    pub x_objects: String,
    /// Entries of the other resources of each page.
    pub resources: String,
    /// Further objects. In all parts, `{0}` is a reference to the first one.
    pub objects: Vec<String>,
    /// Width, height and JPEG of the picture `/P`. Otherwise, it is white.
    pub picture: Option<(u32, u32, Vec<u8>)>,
}

/// Makes a PDF of letter-sized pages from content streams. `/F0` is Helvetica, `/F1` is Helvetica Bold, and `/P` is a
/// white picture that fills the unit square.
pub fn draw_pdf(contents: &[String]) -> Vec<u8> {
    draw_pdf_with(contents, &Extras::default())
}

/// Makes a PDF like [`draw_pdf`], with more in it.
pub fn draw_pdf_with(contents: &[String], extras: &Extras) -> Vec<u8> {
    let pages: Vec<usize> = (0..contents.len()).map(|page| 3 + page * 2).collect();
    let fonts = 3 + contents.len() * 2;
    let mut writer = begin(&pages);
    let kids: String = pages.iter().map(|page| format!("{page} 0 R ")).collect();
    // Replaces the catalog.
    let first = fonts + 3 + extras.appearances.len();
    let linked = |text: &str| {
        (0..extras.objects.len()).fold(text.to_owned(), |text, at| {
            text.replace(&format!("{{{at}}}"), &format!("{} 0 R", first + at))
        })
    };
    writer.object(1, &format!("<</Type/Catalog/Pages 2 0 R{}>>", linked(&extras.catalog)));
    writer.object(2, &format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()));
    let mut appearances = (fonts + 3..).take(extras.appearances.len());
    let annotations: String = extras
        .annotations
        .iter()
        .map(|it| match it.split_once("{ap}") {
            Some((before, after)) => format!("{before}{} 0 R{after}", appearances.next().unwrap()),
            None => it.clone(),
        })
        .collect();
    let (annotations, more) = (linked(&annotations), linked(&extras.page));
    let (more_fonts, more_resources) = (linked(&extras.fonts), linked(&extras.resources));
    let more_objects = linked(&extras.x_objects);
    for (content, page) in contents.iter().zip(&pages) {
        writer.object(
            *page,
            &format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots[{annotations}]{more}/Contents {} 0 R/Resources<<\
                 /Font<</F0 {fonts} 0 R/F1 {} 0 R{more_fonts}>>/XObject<</P {} 0 R{more_objects}>>\
                 /ExtGState<</Half<</ca .5>>/Screen<</BM/Screen>>>>\
                 {more_resources}>>>>",
                page + 1,
                fonts + 1,
                fonts + 2
            ),
        );
        let latin: Vec<u8> = content.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        writer.stream(page + 1, "", &latin);
    }
    for (at, name) in ["Helvetica", "Helvetica-Bold"].into_iter().enumerate() {
        let font = format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>");
        writer.object(fonts + at, &font);
    }
    let (width, height, filter, bytes) = match &extras.picture {
        Some((width, height, jpeg)) => (*width, *height, "/Filter/DCTDecode", jpeg.as_slice()),
        None => (1, 1, "", [255].as_slice()),
    };
    let entries = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8{filter}"
    );
    writer.stream(fonts + 2, &entries, bytes);
    for (at, content) in extras.appearances.iter().enumerate() {
        let entries =
            format!("/Type/XObject/Subtype/Form/BBox[0 0 200 16]/Resources<</Font<</F0 {fonts} 0 R>>>>");
        writer.stream(fonts + 3 + at, &entries, content.as_bytes());
    }
    for (at, object) in extras.objects.iter().enumerate() {
        writer.object(first + at, &linked(object));
    }
    writer.finish()
}

/// Returns the operators that draw a text, in points from the page's lower left. `before` are operators of the text.
pub fn text_at(x: f64, y: f64, size: f64, before: &str, text: &str) -> String {
    let text = text.replace('\\', r"\\").replace('(', r"\(").replace(')', r"\)");
    format!("BT /F0 {size} Tf {before} 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n")
}

fn content_of(sheet: &Sheet, faces: &[Face]) -> Vec<u8> {
    let mut content = Vec::new();
    for filled in &sheet.filled {
        let y = sheet.height - filled.y - filled.height;
        let operators =
            format!("{} g {} {y} {} {} re f\n", filled.grey, filled.x, filled.width, filled.height);
        content.extend(operators.bytes());
    }
    content.extend(b"0.05 g\n");
    for run in &sheet.runs {
        let face = faces.iter().position(|face| *face == run.face).unwrap();
        content
            .extend(format!("BT /F{face} {} Tf {} {} Td (", run.size, run.x, sheet.height - run.y).bytes());
        for c in run.text.chars() {
            let byte = u8::try_from(u32::from(c)).expect("documents are written in Latin-1");
            if matches!(byte, b'(' | b')' | b'\\') {
                content.push(b'\\');
            }
            content.push(byte);
        }
        content.extend(b") Tj ET\n");
    }
    content
}

fn font(writer: &mut Writer, number: usize, face: Face, embedded: bool) {
    let (descriptor, file) = (number + 1, number + 2);
    let name = face.name();
    if !embedded {
        let base = if name.contains("Serif") {
            ["Times-Roman", "Times-Bold"]
        } else {
            ["Helvetica", "Helvetica-Bold"]
        };
        let base = base[usize::from(name.contains("Bold"))];
        writer.object(
            number,
            &format!("<</Type/Font/Subtype/Type1/BaseFont/{base}/Encoding/WinAnsiEncoding>>"),
        );
        writer.object(descriptor, "null");
        writer.object(file, "null");
        return;
    }
    let scaled = face.font().as_scaled(face.scale(1000.0));
    let widths: String = (32..=255_u8)
        .map(|byte| format!("{} ", scaled.h_advance(scaled.glyph_id(char::from(byte))).round()))
        .collect();
    writer.object(
        number,
        &format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 255\
         /Widths[{widths}]/FontDescriptor {descriptor} 0 R>>"
        ),
    );
    writer.object(descriptor, &format!(
        "<</Type/FontDescriptor/FontName/{name}/Flags 32/FontBBox[-1000 -400 2000 1200]/ItalicAngle 0/Ascent 930\
         /Descent -240/CapHeight 730/StemV 90/FontFile2 {file} 0 R>>"
    ));
    let bytes = face.bytes();
    writer.stream(file, &format!("/Filter/FlateDecode/Length1 {}", bytes.len()), &compress(bytes));
}

/// Makes a PDF of gray JPEG images that each fill a page.
pub fn picture_pdf(pictures: &[(u32, u32, Vec<u8>)], dpi: f32) -> Vec<u8> {
    const GRAY: &str = "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode";
    encode_pdf(pictures.iter().map(|(width, height, jpeg)| ((*width, *height), GRAY, jpeg.as_slice())), dpi)
}

/// Makes a PDF of pictures that each fill a page: their size, the other entries of their dictionary, and their data.
pub fn encode_pdf<'a>(
    pictures: impl ExactSizeIterator<Item = ((u32, u32), &'a str, &'a [u8])>,
    dpi: f32,
) -> Vec<u8> {
    let pages: Vec<usize> = (0..pictures.len()).map(|page| 3 + page * 3).collect();
    let mut writer = begin(&pages);
    for (((width, height), entries, data), page) in pictures.zip(&pages) {
        let (content, picture) = (page + 1, page + 2);
        let (w, h) = (width as f32 * 72.0 / dpi, height as f32 * 72.0 / dpi);
        writer.object(
            *page,
            &format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {w} {h}]/Contents {content} 0 R\
             /Resources<</XObject<</P {picture} 0 R>>>>>>"
            ),
        );
        writer.stream(content, "", format!("q {w} 0 0 {h} 0 0 cm /P Do Q").as_bytes());
        let entries = format!("/Type/XObject/Subtype/Image/Width {width}/Height {height}{entries}");
        writer.stream(picture, &entries, data);
    }
    writer.finish()
}
