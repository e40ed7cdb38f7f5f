//! Reads files to pages and findings, within the child.

mod confirm;

use std::sync::Arc;
use std::time::Instant;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::Dict;
use image::GrayImage;
use link_types::archive::{ArchiveErrorCode, FileFormat, MAX_PAGES};

use crate::page::Page;
use crate::pixels::decode;
use crate::pixels::marks;
use crate::pixels::prepare::{Prepared, prepare, rotate};
use crate::pixels::tiff_page;
use crate::rules::{self, Findings, RecognitionError};
use crate::tesseract::{Tesseract, TesseractError};
use crate::text_layer;

/// The minimum number of words for a PDF page to count as text.
const MIN_TEXT_WORDS: usize = 8;
/// A page with this number of words is text, even if a picture covers all of it.
const SURELY_TEXT: usize = 150;
/// A drawn page is read instead of its text if it has this many times the words: the text is a header or a signature on a scan.
const SAYS_MORE: f32 = 1.3;
/// The minimum number of sure words for a page to count as clear, and read upright.
const MIN_UPRIGHT_WORDS: usize = 8;
/// The minimum part of its words that are sure. Tesseract finds words in pages on their side or head, too: at most 0.44 of them
/// were sure in wrong turns of seven pages; in 36 upright photos, at least 0.6 in all but two.
const MIN_UPRIGHT_PART: f32 = 0.6;
/// The minimum confidence of a sure word.
const MIN_UPRIGHT_CONFIDENCE: f32 = 0.6;
/// The maximum number of pictures read per document: the maximum number of pages of a file. Reading one takes seconds.
const MAX_PICTURES: usize = MAX_PAGES as usize;
/// The maximum number of additional readings per document, for rotated pictures.
const MAX_TURNS: usize = 16;

/// Reason why a document was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingError {
    /// The document cannot be read.
    Failed(ArchiveErrorCode),
    /// The document has pictures, but Tesseract is not installed.
    WithoutTesseract,
}

const UNREADABLE: ReadingError = ReadingError::Failed(ArchiveErrorCode::FileUnreadable);

/// The pages of a document, as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// All pages in order. Pages that were left out have no words.
    pub pages: Vec<Page>,
    /// The number of pictures that were left out: too many, too late, or Tesseract failed.
    pub left_out: u16,
    /// Whether a page has text over a picture that was not clear.
    pub is_unclear: bool,
    /// The kind of a file whose pages do not say it all.
    pub wrapper: Option<Wrapper>,
    /// The pages whose text layer was read: the number, the PDF and the index of the page in it.
    pub(crate) texts: Vec<(u16, Arc<Vec<u8>>, usize)>,
}

/// A PDF whose content a viewer finds elsewhere than on its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// A form that only some viewers show, in the format XFA.
    Form,
    /// The cover of attached files.
    Portfolio,
}

/// Reads a document. Returns its data, and the number of pages that were left out.
///
/// # Errors
/// Why the document was not read.
pub(crate) fn read(
    files: Vec<(FileFormat, Vec<u8>)>,
    tesseract: &Tesseract,
    until: Instant,
) -> Result<(Findings, u16), ReadingError> {
    let read = pages(files, tesseract, until)?;
    let findings =
        findings(&read, tesseract, until).map_err(|reason| ReadingError::Failed(why(reason, &read)))?;
    let left_out = read.left_out.saturating_add(findings.other_pages);
    Ok((findings, left_out))
}

/// Returns the data on the pages. A value of a text layer that the drawn page contradicts is in doubt. One that is not compared
/// until then is not sure.
///
/// # Errors
/// Why no document was recognized.
pub fn findings(read: &Read, tesseract: &Tesseract, until: Instant) -> Result<Findings, RecognitionError> {
    let mut findings = rules::read(&read.pages)?;
    confirm::confirm(&mut findings, read, tesseract, until);
    Ok(findings)
}

/// Returns why a document was not recognized, as far as the person can do something about it.
fn why(reason: RecognitionError, read: &Read) -> ArchiveErrorCode {
    match (reason, read.wrapper) {
        (RecognitionError::SeveralPeople, _) => ArchiveErrorCode::FileSeveralPeople,
        (RecognitionError::Unknown, Some(Wrapper::Form)) => ArchiveErrorCode::FileForm,
        (RecognitionError::Unknown, Some(Wrapper::Portfolio)) => ArchiveErrorCode::FilePortfolio,
        (RecognitionError::Unknown, None) if !read.is_unclear && read.pages.iter().any(is_clear) => {
            ArchiveErrorCode::FileKindUnknown
        }
        (RecognitionError::Unknown, None) => ArchiveErrorCode::FileUnableToRecognize,
    }
}

/// Reads the pages of a document's files as positioned words. Begins no picture after `until`.
///
/// It parses untrusted bytes: use it only in child processes and benchmarks.
///
/// # Errors
/// Why a page could not be read.
pub fn pages(
    files: Vec<(FileFormat, Vec<u8>)>,
    tesseract: &Tesseract,
    until: Instant,
) -> Result<Read, ReadingError> {
    let mut pages =
        Pages { read: Read::default(), pictures: 0, turns: MAX_TURNS, quarters: 0, until, tesseract };
    for (format, bytes) in files {
        match format {
            FileFormat::Pdf => pages.pdf(bytes)?,
            FileFormat::Png | FileFormat::Jpeg | FileFormat::Webp => {
                let picture = decode::picture(&bytes).ok_or(UNREADABLE)?;
                pages.picture(&picture)?;
            }
            FileFormat::Heic => pages.picture(&decode::heic(&bytes).map_err(|_| UNREADABLE)?)?,
            FileFormat::Tiff => {
                for picture in tiff_page::pages(&bytes).take(usize::from(MAX_PAGES)) {
                    pages.picture(&picture.ok_or(UNREADABLE)?)?;
                }
            }
        }
    }
    Ok(pages.read)
}

/// The pages read so far.
struct Pages<'a> {
    read: Read,
    pictures: usize,
    /// The number of additional readings that are left.
    turns: usize,
    /// The rotation of the previous picture. The next one is probably the same.
    quarters: u8,
    /// No picture is begun after this time.
    until: Instant,
    tesseract: &'a Tesseract,
}

impl Pages<'_> {
    fn pdf(&mut self, bytes: Vec<u8>) -> Result<(), ReadingError> {
        let bytes = Arc::new(bytes);
        let pdf = Pdf::new(Arc::clone(&bytes)).map_err(|_| UNREADABLE)?;
        self.read.wrapper = self.read.wrapper.or(wrapper(&pdf));
        for (at, page) in pdf.pages().iter().take(usize::from(MAX_PAGES)).enumerate() {
            let text = text_layer::read(page);
            let (words, may_be_hidden, is_drawing_unsure) =
                (text.page.words(), text.may_be_hidden, text.is_drawing_unsure);
            if words >= MIN_TEXT_WORDS && !(text.is_pictured && words < SURELY_TEXT) {
                self.push_text(text.page, &bytes, at);
            } else if let Some(picture) = decode::pdf_page(page) {
                match self.read_picture(&picture) {
                    Err(ReadingError::WithoutTesseract) if words >= MIN_TEXT_WORDS => {
                        self.push_text(text.page, &bytes, at);
                    }
                    drawn => self.choose(text.page, drawn?, &bytes, at),
                }
            } else {
                self.read.pages.push(text.page);
            }
            let number = self.read.pages.len();
            let is_text = self.read.texts.last().is_some_and(|(text, ..)| usize::from(*text) == number);
            let is_unsure = may_be_hidden || is_drawing_unsure && !is_text;
            if let Some(page) = self.read.pages.last_mut().filter(|_| is_unsure) {
                page.doubt();
            }
        }
        Ok(())
    }

    /// Takes the text layer of a page of this PDF.
    fn push_text(&mut self, text: Page, file: &Arc<Vec<u8>>, at: usize) {
        self.read.pages.push(text);
        let number = u16::try_from(self.read.pages.len()).unwrap_or(u16::MAX);
        self.read.texts.push((number, Arc::clone(file), at));
    }

    /// Takes the drawn page if it says more than its text, which may be a header on a scan.
    fn choose(&mut self, text: Page, drawn: Option<Page>, file: &Arc<Vec<u8>>, at: usize) {
        let words = sure_words(&text);
        let Some(drawn) = drawn else {
            // The picture may say more.
            self.read.left_out += 1;
            return self.push_text(text, file, at);
        };
        let says_more = sure_words(&drawn) as f32 > words as f32 * SAYS_MORE;
        let is_text = text.words() >= MIN_TEXT_WORDS && !says_more;
        // A header alone does not make the page clear.
        self.read.is_unclear |= is_text && drawn.words() > text.words() && !is_clear(&drawn);
        if is_text {
            self.push_text(text, file, at);
        } else {
            self.read.pages.push(drawn);
        }
    }

    fn picture(&mut self, picture: &GrayImage) -> Result<(), ReadingError> {
        match self.read_picture(picture)? {
            Some(page) => self.read.pages.push(page),
            None => self.leave_out(),
        }
        Ok(())
    }

    fn leave_out(&mut self) {
        self.read.left_out += 1;
        self.read.pages.push(Page::default());
    }

    /// Reads a picture. Returns `None` if there are too many, it is too late, or Tesseract failed.
    fn read_picture(&mut self, picture: &GrayImage) -> Result<Option<Page>, ReadingError> {
        self.pictures += 1;
        let may_be_read = self.pictures <= MAX_PICTURES && Instant::now() < self.until;
        if may_be_read { self.upright(picture) } else { Ok(None) }
    }

    /// Reads a picture. If few of its words are sure, also tries it rotated. Returns `None` if Tesseract failed each time.
    fn upright(&mut self, picture: &GrayImage) -> Result<Option<Page>, ReadingError> {
        let (mut best, mut lay, mut was_read) = (Page::default(), self.quarters, false);
        // A page on its side is prepared as a page, and not as a card: its size and angle are others.
        let mut prepared: [Option<Prepared>; 2] = [None, None];
        for turn in [0, 1, 3, 2] {
            if turn > 0 {
                let Some(left) = self.turns.checked_sub(1) else { break };
                self.turns = left;
            }
            let quarters = (self.quarters + turn) % 4;
            let tesseract = self.tesseract.start();
            let [level, on_side] = &mut prepared;
            let (on_its_side, rest) = (quarters % 2 == 1, quarters / 2 * 2);
            let upright = if on_its_side {
                on_side.get_or_insert_with(|| prepare(rotate(picture, 1)))
            } else {
                level.get_or_insert_with(|| prepare(picture.clone()))
            };
            let ready = upright.rotate(rest);
            let page = match tesseract.and_then(|it| it.read(&ready)) {
                Ok(mut page) => {
                    was_read = true;
                    marks::doubt(&mut page, &ready);
                    Page { frame: upright.frame(rest, on_its_side), ..page }
                }
                Err(TesseractError::Away) => return Err(ReadingError::WithoutTesseract),
                Err(TesseractError::Failed) => Page::default(),
            };
            if sure_words(&page) > sure_words(&best) || best.lines.is_empty() {
                (best, lay) = (page, quarters);
            }
            if is_clear(&best) {
                self.quarters = lay;
                break;
            }
        }
        Ok(was_read.then_some(best))
    }
}

fn wrapper(pdf: &Pdf) -> Option<Wrapper> {
    let root = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    if root.contains_key(b"Collection") {
        return Some(Wrapper::Portfolio);
    }
    root.get::<Dict<'_>>(b"AcroForm").filter(|form| form.contains_key(b"XFA")).map(|_| Wrapper::Form)
}

/// Returns whether most of a page was surely read.
fn is_clear(page: &Page) -> bool {
    let sure = sure_words(page);
    sure >= MIN_UPRIGHT_WORDS && sure as f32 >= MIN_UPRIGHT_PART * page.words() as f32
}

/// Returns the number of words that were surely read, and are not too short to mean something.
fn sure_words(page: &Page) -> usize {
    let words = page.lines.iter().flat_map(|line| &line.words);
    words.filter(|word| word.confidence >= MIN_UPRIGHT_CONFIDENCE && word.text.chars().count() > 2).count()
}
