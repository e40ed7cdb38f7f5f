//! Records and signals: queries about a person without a login.
//!
//! The portal prepares a report for a while. Its reference is the request's id, so that a repeated request does not
//! order a second report, and it is also the name of the task.

use serde_json::{Value, json};

use super::pages;
use super::portal::{Portal, PortalError, Shown};

/// The wait before the service asks for a report again, in seconds.
const WAIT: u32 = 1;

/// Handles `POST /linchpin/v1/record`.
pub fn record(portal: &Portal, message: &Value) -> Option<Value> {
    let (reference, day) = (message["requestId"].as_str()?, message["at"].as_str()?.get(..10)?);
    let curp = message["request"]["curp"].as_str()?;
    Some(
        order_report(portal, reference, curp)
            .map_or_else(unavailable, |report| record_of(report, reference, day)),
    )
}

/// Handles `GET /linchpin/v1/record/{taskId}`.
pub fn record_task(portal: &Portal, task: &Value) -> Option<Value> {
    let task = task.as_str()?;
    let (day, reference) = task.split_once('_')?;
    Some(report(portal, reference).map_or_else(unavailable, |report| record_of(report, reference, day)))
}

/// Handles `POST /linchpin/v1/signal`.
pub fn signal(portal: &Portal, message: &Value) -> Option<Value> {
    let (reference, request) = (message["requestId"].as_str()?, &message["request"]);
    let response = match message["signal"].as_str()? {
        "SOCIAL_SECURITY_SIGNAL" => order_report(portal, reference, request["curp"].as_str()?)
            .map(|report| signal_of(report, reference)),
        "INCOME_ESTIMATOR" => income(portal, request["emailAddress"].as_str()?),
        _ => return None,
    };
    Some(response.unwrap_or_else(unavailable))
}

/// Handles `GET /linchpin/v1/signal/{taskId}`.
pub fn signal_task(portal: &Portal, task: &Value) -> Option<Value> {
    let reference = task.as_str()?;
    Some(report(portal, reference).map_or_else(unavailable, |report| signal_of(report, reference)))
}

/// A report of the portal.
enum Report {
    Ready(String),
    Pending,
    Empty,
    Unknown,
}

/// Orders a report, or finds the one with the same reference.
fn order_report(portal: &Portal, reference: &str, curp: &str) -> Result<Report, PortalError> {
    match portal.visit("").send("/consulta", &[("referencia", reference), ("curp", curp)])? {
        Shown::Redirect(_) => report(portal, reference),
        Shown::Page(_) => Err(PortalError),
    }
}

fn report(portal: &Portal, reference: &str) -> Result<Report, PortalError> {
    let page = match portal.visit("").open(&format!("/consulta/{reference}"))? {
        Shown::Page(page) => page,
        Shown::Redirect(_) => return Err(PortalError),
    };
    match pages::report_state(&page).as_deref() {
        Some("Listo") => Ok(Report::Ready(page)),
        Some("En proceso") => Ok(Report::Pending),
        Some("Sin registros") => Ok(Report::Empty),
        Some("Referencia desconocida") => Ok(Report::Unknown),
        Some(_) | None => Err(PortalError),
    }
}

/// Converts a report to a record. The day of the request is part of the task's name, because the connector stores
/// nothing.
fn record_of(report: Report, reference: &str, day: &str) -> Value {
    respond(report, &format!("{day}_{reference}"), |page| {
        let fact = |name| pages::fact(page, name);
        Some(json!({"result": {
            "fullName": fact("Nombre")?,
            "curp": fact("CURP")?,
            "nss": fact("NSS")?,
            "reportDate": day,
            "employerName": fact("Patrón")?,
            "employerRegistration": fact("Registro patronal")?,
            "state": fact("Estado")?,
            "contributionDays": fact("Días cotizados")?.parse::<u32>().ok()?,
            "contributionBaseAmount": fact("Salario base")?.parse::<f64>().ok()?,
            "currency": "MXN",
        }}))
    })
}

fn signal_of(report: Report, reference: &str) -> Value {
    respond(report, reference, |page| {
        let fact = |name| pages::fact(page, name);
        Some(json!({"items": {
            "registered": true,
            "employed": !fact("Patrón")?.is_empty(),
            "employers60Months": fact("Patrones")?.parse::<u32>().ok()?,
            "contributionWeeks": fact("Días cotizados")?.parse::<u32>().ok()? / 7,
        }}))
    })
}

fn respond(report: Report, task: &str, found: impl Fn(&str) -> Option<Value>) -> Value {
    match report {
        // A redesigned portal must not yield wrong data.
        Report::Ready(page) => match found(&page) {
            Some(mut found) => {
                found["outcome"] = json!("SUCCESS");
                found
            }
            None => unavailable(PortalError),
        },
        Report::Pending => json!({"outcome": "WAIT", "taskId": task, "waitSeconds": WAIT}),
        Report::Empty => json!({"outcome": "NO_DATA"}),
        Report::Unknown => json!({"outcome": "UNKNOWN_TASK"}),
    }
}

fn income(portal: &Portal, address: &str) -> Result<Value, PortalError> {
    let Shown::Page(page) = portal.visit("").send("/ingreso", &[("correo", address)])? else {
        return Err(PortalError);
    };
    match pages::report_state(&page).as_deref() {
        Some("Listo") => {
            let amount = pages::fact(&page, "Ingreso mensual").and_then(|it| it.parse::<u32>().ok());
            let amount = amount.ok_or(PortalError)?;
            Ok(json!({"outcome": "SUCCESS", "items": {"amount": amount, "currency": "MXN"}}))
        }
        Some("Sin registros") => Ok(json!({"outcome": "NO_DATA"})),
        Some(_) | None => Err(PortalError),
    }
}

fn unavailable(_: PortalError) -> Value {
    json!({"outcome": "SERVICE_UNAVAILABLE"})
}
