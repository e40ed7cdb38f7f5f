//! Reads generated documents in child processes, as the service does, and measures the accuracy.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use link_documents::page::Page;
use link_documents::{ChildReader, Tesseract, reading, rules};
use link_domain::documents::document_reader::{
    ContentLostError, DocumentFile, DocumentReader, DocumentReading, DocumentRequest, FileContent,
};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::system::BoxFuture;
use link_test_support::documents::{Form, Sample};
use link_types::archive::FileSlot;
use link_types::data::DataPointBody;

use crate::calibration;
use crate::choices::{Choices, Plan};
use crate::score::{Read, Score, score};

/// Reads all documents, two at a time, and prints the tables. Exits with status 1 if a goal is missed.
pub fn bench(choices: &Choices) {
    let plans = choices.plans();
    let rows: Mutex<Vec<(Sample, Score, Duration)>> = Mutex::new(Vec::new());
    let next = Mutex::new(plans.iter());
    let child = ChildReader::new(std::env::current_exe().unwrap(), &["child"], Tesseract::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                loop {
                    let Some(plan) = next.lock().unwrap().next() else { return };
                    let (sample, read, took) = match &choices.words {
                        Some(folder) => by_words(plan, folder),
                        None => runtime.block_on(by_child(plan, &child)),
                    };
                    let score = score(&sample, read.as_ref());
                    let mut rows = rows.lock().unwrap();
                    if choices.misses {
                        for (name, expected, read) in &score.misses {
                            println!("{}: {name}: «{expected}» read as «{read}»", sample.name);
                        }
                    }
                    rows.push((sample, score, took));
                    eprint!("\r{} of {}", rows.len(), plans.len());
                }
            });
        }
    });
    eprintln!();
    let rows = rows.into_inner().unwrap();
    println!("largest memory of a child: {} MiB", child.peak_kib() / 1024);
    let is_accurate = report(&rows);
    speed(&child, &plans);
    if !is_accurate {
        std::process::exit(1);
    }
}

async fn by_child(plan: &Plan, reader: &ChildReader) -> (Sample, Option<Read>, Duration) {
    let sample = plan.draw();
    let began = Instant::now();
    let request = DocumentRequest {
        archive_type: sample.truth.kind,
        files: vec![DocumentFile {
            slot: FileSlot::Page,
            format: sample.form.format(),
            size_bytes: u32::try_from(sample.bytes.len()).unwrap(),
            content: Box::new(InMemory(Some(sample.bytes.clone()))),
        }],
        at: TenantTime::from_micros(0),
    };
    let read = match reader.read(request).await {
        DocumentReading::Read { extracted, batch } | DocumentReading::ReadInPart { extracted, batch } => {
            let transactions = batch
                .bodies
                .into_iter()
                .filter_map(|body| if let DataPointBody::Transaction(it) = body { Some(it) } else { None });
            Some(Read { extracted, transactions: transactions.collect() })
        }
        DocumentReading::Failed { code } => {
            println!("{}: {}", sample.name, code.as_str());
            None
        }
    };
    (sample, read, began.elapsed())
}

/// Reads in this process and caches the words in a folder, so that changed rules do not need another OCR run.
fn by_words(plan: &Plan, folder: &std::path::Path) -> (Sample, Option<Read>, Duration) {
    let sample = plan.draw();
    let began = Instant::now();
    let kept = folder.join(format!("{}.json", sample.name));
    let pages: Vec<Page> = match std::fs::read(&kept) {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap(),
        Err(_) => {
            let files = vec![(sample.form.format(), sample.bytes.clone())];
            let until = Instant::now() + Duration::from_secs(600);
            let pages = reading::pages(files, &Tesseract::default(), until).unwrap().pages;
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(kept, serde_json::to_vec(&pages).unwrap()).unwrap();
            pages
        }
    };
    let findings = rules::read(&pages).ok();
    let read = findings.map(|it| Read { extracted: it.extracted, transactions: it.transactions });
    (sample, read, began.elapsed())
}

/// A file in memory.
struct InMemory(Option<Vec<u8>>);

impl FileContent for InMemory {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
        Box::pin(std::future::ready(Ok(self.0.take())))
    }
}

/// Correct and expected fields of a group of documents.
#[derive(Default, Clone, Copy)]
struct Tally {
    documents: usize,
    right: usize,
    all: usize,
}

impl Tally {
    fn add(&mut self, score: &Score) {
        self.documents += 1;
        self.right += score.right;
        self.all += score.all;
    }

    fn share(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.right as f64 / self.all as f64 }
    }
}

/// Returns the class of a form and its accuracy goal.
fn class(form: Form) -> (&'static str, f64) {
    match form {
        Form::TextPdf => ("text PDF", 0.99),
        Form::ScannedPdf | Form::Png | Form::Tiff => ("scan", 0.95),
        Form::Photo => ("photo", 0.90),
    }
}

/// Prints the tables and returns true if every goal is met.
fn report(rows: &[(Sample, Score, Duration)]) -> bool {
    let mut tables: BTreeMap<(&str, String), BTreeMap<&str, Tally>> = BTreeMap::new();
    let mut goals: BTreeMap<&str, (Tally, f64)> = BTreeMap::new();
    for (sample, score, _) in rows {
        let (class, goal) = class(sample.form);
        let whose = if sample.layout.is_held_out() { "held-out layouts" } else { "known layouts" };
        let kind = sample.truth.kind.as_str().to_owned();
        for (table, row) in [("kinds", kind), ("layouts", sample.layout.name()), ("all", whose.to_owned())] {
            tables.entry((table, row)).or_default().entry(class).or_default().add(score);
        }
        let (tally, _) = goals.entry(class).or_insert((Tally::default(), goal));
        tally.add(score);
    }
    println!("{:<22}{:>22}{:>22}{:>22}", "", "text PDF", "scan", "photo");
    let mut last = "";
    for ((table, row), cells) in &tables {
        if *table != last {
            println!("-- by {table}");
            last = table;
        }
        let cell = |class| {
            cells.get(class).map_or(String::new(), |tally: &Tally| {
                format!("{:.1} % of {:>5} ({:>2})", tally.share() * 100.0, tally.all, tally.documents)
            })
        };
        println!("{row:<22}{:>22}{:>22}{:>22}", cell("text PDF"), cell("scan"), cell("photo"));
    }
    let mut met = true;
    for (class, (tally, goal)) in &goals {
        let ok = tally.share() >= *goal;
        met &= ok;
        let (share, goal, word) = (tally.share() * 100.0, goal * 100.0, if ok { "met" } else { "MISSED" });
        println!(
            "{class}: {share:.2} % of {} fields in {} documents; goal {goal:.0} %: {word}",
            tally.all, tally.documents
        );
    }
    met &= calibration::report(rows.iter().map(|(sample, score, _)| (sample.layout.is_held_out(), score)));
    let seconds: f64 = rows.iter().map(|(_, _, took)| took.as_secs_f64()).sum();
    println!("{} documents, {:.1} s each on average", rows.len(), seconds / rows.len().max(1) as f64);
    met
}

/// The number of scans that are read for [`speed`].
const TIMED: usize = 20;
/// The maximum time for a page, in times of Tesseract alone.
const MAX_RATIO: f64 = 1.3;

/// Reads scans with Tesseract alone and then as the service does, in turns, and prints the ratio. It does not decide whether the
/// bench succeeds, because it differs between machines.
fn speed(child: &ChildReader, plans: &[Plan]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mut alone, mut read) = (Duration::ZERO, Duration::ZERO);
    let scans: Vec<&Plan> = plans.iter().filter(|plan| plan.is_scan()).take(TIMED).collect();
    let tesseract = Tesseract::default();
    for plan in &scans {
        let bytes = plan.draw().bytes;
        let began = Instant::now();
        let mut process = std::process::Command::new(&tesseract.program)
            .args(["stdin", "stdout", "-l", &tesseract.languages])
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut process.stdin.take().unwrap(), &bytes).unwrap();
        assert!(process.wait().unwrap().success(), "Tesseract reads the scan");
        alone += began.elapsed();
        read += runtime.block_on(by_child(plan, child)).2;
    }
    if scans.is_empty() {
        return;
    }
    let ratio = read.as_secs_f64() / alone.as_secs_f64();
    let word = if ratio <= MAX_RATIO { "met" } else { "MISSED" };
    let each = |time: Duration| time.as_secs_f64() / scans.len() as f64;
    println!(
        "{} scans: {:.2} s each, Tesseract alone {:.2} s: {ratio:.2} times; goal {MAX_RATIO}: {word}",
        scans.len(),
        each(read),
        each(alone)
    );
}
