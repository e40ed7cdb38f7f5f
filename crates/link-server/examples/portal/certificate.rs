//! The certificate of contributions, a PDF file of one page.

use super::people::{Person, contributions};

/// Returns a person's certificate.
pub fn pdf(person: &Person) -> Vec<u8> {
    let months = contributions().len();
    let lines = ["Constancia de aportaciones", person.name, person.number, &format!("{months} aportaciones")];
    let shown: String = lines.iter().map(|line| format!("({}) Tj T*\n", escape(line))).collect();
    let content = format!("BT /F 14 Tf 24 TL 72 740 Td\n{shown}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.chars().count()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let (mut file, mut offsets) = (String::from("%PDF-1.7\n"), String::new());
    for (index, object) in objects.iter().enumerate() {
        offsets.push_str(&format!("{:010} 00000 n \n", file.chars().count()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let (start, size) = (file.chars().count(), objects.len() + 1);
    file.push_str(&format!(
        "xref\n0 {size}\n0000000000 65535 f \n{offsets}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    // One byte for each character: the font's encoding is Latin-1 for the letters that the names have.
    file.chars().map(|it| u8::try_from(u32::from(it)).unwrap_or(b'?')).collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)")
}
