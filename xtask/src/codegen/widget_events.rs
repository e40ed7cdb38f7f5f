//! Generates the tables of docs/reference/widget-events.md: the events of the widget, and their arguments.

use serde_json::Value;

use super::references::{fields, table, words};

/// Returns the content of a region of the page, or `None` if the page has no region of this name.
pub fn region(name: &str, document: &Value) -> Option<String> {
    match name {
        "widget events" => events(document),
        "widget arguments" => arguments(document),
        "ui events" => {
            let rows = words(document, "UiEventName")?;
            let rows = rows.into_iter().map(|(word, meaning)| vec![format!("`{word}`"), meaning]);
            Some(table(&["`eventName`", "Meaning"], rows.collect()))
        }
        _ => None,
    }
}

/// An event of the widget: its name, the schema of its argument if it has one, and its meaning.
struct Event<'a> {
    name: &'a str,
    argument: Option<&'a str>,
    meaning: String,
}

fn find_schema<'a>(document: &'a Value, reference: &Value) -> Option<(&'a str, &'a Value)> {
    let name = reference["$ref"].as_str()?.rsplit('/').next()?;
    let (name, schema) = document.pointer("/components/schemas")?.as_object()?.get_key_value(name)?;
    Some((name.as_str(), schema))
}

/// Returns the variants of `Callback`, the message with which the frame requests a callback.
fn read(document: &Value) -> Option<Vec<Event<'_>>> {
    let variants = document.pointer("/components/schemas/Callback/oneOf")?.as_array()?.iter();
    let read = |variant: &Value| {
        let (_, schema) = find_schema(document, variant)?;
        let (name, argument) = schema["properties"].as_object()?.iter().next()?;
        let argument = find_schema(document, argument).map(|(name, _)| name);
        let meaning = schema["description"].as_str()?.replace('\n', " ");
        Some(Event { name, argument, meaning })
    };
    variants.map(read).collect()
}

fn events(document: &Value) -> Option<String> {
    let rows = read(document)?.into_iter().map(|Event { name, argument, meaning }| {
        let argument = match argument {
            // The bridge makes an error of it.
            Some("LinkFailure") => "[`LinkError`](errors.md#the-widget)".to_owned(),
            Some(argument) => format!("[`{argument}`](#{})", argument.to_lowercase()),
            None => "none".to_owned(),
        };
        vec![format!("`{name}`"), argument, meaning]
    });
    Some(table(&["Event", "Argument", "Meaning"], rows.collect()))
}

/// Returns a section for the type of each argument, and for the types in them.
fn arguments(document: &Value) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for Event { argument, .. } in read(document)? {
        names.extend(argument.filter(|it| *it != "LinkFailure" && !names.contains(it)));
    }
    names.extend(["Upload", "UploadedFile", "UiEventAccount", "UiEventArchive"]);
    let sections = names.into_iter().map(|name| {
        let schema = document.pointer(&format!("/components/schemas/{name}"))?;
        Some(format!("## {name}\n\n{}", fields(document, schema)))
    });
    Some(sections.collect::<Option<Vec<_>>>()?.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn event_has_its_argument_and_its_meaning() {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let document = json!({ "components": { "schemas": {
            "Callback": { "oneOf": [reference("OnClose"), reference("OnExpired")] },
            "OnClose": { "description": "It\nclosed.", "properties": { "onClose": reference("Closed") } },
            "OnExpired": { "description": "Expired.", "properties": { "onExpired": { "type": "object" } } },
            "Closed": { "properties": { "reason": { "type": "string", "description": "Why." } } },
        } } });
        assert_eq!(
            region("widget events", &document).unwrap(),
            "| Event | Argument | Meaning |\n|---|---|---|\n| `onClose` | [`Closed`](#closed) | It closed. |\n\
             | `onExpired` | none | Expired. |\n"
        );
    }
}
