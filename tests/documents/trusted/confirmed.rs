//! Values that cannot be compared with the drawn page: Tesseract fails, or it is late.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use link_documents::{Tesseract, reading};
use link_test_support::documents::pdf::draw_pdf;
use link_types::archive::{Extraction, ExtractionFaultCode, FileFormat};

use super::{PAYSLIP, SURE, plainly};

/// Returns the data of the payslip, compared by this program for some seconds.
fn compare(program: &str, seconds: u64) -> Extraction {
    let usual = Tesseract::default();
    let soon = Instant::now() + Duration::from_secs(60);
    let file = (FileFormat::Pdf, draw_pdf(&[plainly(&PAYSLIP)]));
    let read = reading::pages(vec![file], &usual, soon).unwrap();
    let tesseract = Tesseract { program: program.to_owned(), ..usual };
    let until = Instant::now() + Duration::from_secs(seconds);
    reading::findings(&read, &tesseract, until).unwrap().extracted.first
}

/// Returns the confidences of the values that have a place on the page.
fn confidences(extraction: &Extraction) -> Vec<f64> {
    extraction.fields.iter().filter(|it| it.area.is_some()).map(|it| it.confidence).collect()
}

#[test]
fn values_that_are_not_compared_are_not_sure() {
    let usual = Tesseract::default().program;
    let surest = |extraction: &Extraction| confidences(extraction).into_iter().fold(0.0, f64::max);
    for (how, program, seconds) in [("late", usual.as_str(), 0), ("failed", "/usr/bin/false", 60)] {
        let extraction = compare(program, seconds);
        assert!((0.9..SURE).contains(&surest(&extraction)), "{how}: {extraction:?}");
        assert_eq!(extraction.faults, [], "{how}");
    }
    for (how, program) in [("compared", usual.as_str()), ("without Tesseract", "/usr/bin/missing")] {
        assert!(surest(&compare(program, 60)) >= SURE, "{how}");
    }
}

#[test]
fn values_that_differ_stay_doubted_if_tesseract_fails() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(std::process::id().to_string());
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("once");
    fs::write(&program, "#!/bin/sh\n[ -e \"$0.ran\" ] && exit 1\n: > \"$0.ran\"\n").unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let extraction = compare(program.to_str().unwrap(), 60);
    fs::remove_dir_all(&folder).unwrap();
    assert!(confidences(&extraction).iter().all(|sure| *sure < 0.5), "{extraction:?}");
    let fault = extraction.faults.iter().find(|it| it.code == ExtractionFaultCode::SeveralValues).unwrap();
    assert!(fault.fields.contains(&"employeeNumber".to_owned()), "{fault:?}");
}
