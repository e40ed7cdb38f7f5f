//! PDFs that are truncated, encrypted, joined with other formats, or built to exhaust the reader.

use link_types::archive::FileFault::{Damaged, Encrypted, ExtraBytes, TooManyPages, TooManyPixels};

use super::parts::{BadFile, bad, bomb, deflate, zip};

pub(super) fn files() -> Vec<BadFile> {
    let whole = whole();
    let glued = |tail: &[u8]| [whole.as_slice(), tail].concat();
    vec![
        bad("header-only.pdf", Damaged, "%PDF-1.7\n"),
        bad("cut.pdf", Damaged, &whole[..whole.len() / 2]),
        bad(
            "no-pages.pdf",
            Damaged,
            document(&["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"], ""),
        ),
        bad("nonsense.pdf", Damaged, "%PDF-1.7\nnothing of the kind\n%%EOF\n"),
        bad("bytes-before.pdf", ExtraBytes, [b"MZ\x90\0 a program\n", whole.as_slice()].concat()),
        bad("pdf-and-zip.pdf", ExtraBytes, glued(&zip())),
        bad("zip-inside.pdf", ExtraBytes, {
            let mut bytes = glued(&zip());
            let comment = b"\n%%EOF\n";
            let end = bytes.len();
            bytes[end - 2] = comment.len() as u8;
            bytes.extend(comment);
            bytes
        }),
        bad("pdf-and-program.pdf", ExtraBytes, glued(b"\x7FELF\x02\x01\x01\0")),
        bad("html-inside.pdf", ExtraBytes, {
            let text = String::from_utf8(whole.clone()).unwrap();
            text.replacen("%PDF-1.7\n", "%PDF-1.7\n%<script>alert(1)</script>\n", 1)
        }),
        bad("encrypted.pdf", Encrypted, encrypt()),
        bad("10000-pages.pdf", TooManyPages, pages(10_000)),
        bad("31-pages.pdf", TooManyPages, pages(31)),
        bad(
            "page-tree-cycle.pdf",
            Damaged,
            document(
                &[
                    "<</Type/Catalog/Pages 2 0 R>>",
                    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                    "<</Type/Pages/Kids[2 0 R]/Count 1>>",
                ],
                "",
            ),
        ),
        bad("deep-nesting.pdf", Damaged, {
            let deep = format!("<</Type/Catalog/Pages {}{}>>", "[".repeat(200_000), "]".repeat(200_000));
            document(&[&deep], "")
        }),
        bad("bomb.pdf", Damaged, with_stream("/Filter/FlateDecode", &bomb(130))),
        bad("nested-streams.pdf", Damaged, {
            let twice = deflate(&bomb(130));
            with_stream("/Filter[/FlateDecode/FlateDecode]", &twice)
        }),
        bad("bomb-by-another-name.pdf", Damaged, with_stream("/Filter/Flate#44ecode", &bomb(130))),
        bad("bomb-by-a-short-name.pdf", Damaged, with_stream("/Filter[/Fl\n]", &bomb(130))),
        bad("bomb-by-a-key-of-files.pdf", Damaged, with_stream("/F/Fl/Filter/DCTDecode", &bomb(130))),
        bad("bomb-behind-a-long-dictionary.pdf", Damaged, {
            with_stream(&format!("/Filter/FlateDecode/Note({})", "long ".repeat(4_000)), &bomb(130))
        }),
        bad("bomb-without-a-head.pdf", Damaged, with_stream("/Filter/FlateDecode", &bomb(130)[2..])),
        bad("bomb-behind-a-fault.pdf", Damaged, {
            // A block of an unknown type: the parser continues after it.
            with_stream("/Filter/FlateDecode", &[b"\x78\x01\0\0\0\0\0", &bomb(130)[2..]].concat())
        }),
        bad("bomb-in-hex.pdf", Damaged, {
            with_stream("/Filter[/ASCIIHexDecode/FlateDecode]", hex(&bomb(130)).as_bytes())
        }),
        bad("bomb-in-hex-twice.pdf", Damaged, {
            let letters = hex(hex(&bomb(130)).as_bytes());
            with_stream("/Filter[/AHx/AHx/Fl]", letters.as_bytes())
        }),
        bad("bomb-in-letters.pdf", Damaged, {
            with_stream("/Filter[/ASCII85Decode/FlateDecode]", letters_85(&bomb(130)).as_bytes())
        }),
        bad("bomb-in-an-object-elsewhere.pdf", Damaged, {
            let mut bytes = with_stream("/Filter 8 0 R", &bomb(130)[2..]);
            bytes.splice(9..9, *b"8 0 obj\n[/FlateDecode]\nendobj\n");
            bytes
        }),
        bad("bomb-of-runs.pdf", Damaged, with_stream("/Filter/RL", &[0x81, b' '].repeat(1_020_000))),
        bad("bomb-of-lzw.pdf", Damaged, with_stream("/Filter/L#5aWDecode", &lzw_bomb(500_000))),
        bad("bomb-of-runs-and-flate.pdf", Damaged, with_stream("/Filter[/RL/Fl]", b"\0 \x80")),
        bad(
            "picture-unfolded-once-more.pdf",
            Damaged,
            with_stream("/Filter[/DCTDecode/Fl]", b"\xFF\xD8\xFF"),
        ),
        bad("streams-in-one-another.pdf", Damaged, streams_in_one_another()),
        bad("keywords.pdf", Damaged, {
            let mut bytes = whole.clone();
            bytes.splice(9..9, b"stream\n".repeat(2_000_000));
            bytes
        }),
        bad("many-bombs.pdf", Damaged, {
            let packed = bomb(90);
            let mut bytes = with_stream("/Filter/FlateDecode", &packed);
            for number in 10..16 {
                let object = stream(number, "/Filter/FlateDecode", &packed);
                bytes.splice(9..9, object);
            }
            bytes
        }),
        bad(
            "ten-filters.pdf",
            Damaged,
            with_stream(
                &format!("/Filter[{}]", "/FlateDecode".repeat(10)),
                &(0..10).fold(b"BT ET".to_vec(), |data, _| deflate(&data)),
            ),
        ),
        bad(
            "50000-pixels.pdf",
            TooManyPixels,
            with_stream(
                "/Type/XObject/Subtype/Image/Width 50000/Height 50000/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode",
                &deflate(&[0; 1_000]),
            ),
        ),
    ]
}

/// Returns a PDF with one empty page.
pub fn whole() -> Vec<u8> {
    pages(1)
}

fn pages(count: usize) -> Vec<u8> {
    let kids: String = (0..count).map(|page| format!("{} 0 R ", page + 3)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}>>"),
    ];
    objects.extend((0..count).map(|_| "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>".to_owned()));
    document(&objects, "")
}

/// Returns a PDF with one page that has this content stream.
pub fn with_stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = document(
        &[
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 9 0 R>>",
        ],
        "",
    );
    bytes.splice(9..9, stream(9, entries, data));
    bytes
}

fn stream(number: u32, entries: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("{number} 0 obj\n<<{entries}/Length {}>>\nstream\n", data.len()).into_bytes();
    object.extend(data);
    object.extend(b"\nendstream\nendobj\n");
    object
}

/// Encodes bytes as ASCIIHex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Encodes bytes as ASCII85.
pub fn letters_85(bytes: &[u8]) -> String {
    let groups = bytes.chunks(4).flat_map(|group| {
        let mut four = [0; 4];
        four[..group.len()].copy_from_slice(group);
        let value = u32::from_be_bytes(four);
        [4, 3, 2, 1, 0].map(|place| char::from((value / 85_u32.pow(place) % 85) as u8 + b'!'))
    });
    groups.collect::<String>() + "~>"
}

/// Returns `codes` LZW codes, each for the longest run of a byte in the table so far.
pub fn lzw_bomb(codes: usize) -> Vec<u8> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for at in 0..codes {
        // The table grows by one entry per code, up to 4095; the newest entry is the longest.
        let code = if at == 0 { 65 } else { (257 + at).min(4095) as u32 };
        let width = match 257 + at {
            2047.. => 12,
            1023.. => 11,
            511.. => 10,
            _ => 9,
        };
        (held, bits) = (held << width | code, bits + width);
        while bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes
}

/// Streams that all end at the same place, so that each contains all later ones.
fn streams_in_one_another() -> Vec<u8> {
    let mut bytes = whole();
    let objects = 10_000;
    let mut streams = Vec::new();
    for number in 0..objects {
        streams.extend(format!("{} 0 obj<<>>stream\n", number + 9).bytes());
    }
    streams.extend(b"endstream endobj\n");
    bytes.splice(9..9, streams);
    bytes
}

fn encrypt() -> Vec<u8> {
    let lock = "<</Filter/Standard/V 2/R 3/Length 128/P -3904/O<5555555555555555555555555555555555555555555555555555555555555555>\
                /U<6666666666666666666666666666666666666666666666666666666666666666>>>";
    document(
        &[
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>",
            lock,
        ],
        "/Encrypt 4 0 R/ID[<31313131313131313131313131313131><31313131313131313131313131313131>]",
    )
}

fn document(objects: &[impl AsRef<str>], trailer: &str) -> Vec<u8> {
    let mut text = "%PDF-1.7\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (index, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", text.len());
        text += &format!("{} 0 obj\n{}\nendobj\n", index + 1, object.as_ref());
    }
    let start = text.len();
    text += &format!(
        "{table}trailer\n<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    text.into_bytes()
}
