//! Lookups by institutions, without a login: reports by CURP, which take a while, and estimates by email address.

use std::collections::HashMap;

use axum::extract::{Form, Path, State};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::pages;
use super::people::{PEOPLE, Person};
use super::site::Portal;

/// Response of the portal for an unknown person.
const NOTHING: &str = "Sin registros";

/// A requested report.
#[derive(Clone)]
struct Lookup {
    person: Option<&'static Person>,
    is_ready: bool,
}

/// The requested reports, by the institution's reference.
#[derive(Default)]
pub struct Lookups(HashMap<String, Lookup>);

impl Lookups {
    /// Finishes every report that was requested.
    pub fn finish(&mut self) {
        self.0.values_mut().for_each(|lookup| lookup.is_ready = true);
    }
}

#[derive(Deserialize)]
pub struct Asked {
    referencia: String,
    curp: String,
}

/// Requests a report. The same reference is the same report.
pub async fn ask(State(portal): State<Portal>, Form(asked): Form<Asked>) -> Response {
    let person = PEOPLE.iter().find(|it| it.curp == asked.curp);
    let to = format!("/consulta/{}", asked.referencia);
    portal.lookups().0.entry(asked.referencia).or_insert(Lookup { person, is_ready: false });
    Redirect::to(&to).into_response()
}

/// Shows a report.
pub async fn show(State(portal): State<Portal>, Path(reference): Path<String>) -> Response {
    let lookup = portal.lookups().0.get(&reference).cloned();
    let page = match lookup {
        None => pages::report_state("Referencia desconocida"),
        Some(Lookup { is_ready: false, .. }) => pages::report_state("En proceso"),
        Some(Lookup { person, .. }) => match person.and_then(|it| Some((it, it.report.as_ref()?))) {
            Some((person, report)) => pages::report(person, report),
            None => pages::report_state(NOTHING),
        },
    };
    Html(page).into_response()
}

#[derive(Deserialize)]
pub struct AskedIncome {
    correo: String,
}

/// Shows an estimate.
pub async fn income(Form(asked): Form<AskedIncome>) -> Response {
    let person = PEOPLE.iter().find(|it| it.email == asked.correo);
    match person.and_then(|it| it.report.as_ref()) {
        Some(report) => Html(pages::income(report)).into_response(),
        None => Html(pages::report_state(NOTHING)).into_response(),
    }
}
