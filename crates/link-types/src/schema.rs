//! The schemas of types that stand in no REST operation but are needed in TypeScript: host messages, callbacks.

use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{challenge, event, host, link, uploading};

/// Name and schema of every type the host bridge and the frame need, their parts included.
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
