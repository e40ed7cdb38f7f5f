//! The portal's pages.

use super::people::{Contribution, Person, Report, contributions};

/// The number of rows on a page of contributions.
const ROWS: usize = 6;

fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"es\"><meta charset=\"utf-8\"><title>{title} · Portal Aurora</title>\
         <nav><a href=\"/inicio\">Inicio</a> <a href=\"/empleos\">Empleos</a> \
         <a href=\"/aportaciones\">Aportaciones</a></nav><h1>{title}</h1>{body}</html>"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn alert(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p role=\"alert\">{text}</p>") }
}

/// Returns the page with the login form.
pub fn login(token: &str, said: &str) -> String {
    let form = format!(
        "{}<form method=\"post\" action=\"/entrar\"><input type=\"hidden\" name=\"token\" value=\"{token}\">\
         <label>Usuario <input name=\"usuario\"></label>\
         <label>Contraseña <input name=\"contrasena\" type=\"password\"></label><button>Entrar</button></form>",
        alert(said)
    );
    page("Entrar", &form)
}

/// Returns the page with the form for the code.
pub fn code(token: &str, phone: &str, tries: u8, said: &str) -> String {
    let form = format!(
        "{}<p>Enviamos un código de 6 dígitos al <strong id=\"telefono\">{phone}</strong>.</p>\
         <p>Intentos restantes: <span id=\"intentos\">{tries}</span></p>\
         <form method=\"post\" action=\"/codigo\"><input type=\"hidden\" name=\"token\" value=\"{token}\">\
         <label>Código <input name=\"codigo\"></label><button>Continuar</button></form>\
         <form method=\"post\" action=\"/codigo/reenviar\"><input type=\"hidden\" name=\"token\" value=\"{token}\">\
         <button>Enviar otra vez</button></form>",
        alert(said)
    );
    page("Código", &form)
}

/// Returns the start page with the person's identity.
pub fn home(person: &Person) -> String {
    let facts = [
        ("Nombre", person.name),
        ("Número", person.number),
        ("Nacimiento", person.born),
        ("Correo", person.email),
    ];
    let facts: String =
        facts.iter().map(|(name, fact)| format!("<dt>{name}</dt><dd>{}</dd>", escape(fact))).collect();
    let certificate = "<p><a href=\"/constancia\" id=\"constancia\">Constancia de aportaciones</a></p>";
    page("Inicio", &format!("<dl>{facts}</dl>{certificate}"))
}

/// Returns the page of a report that has only a state.
pub fn report_state(state: &str) -> String {
    page("Consulta", &format!("<p id=\"estado\">{state}</p>"))
}

/// Returns the page of a report.
pub fn report(person: &Person, report: &Report) -> String {
    let number: String = person.number.chars().filter(char::is_ascii_digit).collect();
    let employer = person.jobs.iter().find(|job| job.to.is_empty()).map_or("", |job| job.employer);
    let base = format!("{}.{:02}", report.base_cents / 100, report.base_cents % 100);
    let facts = [
        ("Nombre", person.name.to_uppercase()),
        ("CURP", person.curp.to_owned()),
        ("NSS", number),
        ("Patrón", employer.to_owned()),
        ("Registro patronal", report.registration.to_owned()),
        ("Estado", report.state.to_owned()),
        ("Días cotizados", report.days.to_string()),
        ("Salario base", base),
        ("Patrones", person.jobs.len().to_string()),
    ];
    let facts: String =
        facts.iter().map(|(name, fact)| format!("<dt>{name}</dt><dd>{}</dd>", escape(fact))).collect();
    page("Consulta", &format!("<p id=\"estado\">Listo</p><dl>{facts}</dl>"))
}

/// Returns the page with an estimate of a person's monthly income.
pub fn income(report: &Report) -> String {
    let pesos = report.base_cents / 100 * 30;
    page("Ingreso", &format!("<p id=\"estado\">Listo</p><dl><dt>Ingreso mensual</dt><dd>{pesos}</dd></dl>"))
}

/// Returns the page of jobs.
pub fn jobs(person: &Person) -> String {
    let rows: String = person
        .jobs
        .iter()
        .map(|job| {
            let cells =
                [job.employer, job.title, job.from, job.to].map(|it| format!("<td>{}</td>", escape(it)));
            format!("<tr>{}</tr>", cells.concat())
        })
        .collect();
    let heads = "<tr><th>Patrón</th><th>Puesto</th><th>Alta</th><th>Baja</th></tr>";
    page("Empleos", &format!("<table id=\"empleos\"><thead>{heads}</thead><tbody>{rows}</tbody></table>"))
}

/// Returns a page of contributions, counted from 1, with a link to the next one.
pub fn contributions_page(number: usize) -> String {
    let all = contributions();
    let begins = number.saturating_sub(1) * ROWS;
    let rows: String = all.iter().skip(begins).take(ROWS).map(row).collect();
    let next = if begins + ROWS < all.len() {
        format!("<a rel=\"next\" href=\"/aportaciones?pagina={}\">Siguiente</a>", number + 1)
    } else {
        String::new()
    };
    let heads = "<tr><th>Fecha</th><th>Importe</th><th>Referencia</th></tr>";
    let table =
        format!("<table id=\"aportaciones\"><thead>{heads}</thead><tbody>{rows}</tbody></table>{next}");
    page("Aportaciones", &table)
}

fn row(contribution: &Contribution) -> String {
    let Contribution { day, cents, reference } = contribution;
    let (thousands, rest, cents) = (cents / 100_000, cents / 100 % 1_000, cents % 100);
    format!("<tr><td>{day}</td><td>${thousands},{rest:03}.{cents:02}</td><td>{reference}</td></tr>")
}
