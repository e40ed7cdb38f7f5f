//! The document's links: values of a response that another operation takes as parameters.

use std::collections::BTreeMap;

use utoipa::openapi::link::{Link, LinkBuilder};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{OpenApi, RefOr};

/// Adds the links to lists and to operations that create a resource.
///
/// Every list links to its next page. Both link to the operations on one resource.
pub(super) fn add(document: &mut OpenApi) {
    let targets: Vec<(String, String)> = document
        .paths
        .paths
        .iter()
        .flat_map(|(path, item)| operations(item).map(|it| (path.clone(), it)))
        .filter_map(|(path, operation)| Some((path, operation.operation_id.clone()?)))
        .collect();
    for (collection, item) in &mut document.paths.paths {
        if collection.contains('{') {
            continue;
        }
        let on_one = format!("{collection}/{{id}}");
        let on_one: Vec<&str> = targets
            .iter()
            .filter(|(path, _)| path.starts_with(&on_one) && path.matches('{').count() == 1)
            .map(|(_, operation)| operation.as_str())
            .collect();
        if let Some(create) = &mut item.post {
            let from = id_of(collection).map(|field| format!("$response.body#/{field}"));
            let links = from
                .iter()
                .flat_map(|from| on_one.iter().map(move |to| ((*to).to_owned(), link(to, "id", from))));
            add_links(create, &["200", "201"], links.collect());
        }
        if let Some(list) = &mut item.get {
            let mut links: BTreeMap<_, _> = on_one
                .iter()
                .map(|to| ((*to).to_owned(), link(to, "id", "$response.body#/items/0/id")))
                .collect();
            if let Some(own) = list.operation_id.clone().filter(|_| takes(list, "cursor")) {
                links.insert("nextPage".to_owned(), link(&own, "cursor", "$response.body#/nextCursor"));
            }
            add_links(list, &["200"], links);
        }
    }
}

/// Returns the response field that contains the id of a created resource. `None` if the body does not contain it.
fn id_of(collection: &str) -> Option<&'static str> {
    match collection {
        "/link/accounts" => Some("accountId"),
        "/link/archives" => Some("archiveId"),
        // The `Location` header contains its URL.
        "/link/uploads" => None,
        _ => Some("id"),
    }
}

fn operations(item: &PathItem) -> impl Iterator<Item = &Operation> {
    [&item.get, &item.put, &item.post, &item.delete, &item.patch].into_iter().flatten()
}

fn takes(operation: &Operation, parameter: &str) -> bool {
    operation.parameters.iter().flatten().any(|it| match it {
        RefOr::T(it) => it.name == parameter,
        RefOr::Ref(_) => false,
    })
}

fn link(to: &str, parameter: &str, from: &str) -> Link {
    LinkBuilder::new().operation_id(to).parameter(parameter, from).build()
}

fn add_links(operation: &mut Operation, statuses: &[&str], links: BTreeMap<String, Link>) {
    for status in statuses {
        if let Some(RefOr::T(response)) = operation.responses.responses.get_mut(*status) {
            response.links.extend(links.iter().map(|(name, link)| (name.clone(), link.clone().into())));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::router::openapi_document;

    #[test]
    fn list_links_to_its_next_page_and_its_items() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let links = &document["paths"]["/webhooks"]["get"]["responses"]["200"]["links"];
        assert_eq!(links["nextPage"]["parameters"]["cursor"], "$response.body#/nextCursor");
        assert_eq!(links["getWebhook"]["parameters"]["id"], "$response.body#/items/0/id");
        let created = &document["paths"]["/users"]["post"]["responses"]["201"]["links"];
        assert_eq!(created["getUser"]["parameters"]["id"], "$response.body#/id");
    }

    #[test]
    fn link_parameters_exist_in_the_example_response() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let operations = paths.iter().flat_map(|(path, item)| {
            item.as_object().unwrap().iter().map(move |(method, it)| (format!("{method} {path}"), it))
        });
        for (place, operation) in operations {
            for response in operation["responses"].as_object().unwrap().values() {
                let example = &response["content"]["application/json"]["example"];
                for link in response["links"].as_object().into_iter().flat_map(|it| it.values()) {
                    for from in link["parameters"].as_object().unwrap().values() {
                        let pointer = from.as_str().unwrap().strip_prefix("$response.body#").unwrap();
                        // Its example is of a tenant without its own logins.
                        let is_there = place.ends_with("/scenarios") || example.pointer(pointer).is_some();
                        assert!(is_there, "{place}: {from}");
                    }
                }
            }
        }
    }
}
