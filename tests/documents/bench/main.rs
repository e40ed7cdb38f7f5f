//! `cargo xtask bench ocr` and the document generators, as one program:
//!
//! ```text
//! documents bench [--count N] [--seed S] [--form F] [--kind K] [--layout L] [--known] [--misses]
//! documents make DIR [the same choices]     writes documents and their expected fields
//! documents bad DIR                         writes the bad files
//! documents samples DIR                     writes the sandbox's sample documents
//! documents inspect FILE...                 prints the result of inspecting files
//! documents read FILE...                    prints the fields of files, with their confidence
//! ```
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

mod calibration;
mod choices;
mod run;
mod samples;
mod score;

use std::path::Path;
use std::time::{Duration, Instant};

use choices::Choices;
use link_documents::{Tesseract, reading};
use link_domain::data::batch::Extracted;
use link_test_support::bad_files::bad_files;
use link_test_support::documents;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["child"] => {
            std::process::exit(i32::from(link_documents::child::run() != std::process::ExitCode::SUCCESS))
        }
        ["bench", rest @ ..] => run::bench(&Choices::parse(rest)),
        ["make", folder, rest @ ..] => make(Path::new(folder), &Choices::parse(rest)),
        ["bad", folder] => {
            for file in bad_files() {
                write(Path::new(folder), file.name, &file.bytes);
                println!("{}\t{}", file.name, file.fault.as_str());
            }
        }
        ["samples", folder] => {
            for (name, bytes) in samples::samples() {
                write(Path::new(folder), name, &bytes);
            }
        }
        ["inspect", files @ ..] => {
            for file in files {
                let began = Instant::now();
                let found = link_documents::inspection::inspect(&std::fs::read(file).unwrap());
                println!("{file}\t{found:?}\t{} ms", began.elapsed().as_millis());
            }
        }
        ["read", files @ ..] => files.iter().for_each(|file| read(file)),
        _ => eprintln!("documents bench | make DIR | bad DIR | samples DIR | inspect FILE... | read FILE..."),
    }
}

fn make(folder: &Path, choices: &Choices) {
    for plan in choices.plans() {
        let sample = plan.draw();
        let extension = documents::extension(sample.form.format());
        write(folder, &format!("{}.{extension}", sample.name), &sample.bytes);
        let says: String =
            sample.truth.expected.iter().map(|(name, value)| format!("{name}\t{value}\n")).collect();
        write(folder, &format!("{}.txt", sample.name), says.as_bytes());
    }
}

/// Reads one file in this process.
fn read(file: &str) {
    let bytes = std::fs::read(file).unwrap();
    let format = match link_documents::inspection::inspect(&bytes) {
        Ok(found) => found.format,
        Err(fault) => return println!("== {file}: {}", fault.as_str()),
    };
    let until = Instant::now() + Duration::from_secs(600);
    let tesseract = Tesseract::default();
    let pages = reading::pages(vec![(format, bytes)], &tesseract, until);
    let Some(findings) = pages.ok().and_then(|read| reading::findings(&read, &tesseract, until).ok()) else {
        return println!("== {file}: not read");
    };
    let Extracted { first, further } = findings.extracted;
    for extraction in std::iter::once(first).chain(further) {
        println!("== {file}: {}, pages {:?}", extraction.document_type.as_str(), extraction.pages);
        for field in extraction.fields {
            let is_faulty = extraction.faults.iter().any(|fault| fault.fields.contains(&field.name));
            let mark = if is_faulty { "\tfault" } else { "" };
            println!("{:.2}\t{}\t{}\tpage {}{mark}", field.confidence, field.name, field.value, field.page);
        }
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
}
