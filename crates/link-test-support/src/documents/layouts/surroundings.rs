//! Texts around the labeled values: letterhead, footer, stamp.

use super::layout::Style;
use super::look::Look;
use crate::documents::draw::Draw;
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Country, Truth};

/// Returns the height of the letterhead above the issuer.
pub(super) fn letterhead_height(look: &Look) -> f32 {
    if look.style == Style::YearToDate && !look.card { look.size * 3.0 } else { 0.0 }
}

/// Puts what surrounds the labeled values.
pub(super) fn put(sheets: &mut [Sheet], truth: &Truth, look: &Look, draw: &mut Draw) {
    let spanish = truth.country == Country::Mx;
    let small = look.size * 0.8;
    match look.style {
        Style::YearToDate => {
            let mut text =
                format!("{} {}", if spanish { "Tel. 55 5000" } else { "Tel. (02) 8000" }, draw.digits(4));
            // Otherwise, it would be the number of the document.
            if truth.expected.iter().any(|(name, _)| *name == "documentNumber") {
                let label = if spanish { "Folio" } else { "Control No." };
                text = format!("{text}   {label} {}", draw.digits(7));
            }
            sheets[0].put(look.margin, look.margin, small, look.plain, &text);
        }
        Style::YearToDateFirst => {
            let all = sheets.len();
            for (at, sheet) in sheets.iter_mut().enumerate() {
                let page = at + 1;
                let text = if spanish {
                    format!("Impreso el 03/01/2027 08:15   Página {page} de {all}")
                } else {
                    format!("Printed 01/03/2027 08:15   Page {page} of {all}")
                };
                sheet.put(look.margin, look.height - 18.0, small, look.plain, &text);
            }
        }
        Style::SideBySide => {
            let (x, y) = (look.width * 0.66, look.height - 60.0);
            let lines = if spanish {
                ["RECIBIDO", "04 ENE 2027", "Recursos Humanos"]
            } else {
                ["RECEIVED", "04 JAN 2027", "Human Resources"]
            };
            for (at, line) in (0_u8..).zip(lines) {
                sheets[0].put(x, y + small * 1.4 * f32::from(at), small, look.bold, line);
            }
        }
        Style::Plain | Style::Rates => {}
    }
}
