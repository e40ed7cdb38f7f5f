//! Generates reference pages from docs/openapi.json, the catalogue and the transitions of the domain.
//!
//! All of docs/reference/events.md is generated. Its examples are events that the transitions emit. In the other pages, the
//! parts between `<!-- generated: NAME -->` and `<!-- /generated -->` are.

use serde_json::{Map, Value};

use super::catalogue::Catalogue;
use super::generated::Generated;
use super::{connector_data, widget_events};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;

const BEGINNING: &str = "<!-- generated: ";
const END: &str = "<!-- /generated -->";

/// The pages with generated parts.
const GUIDES: [&str; 5] = [
    "docs/reference/errors.md",
    "docs/reference/sandbox.md",
    "docs/reference/widget-events.md",
    "docs/how-to/connectors.md",
    "docs/how-to/widget.md",
];
/// The document of connectors.
const CONNECTORS: &str = "docs/connectors.openapi.json";
/// The files of the releases, which the build of the bridge lists.
const RELEASES: &str = "www/sdk/dist/releases/manifest.json";

/// Generates the pages.
pub fn generate(
    env: &Env,
    (document, examples): (&str, &str),
    english: &Catalogue,
) -> Outcome<Vec<Generated>> {
    let parse_json = |text: &str, what: &str| -> Outcome<Value> {
        serde_json::from_str(text)
            .map_err(|fault| Failure::new(format!("{what} is not JSON")).why(fault.to_string()))
    };
    let document = parse_json(document, "the OpenAPI document")?;
    let examples = parse_json(examples, "the file of event examples")?;
    let connectors = parse_json(&files::read(&env.at(CONNECTORS))?, CONNECTORS)?;
    let manifest = parse_json(&files::read(&env.at(RELEASES))?, RELEASES)?;
    let mut generated =
        vec![Generated { path: env.at("docs/reference/events.md"), content: events(&document, &examples)? }];
    for guide in GUIDES {
        let path = env.at(guide);
        let content = fill(&files::read(&path)?, guide, |name| match name {
            "releases" => releases(&manifest),
            name => region(name, &document, english).or_else(|| connector_data::region(name, &connectors)),
        })?;
        generated.push(Generated { path, content });
    }
    Ok(generated)
}

/// Replaces the content of each generated region of a page with the output of `make`.
fn fill(guide: &str, place: &str, make: impl Fn(&str) -> Option<String>) -> Outcome<String> {
    let mut whole = String::new();
    let mut rest = guide;
    while let Some((before, after)) = rest.split_once(BEGINNING) {
        let lost = |what: &str| Failure::new(format!("{place}: {what}"));
        let (name, after) = after.split_once(" -->\n").ok_or_else(|| lost("a region has no name"))?;
        let (_, after) = after.split_once(END).ok_or_else(|| lost(&format!("region {name} has no end")))?;
        let made = make(name).ok_or_else(|| lost(&format!("region {name} is unknown")))?;
        whole.push_str(&format!("{before}{BEGINNING}{name} -->\n{made}{END}"));
        rest = after;
    }
    whole.push_str(rest);
    Ok(whole)
}

fn region(name: &str, document: &Value, english: &Catalogue) -> Option<String> {
    let codes = |name: &str| words(document, name).map(|words| table(&["Code", "Meaning"], two(&words)));
    match name {
        "linking codes" => linking(document, english),
        "problem codes" => codes("ProblemCode"),
        "fault codes" => codes("FaultCode"),
        "result codes" => codes("ResultCode"),
        "archive codes" => codes("ArchiveErrorCode"),
        "file faults" => codes("FileFault"),
        "load failures" => codes("LoadFailure"),
        "link mistakes" => codes("LinkMistake"),
        "logins" => logins(document),
        "records" => records(document),
        "providers" => providers(document),
        "documents" => documents(document),
        name => widget_events::region(name, document),
    }
}

fn releases(manifest: &Value) -> Option<String> {
    let mut rows = Vec::new();
    for release in manifest["releases"].as_array()? {
        for file in release["files"].as_array()? {
            rows.push(vec![text(&release["version"]), code(&file["path"]), code(&file["integrity"])]);
        }
    }
    Some(table(&["Version", "Address", "`integrity`"], rows))
}

/// Returns the values of an enum with their meanings.
pub(super) fn words(document: &Value, name: &str) -> Option<Vec<(String, String)>> {
    let schema = document.pointer(&format!("/components/schemas/{name}"))?;
    let words = schema["enum"].as_array()?.iter();
    let meanings = schema["x-enum-descriptions"].as_array()?.iter();
    let both = words.zip(meanings);
    both.map(|(word, meaning)| Some((word.as_str()?.to_owned(), meaning.as_str()?.to_owned()))).collect()
}

fn two(words: &[(String, String)]) -> Vec<Vec<String>> {
    words.iter().map(|(word, meaning)| vec![word.clone(), meaning.clone()]).collect()
}

/// Returns a table in Markdown.
pub(super) fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for row in rows {
        table.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    table
}

/// Returns the codes of linking with the advice that the widget shows.
fn linking(document: &Value, english: &Catalogue) -> Option<String> {
    let rows = words(document, "LinkErrorCode")?.into_iter().map(|(code, meaning)| {
        let key = format!("error-{}-next", code.to_lowercase().replace('_', "-"));
        let advice = english.text(&key)?;
        let advice = advice.replace("{ $provider }", "the provider").replace("{ $company }", "the tenant");
        let mut letters = advice.chars();
        let first = letters.next()?.to_uppercase();
        Some(vec![code, meaning, first.chain(letters).collect()])
    });
    Some(table(&["Code", "Meaning", "Advice in the widget"], rows.collect::<Option<_>>()?))
}

fn find_published_list<'a>(document: &'a Value, list: &str) -> Option<&'a Vec<Value>> {
    let pointer = "/paths/~1scenarios/get/responses/200/content/application~1json/example/published";
    document.pointer(pointer)?.get(list)?.as_array()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn code(value: &Value) -> String {
    format!("`{}`", text(value))
}

fn logins(document: &Value) -> Option<String> {
    let mut rows = Vec::new();
    for login in find_published_list(document, "logins")? {
        if login["login"].as_str()?.starts_with("error-") && login["errorCode"].is_string() {
            continue;
        }
        let answers = login["answers"].as_array()?.iter();
        let answers: Vec<String> =
            answers.map(|it| it.as_str().map_or("no input".to_owned(), quote)).collect();
        let answers = if answers.is_empty() { "-".to_owned() } else { answers.join(", ") };
        rows.push(vec![
            code(&login["login"]),
            text(&login["connectionStatus"]),
            answers,
            text(&login["description"]),
        ]);
    }
    let errors = "`error-<CODE>`".to_owned();
    let each = "fails with this [error code](errors.md); each of the 16 codes has a login".to_owned();
    rows.push(vec![errors, "ERROR".to_owned(), "-".to_owned(), each]);
    Some(table(&["Login", "First status", "Correct answer", "Result"], rows))
}

fn quote(answer: &str) -> String {
    // An answer with a space describes the answer.
    if answer.contains(' ') { answer.to_owned() } else { format!("`{answer}`") }
}

fn records(document: &Value) -> Option<String> {
    let rows = find_published_list(document, "records")?.iter().map(|input| {
        let special = format!("{}; {}", text(&input["resultCode"]), text(&input["description"]));
        vec![
            code(&input["mobileNumber"]),
            code(&input["emailAddress"]),
            text(&input["recordResultCode"]),
            special,
        ]
    });
    Some(table(&["Mobile number", "Email address", "Record", "Signal"], rows.collect()))
}

fn providers(document: &Value) -> Option<String> {
    let rows = find_published_list(document, "providers")?.iter();
    let rows = rows.map(|it| vec![code(&it["providerId"]), text(&it["description"])]);
    Some(table(&["Provider", "Behavior"], rows.collect()))
}

fn documents(document: &Value) -> Option<String> {
    let rows = find_published_list(document, "documents")?.iter().map(|it| {
        let state = format!("{} {}", text(&it["status"]), text(&it["errorCode"]));
        let kind = it["type"].as_str().unwrap_or("any").to_owned();
        vec![code(&it["file"]), kind, state.trim().to_owned()]
    });
    Some(table(&["File", "Upload as", "Result"], rows.collect()))
}

const EVENTS: &str = "<!-- Generated by `cargo xtask codegen` from docs/openapi.json and the transitions of the domain. Do not edit. -->

# Events

This page lists all event types: when each is emitted, the fields of its `data`, and an example as a
[webhook](../how-to/webhooks.md) receives it.

Fields are always present and null if they have no value, unless their description says when they are absent.

`payload` is `{}` unless the webhook has `includePayload`. In that case, it has the keys of a [payload](payloads.md).
Each list has at most 300 items, and a `nextCursor` if there are more: pass it as `cursor` to the list endpoint of the
same name. The `fileUrl` of a document is valid for 5 days from `createdAt`, and until its source is erased.

New types may be added. Respond with 204 to types that you do not know.

{types}

## List events

`GET /events` lists all emitted events, newest first, including those that were not sent to a webhook:

<!-- given: a person links: good at mx_social_security -->

```http
GET /sandbox/v1/events?type=ACCOUNT_CONNECTED&accountId={accountId}
```

```json
{
  \"items\": [
    {
      \"createdAt\": \"2026-11-20T11:07:11.000Z\",
      \"data\": {
        \"accountId\": \"a-0192f0c1a2b37c4d8e5f60718293a4b5\",
        \"loginName\": \"good\",
        \"providers\": [\"mx_social_security\"],
        \"userId\": \"demo-0192f0c1a2b37c4d8e5f60718293a4b5\"
      },
      \"id\": \"et-0192f0c1a2b37c4d8e5f60718293a4b5\",
      \"type\": \"ACCOUNT_CONNECTED\",
      \"version\": 1
    }
  ],
  \"nextCursor\": null
}
```

Filters: `type`, `userId` (events of the user and of everything that belongs to the user), one of `accountId`,
`archiveId`, `recordId`, `verificationId` and `inviteId`, `startDate`, `endDate`, `size`, `cursor`. In these responses,
`payload` is always `{}`: get the data from the lists of [data points](data-points.md). `GET /events/{id}` returns one
event:

```http
GET /sandbox/v1/events/{eventId}
```

```json
{
  \"createdAt\": \"2026-11-20T11:07:11.000Z\",
  \"data\": {
    \"accountId\": \"a-0192f0c1a2b37c4d8e5f60718293a4b5\",
    \"loginName\": \"good\",
    \"providers\": [\"mx_social_security\"],
    \"userId\": \"demo-0192f0c1a2b37c4d8e5f60718293a4b5\"
  },
  \"id\": \"et-0192f0c1a2b37c4d8e5f60718293a4b5\",
  \"type\": \"ACCOUNT_CONNECTED\",
  \"version\": 1
}
```

## Follow events

`GET /events/feed` returns events in the order in which they occur, for a program that reads them instead of receiving them.
Without `cursor` and `since`, it returns an empty page whose `nextCursor` is the position of now. `since` starts at a time:

```http
GET /sandbox/v1/events/feed?since=2026-01-01T00:00:00Z&size=1
```

```json
{
  \"items\": [
    {
      \"createdAt\": \"2026-11-20T11:07:11.000Z\",
      \"data\": {\"userId\": \"demo-0192f0c1a2b37c4d8e5f60718293a4b5\"},
      \"id\": \"et-0192f0c1a2b37c4d8e5f60718293a4b5\",
      \"type\": \"USER_CREATED\",
      \"version\": 1
    }
  ],
  \"nextCursor\": \"…\"
}
```

Pass `nextCursor` as `cursor` to get what follows, each event once, and store it after you have processed the page. It is never
null, and has up to 7,000 characters. With `waitSeconds` (0 to 30), a request without events waits for the next one. It may
end early and empty, so send the next one with the same or the new cursor. An event whose request or job takes long can
follow a newer one. If more than 750 events occur within 30 seconds, the others follow as these become 30 seconds old.
A request that already waits then gets them when its wait ends. If the database's clock goes back, some events are returned again.
[`linchpin listen`](../how-to/listen.md) reads the feed.
";

fn events(document: &Value, examples: &Value) -> Outcome<String> {
    let lost = || Failure::new("the OpenAPI document has no events");
    let types = words(document, "EventType").ok_or_else(lost)?;
    let rows = types
        .iter()
        .map(|(name, meaning)| vec![format!("[{name}](#{})", name.to_lowercase()), meaning.clone()]);
    let mut guide = EVENTS.replace("{types}\n", &table(&["Type", "Meaning"], rows.collect()));
    for (event_type, meaning) in types {
        let schema = envelope(document, &event_type).ok_or_else(lost)?;
        let data = schema.pointer("/properties/data/$ref").and_then(Value::as_str).ok_or_else(lost)?;
        let data = document.pointer(data.trim_start_matches('#')).ok_or_else(lost)?;
        let shown = examples.get(&event_type).ok_or_else(|| {
            Failure::new(format!("the transitions of the domain emit no example of {event_type}"))
        })?;
        let shown = serde_json::to_string_pretty(shown)
            .map_err(|fault| Failure::new("an example is not valid JSON").why(fault.to_string()))?;
        guide.push_str(&format!("\n## {event_type}\n\n{meaning}\n\n{}\n", fields(document, data)));
        for line in shown.lines() {
            guide.push_str(&format!("    {line}\n"));
        }
    }
    Ok(guide)
}

fn envelope<'a>(document: &'a Value, event_type: &str) -> Option<&'a Value> {
    let schemas = document.pointer("/components/schemas")?.as_object()?;
    schemas.values().find(|it| it.pointer("/properties/type/enum/0").is_some_and(|word| word == event_type))
}

/// Describes the fields of an object in a table.
pub(super) fn fields(document: &Value, data: &Value) -> String {
    let empty = Map::new();
    let properties = data["properties"].as_object().unwrap_or(&empty);
    let rows = properties.iter().map(|(name, schema)| {
        let says = schema["description"]
            .as_str()
            .or_else(|| schema["oneOf"].as_array()?.iter().find_map(|it| it["description"].as_str()));
        vec![format!("`{name}`"), kind(document, schema), says.unwrap_or_default().replace('\n', " ")]
    });
    table(&["Field", "Type", "Description"], rows.collect())
}

/// Describes the type of a field.
fn kind(document: &Value, schema: &Value) -> String {
    if let Some(to) = schema["$ref"].as_str() {
        let schema = document.pointer(to.trim_start_matches('#')).unwrap_or(&Value::Null);
        let name = to.rsplit('/').next().unwrap_or_default();
        return match schema["enum"].as_array() {
            Some(words) if words.len() == 1 => text(&words[0]),
            Some(words) if words.len() <= 7 => words.iter().map(text).collect::<Vec<_>>().join(", "),
            Some(_) => format!("one of `{name}`"),
            None if schema["type"] == "object" || schema["type"].is_null() => "object".to_owned(),
            None => kind(document, schema),
        };
    }
    if let Some(either) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        let kinds = either.iter().filter(|it| it["type"] != "null").map(|it| kind(document, it));
        let or_null = if either.iter().any(|it| it["type"] == "null") { ", nullable" } else { "" };
        return format!("{}{or_null}", kinds.collect::<Vec<_>>().join(" or "));
    }
    if let Some(types) = schema["type"].as_array() {
        let named = types.iter().find(|it| *it != "null").map(text).unwrap_or_default();
        return format!("{named}, nullable");
    }
    if schema["type"] == "array" {
        return format!("array of {}", kind(document, &schema["items"]));
    }
    schema["format"]
        .as_str()
        .filter(|it| it.starts_with("date"))
        .map_or_else(|| text(&schema["type"]), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_replaces_only_generated_regions() {
        let guide = "a\n<!-- generated: x -->\nold\n<!-- /generated -->\nb\n";
        let made = fill(guide, "guide", |name| Some(format!("new {name}\n"))).unwrap();
        assert_eq!(made, "a\n<!-- generated: x -->\nnew x\n<!-- /generated -->\nb\n");
        assert_eq!(fill(&made, "guide", |name| Some(format!("new {name}\n"))).unwrap(), made);
        assert!(fill(guide, "guide", |_| None).is_err(), "an unknown region is an error");
    }
}
