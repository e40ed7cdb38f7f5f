//! Commands that send a delivery to another address, for example to a receiver on the developer's machine.

use link_types::id::EventId;

/// Returns a command for a shell that sends an event, signed with the secret in the variable `SECRET`.
pub fn curl(url: &str, event_id: &EventId, body: &str) -> String {
    format!(
        "BODY={body}\n\
         curl -X POST {url} \\\n  \
         -H 'Content-Type: application/json' \\\n  \
         -H {id} \\\n  \
         -H \"Service-Signature: $(printf %s \"$BODY\" | openssl dgst -sha512 -hmac \"$SECRET\" | sed 's/.* //')\" \\\n  \
         --data-binary \"$BODY\"\n",
        body = quote(body),
        url = quote(url),
        id = quote(&format!("webhook-id: {event_id}")),
    )
}

/// Returns a text as one word of a shell's command.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_quotes_the_body_and_the_address() {
        let command = curl("https://x.example/it's", &EventId::from_bytes([1; 16]), r#"{"a":"it's $HOME"}"#);
        assert!(command.starts_with("BODY='{\"a\":\"it'\\''s $HOME\"}'\n"), "{command}");
        assert!(command.contains(r"curl -X POST 'https://x.example/it'\''s' \"), "{command}");
        assert!(command.contains("-H 'webhook-id: et-0101"), "{command}");
    }
}
