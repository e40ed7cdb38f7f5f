//! Error responses that many operations share: each is in the document once, as a component.

use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response};

/// Moves error responses to the components, and refers to them. Equal ones become one component, for example `Problem422`.
pub fn refer(openapi: &mut OpenApi) {
    let mut shared: Vec<(String, Response)> = Vec::new();
    for item in openapi.paths.paths.values_mut() {
        let operations =
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete, &mut item.head];
        for operation in operations.into_iter().filter_map(Option::as_mut) {
            refer_in(operation, &mut shared);
        }
    }
    let components = openapi.components.get_or_insert_default();
    components.responses.extend(shared.into_iter().map(|(name, response)| (name, response.into())));
}

fn refer_in(operation: &mut Operation, shared: &mut Vec<(String, Response)>) {
    let errors =
        operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5']));
    for (status, response) in errors {
        let RefOr::T(inline) = response else { continue };
        let known = shared.iter().find(|(_, other)| other == inline).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let schema = inline.content.values().find_map(|content| match content {
                RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) => {
                    schema.ref_location.rsplit('/').next()
                }
                RefOr::T(_) | RefOr::Ref(_) => None,
            });
            let name = format!("{}{status}", schema.unwrap_or("Error"));
            let count =
                shared.iter().filter(|(other, _)| other.split('-').next() == Some(name.as_str())).count();
            let name = if count == 0 { name } else { format!("{name}-{}", count + 1) };
            shared.push((name.clone(), inline.clone()));
            name
        });
        *response = RefOr::Ref(Ref::new(format!("#/components/responses/{name}")));
    }
}
