//! Inspection rejects each bad file with its fault, and accepts unusual but valid PDFs.

use std::time::{Duration, Instant};

use link_documents::inspection::inspect;
use link_domain::documents::document_reader::Inspection;
use link_test_support::bad_files::pdf::{hex, letters_85, lzw_bomb, whole, with_stream};
use link_test_support::bad_files::{bad_files, deflate};
use link_types::archive::FileFormat;

/// Returns the names and bytes of valid one-page PDFs with unusual stream encodings and spellings.
fn unusual_pdfs() -> Vec<(&'static str, Vec<u8>)> {
    let text = b"BT ET\n".repeat(2_000);
    let packed = deflate(&text);
    vec![
        ("another name", with_stream("/Filter/Fl#61teDecode", &packed)),
        ("short names", with_stream("/Filter[/A85/Fl]", letters_85(&packed).as_bytes())),
        ("hex", with_stream("/Filter[/AHx/Fl]", hex(&packed).as_bytes())),
        ("twice", with_stream("/Filter[/Fl/Fl]", &deflate(&packed))),
        ("without a head", with_stream("/Filter/FlateDecode", &packed[2..packed.len() - 4])),
        ("cut", with_stream("/Filter/FlateDecode", &packed[..packed.len() / 2])),
        ("a small fault", with_stream("/Filter/FlateDecode", &[&packed[..20], &[0xFF; 40]].concat())),
        ("LZW", with_stream("/Filter/LZWDecode", &lzw_bomb(4_000))),
        ("runs", with_stream("/Filter/RunLengthDecode", b"\x81 \x81 \x80")),
        ("filters in a separate object", {
            let mut bytes = with_stream("/Filter 8 0 R", &packed);
            bytes.splice(9..9, *b"8 0 obj\n/FlateDecode\nendobj\n");
            bytes
        }),
        ("keywords of no streams", {
            let mut bytes = whole();
            bytes.splice(9..9, [b"%".as_slice(), &b"stream".repeat(2_400_000), b"\n"].concat());
            bytes
        }),
    ]
}

#[test]
fn inspection_rejects_each_bad_file_with_its_fault() {
    let files = bad_files();
    assert!(files.len() >= 30);
    let wrong: Vec<String> = files
        .iter()
        .map(|file| (file, inspect(&file.bytes)))
        .filter(|(file, found)| *found != Err(file.fault))
        .map(|(file, found)| format!("{}: {found:?} instead of {:?}", file.name, file.fault))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn inspection_accepts_unusual_pdf_streams() {
    for (name, bytes) in unusual_pdfs() {
        let began = Instant::now();
        let found = inspect(&bytes);
        assert_eq!(found, Ok(Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 }), "{name}");
        // Inspection makes a few passes over the bytes. Looking back from every keyword took minutes.
        assert!(began.elapsed() < Duration::from_secs(30), "{name}: {:?}", began.elapsed());
    }
}
