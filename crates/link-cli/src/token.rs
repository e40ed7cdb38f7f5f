//! `linchpin token`.

use clap::Args;
use link_types::id::UserId;
use serde_json::{Value, json};

use crate::connection::Access;
use crate::failure::CallError;
use crate::shown::Shown;
use crate::terminal::{CommandError, say};

/// The arguments of `token`.
#[derive(Args)]
pub struct TokenArgs {
    #[command(flatten)]
    access: Access,
    /// An existing user (`TENANT-…`). If absent, a user is created, or found by --reference.
    #[arg(long, conflicts_with = "reference")]
    user: Option<UserId>,
    /// Your own identifier of the person.
    #[arg(long)]
    reference: Option<String>,
}

const TOKEN: Shown = Shown::Lines {
    parts: &[
        ("user", "/userId"),
        ("environment", "/mode"),
        ("expires", "/expiresAt"),
        ("token", "/accessToken"),
    ],
    advice: "The token opens the widget once.",
};

impl TokenArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let rest = self.access.connection.rest()?;
        let foreign = || CallError::Foreign { status: 200 }.explain(rest.base());
        let (user, mut token) = match &self.user {
            Some(user) => (json!(user), rest.post(&format!("/tokens?userId={user}"), None)?),
            None => {
                let body = match &self.reference {
                    Some(reference) => json!({"reference": reference}),
                    None => json!({}),
                };
                let mut user = rest.post("/users", Some(&body))?;
                let mut take = |name| user.get_mut(name).map(Value::take);
                take("id").zip(take("token")).ok_or_else(foreign)?
            }
        };
        token.as_object_mut().ok_or_else(foreign)?.insert("userId".to_owned(), user);
        say(&self.access.show(&token, &TOKEN)?)
    }
}
