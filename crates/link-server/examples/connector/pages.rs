//! Parses the portal's pages. The functions return `None` for a page with an unexpected structure, so a redesigned
//! portal never yields wrong data.

use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

/// The contents of the page that asks for a code.
pub struct CodePage {
    /// A token that every form must contain.
    pub token: String,
    /// The phone number to which the code was sent, masked.
    pub phone: String,
    /// The number of tries left.
    pub tries: u8,
}

/// Returns the hidden token of the first form.
pub fn token(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    let field = page.select(&selector("form input[name=token]")?).next()?;
    field.value().attr("value").map(str::to_owned)
}

/// Returns the page's error message.
pub fn alert(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("[role=alert]")?).next().map(text)
}

/// Parses the page that asks for a code.
pub fn code_page(page: &str) -> Option<CodePage> {
    let token = token(page)?;
    let page = Html::parse_document(page);
    let phone = text(page.select(&selector("#telefono")?).next()?);
    let tries = text(page.select(&selector("#intentos")?).next()?).parse().ok()?;
    Some(CodePage { token, phone, tries })
}

/// Parses the start page, which shows the person's identity.
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

/// Returns the name of the certificate of contributions, if the start page links to it.
pub fn certificate(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("#constancia")?).next().map(text)
}

/// Returns the state of a report or estimate.
pub fn report_state(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("#estado")?).next().map(text)
}

/// Returns a fact of a report or estimate by its name.
pub fn fact(page: &str, name: &str) -> Option<String> {
    let page = Html::parse_document(page);
    let (names, values) = (selector("dl dt")?, selector("dl dd")?);
    page.select(&names)
        .map(text)
        .zip(page.select(&values).map(text))
        .find(|(it, _)| it == name)
        .map(|it| it.1)
}

/// Parses the page of jobs.
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

/// Parses a page of contributions.
pub fn contributions(page: &str) -> Option<Vec<Value>> {
    let contribution = |cells: [String; 3]| {
        let [date, amount, reference] = cells;
        Some(json!({
            "date": day(&date)?, "currency": "MXN", "amount": pesos(&amount)?, "referenceId": reference,
        }))
    };
    rows(page, "#aportaciones")?.into_iter().map(contribution).collect()
}

/// Returns the path of the next page.
pub fn next(page: &str) -> Option<String> {
    let page = Html::parse_document(page);
    page.select(&selector("a[rel=next]")?).next()?.value().attr("href").map(str::to_owned)
}

/// Returns the rows of a table. Returns `None` if the table is missing, or a row has another number of cells.
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

/// Converts `24/05/1990` to `1990-05-24`.
fn day(text: &str) -> Option<String> {
    let parts: Vec<_> = text.split('/').collect();
    match parts.as_slice() {
        [day, month, year] => Some(format!("{year}-{month}-{day}")),
        _ => None,
    }
}

/// Parses `$1,251.30`.
fn pesos(text: &str) -> Option<f64> {
    text.strip_prefix('$')?.replace(',', "").parse().ok()
}
