//! Runs Tesseract as a separate process: pixels go to its standard input, and words come back with positions and
//! confidences. Nothing is written to disk.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use image::GrayImage;

use crate::page::{Page, Word, median};

/// Words below this confidence are specks or ruling lines.
const MIN_CONFIDENCE: f32 = 0.2;
/// A single letter below this confidence is a speck.
const SPECK: f32 = 0.6;
/// The maximum output that is read, in bytes.
const MAX_OUTPUT_BYTES: u64 = 8_000_000;

/// The languages of documents. With `fil` as well, names get additional wrong letters.
const LANGUAGES: [&str; 2] = ["spa", "eng"];

/// Reason why nothing was read.
#[derive(Debug)]
pub(crate) enum TesseractError {
    /// Tesseract is not installed.
    Away,
    /// Tesseract failed on this picture.
    Failed,
}

/// How Tesseract is called.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tesseract {
    /// The absolute path of the program. A child has no environment to look it up.
    pub program: String,
    /// The languages, like `spa+eng`.
    pub languages: String,
}

impl Default for Tesseract {
    fn default() -> Self {
        let usual = ["/usr/bin/tesseract", "/usr/local/bin/tesseract", "/opt/homebrew/bin/tesseract"];
        let program = usual.into_iter().find(|path| Path::new(path).exists()).unwrap_or("/usr/bin/tesseract");
        Self { program: program.to_owned(), languages: list_installed_languages(program) }
    }
}

/// Returns the installed ones of the documents' languages. `eng` is always included.
fn list_installed_languages(program: &str) -> String {
    let listed = listing(program);
    let has = |language: &&str| listed.split(|byte| *byte == b'\n').any(|line| line == language.as_bytes());
    let found: Vec<_> = LANGUAGES.into_iter().filter(has).collect();
    if found.is_empty() { "eng".to_owned() } else { found.join("+") }
}

/// Returns the list of languages that it prints, or nothing if it does not run. Older versions print it to standard
/// error.
fn listing(program: &str) -> Vec<u8> {
    let mut listing = Command::new(program);
    let listed = listing.arg("--list-langs").env_clear().stdin(Stdio::null()).output();
    listed.map(|output| [output.stdout, output.stderr].concat()).unwrap_or_default()
}

impl Tesseract {
    /// Returns whether it runs and has every requested language.
    pub(crate) fn lists_languages(&self) -> bool {
        let listed = listing(&self.program);
        let has =
            |language: &str| listed.split(|byte| *byte == b'\n').any(|line| line == language.as_bytes());
        self.languages.split('+').all(has)
    }

    /// Returns whether the program exists.
    pub fn is_installed(&self) -> bool {
        Path::new(&self.program).exists()
    }

    /// Starts a process. It loads its models for 0.2 s before it reads a picture, which can be prepared meanwhile.
    pub(crate) fn start(&self) -> Result<Started, TesseractError> {
        Command::new(&self.program)
            .args(["stdin", "stdout", "-l", &self.languages, "--psm", "6", "--dpi", "300"])
            .args(["-c", "tessedit_create_tsv=1", "-c", "load_system_dawg=0", "-c", "load_freq_dawg=0"])
            .env_clear()
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Started)
            .map_err(|_| TesseractError::Away)
    }
}

/// A process that waits for a picture.
pub(crate) struct Started(Child);

impl Started {
    /// Reads a page.
    pub(crate) fn read(self, image: &GrayImage) -> Result<Page, TesseractError> {
        let Self(mut child) = self;
        let mut input = child.stdin.take().ok_or(TesseractError::Failed)?;
        let mut output = child.stdout.take().ok_or(TesseractError::Failed)?;
        let mut text = String::new();
        let read = std::thread::scope(|scope| {
            scope.spawn(move || {
                let head = format!("P5 {} {} 255\n", image.width(), image.height());
                let _ = input.write_all(head.as_bytes()).and_then(|()| input.write_all(image));
            });
            output.by_ref().take(MAX_OUTPUT_BYTES).read_to_string(&mut text)
        });
        let ended = child.wait().map_err(|_| TesseractError::Failed)?;
        if read.is_err() || !ended.success() {
            return Err(TesseractError::Failed);
        }
        Ok(Page::from_words(without_specks(text.lines().filter_map(word).collect())))
    }
}

/// Removes specks of the paper's grain: single letters with a low confidence or a different height.
fn without_specks(mut words: Vec<Word>) -> Vec<Word> {
    let usual = median(words.iter().filter(|word| word.text.len() > 2).map(Word::height));
    words.retain(|word| {
        let single = word.text.chars().count() < 2;
        let sure = word.confidence >= SPECK && (0.3..2.0).contains(&(word.height() / usual.max(1.0)));
        !single || sure
    });
    words
}

/// Parses a word from a table row: level, page, block, paragraph, line, word, left, top, width, height, confidence,
/// text.
fn word(row: &str) -> Option<Word> {
    let mut columns = row.split('\t');
    if columns.next()? != "5" {
        return None;
    }
    let mut number = columns.skip(5);
    let mut next = || number.next()?.parse::<f32>().ok();
    let (left, top, width, height, confidence) = (next()?, next()?, next()?, next()?, next()? / 100.0);
    let text = row.rsplit('\t').next()?.trim().to_owned();
    (confidence >= MIN_CONFIDENCE).then_some(Word {
        text,
        left,
        top,
        right: left + width,
        bottom: top + height,
        confidence: confidence.clamp(0.0, 1.0),
    })
}
