//! The portal's pages as data. Whatever is not as expected is none: a portal that was rebuilt gives no wrong data.

use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

/// What the page that asks for a code says.
pub struct CodePage {
    /// Sent back with every form.
    pub token: String,
    /// Where the code went, masked.
    pub phone: String,
    /// Tries left.
    pub tries: u8,
}

/// The hidden field of the first form.
pub fn token(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    let field = page.select(&selector("form input[name=token]")?).next()?;
    field.value().attr("value").map(str::to_owned)
}

/// What the page warns of.
pub fn alert(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("[role=alert]")?).next().map(text)
}

/// The page that asks for a code.
pub fn code_page(page: &str) -> Option<CodePage> {
    let token = token(page)?;
    let page = Html::parse_document(page);
    let phone = text(page.select(&selector("#telefono")?).next()?);
    let tries = text(page.select(&selector("#intentos")?).next()?).parse().ok()?;
    Some(CodePage { token, phone, tries })
}

/// The start page: who the person is.
pub fn identity(page: &str) -> Option<Value> {
    let page = Html::parse_document(page);
    let (names, values) = (selector("dl dt")?, selector("dl dd")?);
    let facts: Vec<_> = page.select(&names).map(text).zip(page.select(&values).map(text)).collect();
    let fact = |name: &str| facts.iter().find(|(it, _)| it == name).map(|(_, fact)| fact.as_str());
    Some(json!({
        "fullName": fact("Nombre")?,
        "referenceId": fact("Número")?,
        "dob": day(fact("Nacimiento")?)?,
        "emails": [{"address": fact("Correo")?, "type": "PRIMARY"}],
    }))
}

/// The page of jobs.
pub fn employments(page: &str) -> Option<Vec<Value>> {
    let job = |cells: [String; 4]| {
        let [employer, title, from, to] = cells;
        let (status, to) = if to.is_empty() { ("ACTIVE", None) } else { ("ENDED", Some(day(&to)?)) };
        Some(json!({
            "employer": employer, "jobTitle": title, "status": status, "startDate": day(&from)?, "endDate": to,
        }))
    };
    rows(page, "#empleos")?.into_iter().map(job).collect()
}

/// A page of contributions.
pub fn contributions(page: &str) -> Option<Vec<Value>> {
    let contribution = |cells: [String; 3]| {
        let [date, amount, reference] = cells;
        Some(json!({
            "date": day(&date)?, "currency": "MXN", "amount": pesos(&amount)?, "referenceId": reference,
        }))
    };
    rows(page, "#aportaciones")?.into_iter().map(contribution).collect()
}

/// The address of the next page.
pub fn next(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("a[rel=next]")?).next()?.value().attr("href").map(str::to_owned)
}

/// The rows of a table that is there and whose rows all have so many cells.
fn rows<const CELLS: usize>(page: &str, table: &str) -> Option<Vec<[String; CELLS]>> {
    let page = Html::parse_document(page);
    let table = page.select(&selector(table)?).next()?;
    let (row, cell) = (selector("tbody tr")?, selector("td")?);
    table.select(&row).map(|row| row.select(&cell).map(text).collect::<Vec<_>>().try_into().ok()).collect()
}

fn selector(text: &str) -> Option<Selector> {
    Selector::parse(text).ok()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

/// `24/05/1990` as `1990-05-24`.
fn day(text: &str) -> Option<String> {
    let parts: Vec<_> = text.split('/').collect();
    match parts.as_slice() {
        [day, month, year] => Some(format!("{year}-{month}-{day}")),
        _ => None,
    }
}

/// `$1,251.30` as a number.
fn pesos(text: &str) -> Option<f64> {
    text.strip_prefix('$')?.replace(',', "").parse().ok()
}
