//! Schemas of types that appear in no REST operation but are needed in TypeScript: host messages and callbacks.

use utoipa::{
    ToSchema,
    openapi::{
        RefOr, Schema,
        extensions::ExtensionsBuilder,
        schema::{ObjectBuilder, Type},
    },
};

use crate::{challenge, event, host, link, uploading};

/// Builds the schema of a string enum. `x-enum-descriptions` holds the description of each value; the references in the
/// guides are generated from it.
pub(crate) fn words(about: &[&str], words: &[(&str, &[&str])]) -> RefOr<Schema> {
    let text = |lines: &[&str]| lines.iter().map(|it| it.trim()).collect::<Vec<_>>().join(" ");
    let meanings: Vec<String> = words.iter().map(|(_, says)| text(says)).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(text(about)))
        .enum_values(Some(words.iter().map(|(word, _)| *word)))
        .extensions(Some(ExtensionsBuilder::new().add("x-enum-descriptions", meanings).build()))
        .into()
}

/// Returns the name and schema of every type that the host bridge and the frame need, including nested types.
pub fn host_schemas() -> Vec<(String, RefOr<Schema>)> {
    fn add<T: ToSchema>(all: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(all);
        all.push((T::name().into_owned(), T::schema()));
    }
    let mut all = Vec::new();
    add::<host::WidgetOptions>(&mut all);
    add::<host::Greeting>(&mut all);
    add::<host::FrameMessage>(&mut all);
    add::<host::HostMessage>(&mut all);
    add::<host::Callback>(&mut all);
    add::<link::LinkSession>(&mut all);
    add::<link::AccountProgress>(&mut all);
    add::<link::OpenSession>(&mut all);
    add::<link::StartLink>(&mut all);
    add::<challenge::AnswerChallenge>(&mut all);
    add::<uploading::FileOrder>(&mut all);
    add::<uploading::FileFact>(&mut all);
    add::<event::Event>(&mut all);
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    all
}
