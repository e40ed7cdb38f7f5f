//! Builds the OpenAPI document from the code and prints it: the service's, or with `--connectors` that of the connector
//! protocol. `cargo xtask codegen` writes them to `docs`.

#![expect(clippy::print_stdout, reason = "the program's output is its purpose")]

fn main() -> Result<(), serde_json::Error> {
    let of_connectors = std::env::args().any(|argument| argument == "--connectors");
    let document = if of_connectors {
        link_connectors::http_source::protocol_document()
    } else {
        link_server::router::openapi_document()
    };
    println!("{}", serde_json::to_string_pretty(&document)?);
    Ok(())
}
