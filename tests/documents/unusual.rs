//! Valid one-page PDFs with unusual stream encodings and spellings.

use link_test_support::bad_files::deflated;
use link_test_support::bad_files::pdf::{hex, letters_85, lzw_bomb, whole, with_stream};

/// Returns the names and bytes of the PDFs.
pub fn unusual_pdfs() -> Vec<(&'static str, Vec<u8>)> {
    let text = b"BT ET\n".repeat(2_000);
    let packed = deflated(&text);
    vec![
        ("another name", with_stream("/Filter/Fl#61teDecode", &packed)),
        ("short names", with_stream("/Filter[/A85/Fl]", letters_85(&packed).as_bytes())),
        ("hex", with_stream("/Filter[/AHx/Fl]", hex(&packed).as_bytes())),
        ("twice", with_stream("/Filter[/Fl/Fl]", &deflated(&packed))),
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
