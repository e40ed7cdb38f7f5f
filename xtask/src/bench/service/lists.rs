//! Measures a page from the middle of every list that can grow, with each filter, among few rows and among many.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::figures::{self, Figure, Goal, median};
use super::places::{Peers, Places, Service};
use super::{FEW, ROUNDS};
use crate::failure::{Failure, OrFail, Outcome};

/// How long each round requests the same page.
const ROUND: Duration = Duration::from_millis(200);

/// A list with its filters, and where an item contains the value for each filter.
///
/// Filters that match only one row are measured too, with a page of one item. Templates, webhooks and scenarios are not
/// measured, because a tenant cannot have many.
struct List {
    name: &'static str,
    path: &'static str,
    filters: &'static [(&'static str, &'static str)],
}

const LISTS: [List; 12] = [
    List { name: "users", path: "/users", filters: &[("reference", "/reference")] },
    List { name: "accounts", path: "/accounts", filters: &[("userId", "/userId")] },
    List { name: "archives", path: "/archives", filters: &[("userId", "/userId")] },
    List {
        name: "contributions",
        path: "/contributions",
        filters: &[("userId", "/metadata/userId"), ("sourceId", "/metadata/sourceId")],
    },
    List {
        name: "events",
        path: "/events",
        filters: &[("type", "/type"), ("userId", "/data/userId"), ("accountId", "/data/accountId")],
    },
    List {
        name: "tasks",
        path: "/tasks",
        filters: &[("userId", "/userId"), ("sourceId", "/sourceId"), ("status", "/status")],
    },
    List { name: "socialSecurities", path: "/alpha/socialSecurities", filters: &[] },
    List { name: "blacklists", path: "/alpha/blacklists", filters: &[] },
    List { name: "invites", path: "/invites", filters: &[("userId", "/userId"), ("status", "/status")] },
    List {
        name: "forms",
        path: "/alpha/forms",
        filters: &[("userId", "/userId"), ("linkSiteId", "/linkSiteId")],
    },
    List {
        name: "billing events",
        path: "/billing/events",
        filters: &[("type", "/type"), ("subjectId", "/subjectId"), ("userId", "/userId")],
    },
    List {
        name: "deliveries",
        path: "/webhooks/{id}/deliveries",
        filters: &[("status", "/status"), ("eventType", "/eventType"), ("eventId", "/eventId")],
    },
];

/// Measures every list, or only one, with each of its filters. Creates the rows of one list at a time to save disk
/// space.
pub fn measure(places: &Places, rows: u64, wanted: Option<&str>) -> Outcome {
    let lists: Vec<_> = LISTS.iter().filter(|list| wanted.is_none_or(|name| list.name == name)).collect();
    if lists.is_empty() {
        let names = LISTS.map(|list| list.name).join(", ");
        return Err(Failure::new("There is no such list").advice(format!("choose one of: {names}")));
    }
    let sown = places.create_peers()?;
    for list in lists {
        println!("bench: {}, {FEW} and {rows} rows ...", list.name);
        let few = sown.copies(places, "few", list.name, FEW)?;
        let many = sown.copies(places, "many", list.name, rows)?;
        figures::print(&measure_list(places, list, [(&few, FEW), (&many, rows)])?);
        few.remove()?;
        many.remove()?;
    }
    Ok(())
}

fn measure_list(
    places: &Places,
    list: &List,
    [(few, few_rows), (many, rows)]: [(&Peers, u64); 2],
) -> Outcome<Vec<Figure>> {
    let mut figures = Vec::new();
    let (few, many) = (Service::start(places, few)?, Service::start(places, many)?);
    let filters = std::iter::once(None).chain(list.filters.iter().map(Some));
    for filter in filters {
        let few_page = middle(&few, list, filter, few_rows)?;
        let many_page = middle(&many, list, filter, rows)?;
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            short.push(seconds(&few, &few_page)?);
            long.push(seconds(&many, &many_page)?);
        }
        let by = filter.map_or_else(String::new, |(name, _)| format!(" by {name}"));
        let (short, long) = (median(&short), median(&long));
        let name = format!("{}{by}: t({rows}) / t({few_rows}), {:.0} us", list.name, short * 1e6);
        figures.push(Figure::with(&name, long / short, Goal::AtMost(1.3)));
    }
    Ok(figures)
}

/// The filters that match only one row.
const UNIQUE: [&str; 2] = ["reference", "subjectId"];

/// Returns the path of a page of 50 from the middle of the list. A filter gets the value of a row in the middle.
fn middle(service: &Service, list: &List, filter: Option<&(&str, &str)>, rows: u64) -> Outcome<String> {
    let path = path(service, list)?;
    let whole = walk(service, &format!("{path}?"), rows)?;
    let Some((name, pointer)) = filter else { return Ok(whole) };
    let page = items(service, &whole)?;
    let value = page["items"][0].pointer(pointer).and_then(Value::as_str);
    let value = value.ok_or_else(|| Failure::new(format!("{} have no {name}", list.name)))?;
    let narrowed = format!("{path}?{name}={value}&");
    if UNIQUE.contains(name) { Ok(format!("{narrowed}size=50")) } else { walk(service, &narrowed, rows) }
}

/// Follows the pages to the middle of `rows`, and returns the path of the next 50.
fn walk(service: &Service, list: &str, rows: u64) -> Outcome<String> {
    let mut cursor = String::new();
    for _ in 0..rows / 2 / 150 {
        let page = items(service, &format!("{list}size=150{cursor}"))?;
        let next = page["nextCursor"].as_str();
        let next = next.ok_or_else(|| Failure::new(format!("{list} has fewer than {} items", rows / 2)))?;
        cursor = format!("&cursor={next}");
    }
    let found = format!("{list}size=50{cursor}");
    match items(service, &found)?["items"].as_array().map(Vec::len) {
        Some(50) => Ok(found),
        Some(_) | None => Err(Failure::new(format!("{list} has no page of 50 in its middle"))),
    }
}

fn path(service: &Service, list: &List) -> Outcome<String> {
    if !list.path.contains("{id}") {
        return Ok(list.path.to_owned());
    }
    for webhook in items(service, "/webhooks")?["items"].as_array().into_iter().flatten() {
        let path = list.path.replace("{id}", webhook["id"].as_str().unwrap_or_default());
        if items(service, &format!("{path}?size=1"))?["items"].get(0).is_some() {
            return Ok(path);
        }
    }
    Err(Failure::new(format!("No webhook has {}", list.name)))
}

fn items(service: &Service, path: &str) -> Outcome<Value> {
    serde_json::from_str(&service.get(path)?).or_fail(|| format!("{path} is not JSON"))
}

/// Returns the mean duration of a request in seconds.
fn seconds(service: &Service, path: &str) -> Outcome<f64> {
    let begun = Instant::now();
    let mut requests = 0;
    while begun.elapsed() < ROUND {
        service.get(path)?;
        requests += 1;
    }
    Ok(begun.elapsed().as_secs_f64() / f64::from(requests))
}
