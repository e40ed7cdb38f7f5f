//! The API of one tenant while people open 100 link sites of another. The service has its usual limits.

use serde_json::{Value, json};

use super::ROUNDS;
use super::figures::{Figure, Goal, median};
use super::load::Load;
use super::places::{Peers, Places, Service};
use crate::failure::{Failure, OrFail, Outcome};

const SITES: u64 = 100;
/// Each sends about ten requests a second.
const VISITORS: u32 = 100;
/// About 80 requests a second, below the limit of a key.
const READERS: u32 = 2;

/// Measures the latency of another tenant's GET by id, alone and next to the visitors.
pub fn measure(places: &Places<'_>, small: &Peers) -> Outcome<Vec<Figure>> {
    let data = small.copy(places, "sites")?;
    let service = Service::start_limited(places, &data, &["--trusted-proxies", "127.0.0.0/8"])?;
    let slugs = publish(&service)?;
    let other = data.create_tenant(places, "other")?;
    let user = service.post(&other, "/users", &json!({}))?;
    let user: Value = serde_json::from_str(&user).or_fail(|| "A user is not JSON".into())?;
    let path = format!("/sandbox/v1/users/{}", user["id"].as_str().unwrap_or_default());
    let reads = Load::get_slowly(places, "other", &[path], &other)?;
    let visits = Load::visits(places, "sites", &slugs)?;

    let (mut alone, mut beside, mut visited) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        println!("bench: link sites of another tenant, round {round} of {ROUNDS} ...");
        alone.push(reads.run(service.port, READERS)?.p99_ms);
        let (read, visit) = std::thread::scope(|scope| {
            let visits = scope.spawn(|| visits.run(service.port, VISITORS));
            let read = reads.run(service.port, READERS);
            (read, visits.join())
        });
        beside.push(read?.p99_ms);
        visited.push(visit.map_err(|_| Failure::new("The visitors' thread panicked"))??.per_second);
    }
    Ok(vec![
        Figure::plain("requests of visitors of 100 link sites", format!("{:.0}/s", median(&visited))),
        Figure::plain("p99 of another tenant's GET, alone", format!("{:.1} ms", median(&alone))),
        Figure::with("p99 of another tenant's GET meanwhile, ms", median(&beside), Goal::AtMost(25.0)),
    ])
}

/// Publishes the link sites, and returns their paths.
fn publish(service: &Service) -> Outcome<Vec<String>> {
    let template = service.ids("/linkTemplates", 1)?.swap_remove(0);
    let mut paths = Vec::new();
    for number in 0..SITES {
        let slug = format!("bench-{number}");
        let site = json!({
            "name": slug, "slug": slug, "status": "PUBLISHED", "linkTemplateId": template, "steps": ["FORM", "WIDGET", "THANK_YOU"],
            "form": {"name": "Loan", "reference": slug, "fields": [{"name": "story", "label": "Tell us more", "type": "TEXT"}]},
            "startPage": {"title": "Apply for a loan", "text": "A few questions."},
            "endPage": {"title": "Thank you", "text": "We will write."},
        });
        service.post(service.authorization(), "/alpha/linkSites", &site)?;
        paths.push(format!("/s/{slug}"));
    }
    Ok(paths)
}
