//! Lists the functions to move to the deferred chunk (ADR 77).

/// Parts of function names: the deferred screens (the members of their vtables, and `enter`), what only those screens draw and
/// ask for, and the copies, drops and encodings of values that only they create.
pub const DEFERRED: [&str; 15] = [
    "link_widget::block::deferred::",
    "link_widget::effect::deferred::",
    "link_flow::screen::deferred::",
    "link_flow::login_draft::",
    "link_flow::login_form::",
    "link_flow::fault::",
    "link_flow::uploads::",
    "link_widget::block::choices::radio",
    "link_widget::block::choices::fixed",
    "link_flow::effect::ArchiveAsk as core::clone",
    "link_flow::view::block::FileRow>",
    "link_types::host::Upload>",
    "link_types::host::UploadsSubject>",
    "link_types::uploading::script::FileFact>",
    "link_types::uploading::Linked",
];

/// Functions of deferred modules that stay in the first part: it resumes an account, and so creates its login form and
/// drops it if the person leaves before the chunk is loaded.
const BEFORE_THE_CHUNK: [&str; 2] =
    ["drop_in_place::<link_flow::login_form::LoginForm>", "LoginForm>::of_option"];

/// Returns whether the function with this name belongs in the deferred chunk.
pub fn is_deferred(name: &str) -> bool {
    let name = plain_name(name);
    DEFERRED.iter().any(|part| name.contains(part))
        && !BEFORE_THE_CHUNK.iter().any(|part| name.contains(part))
}

/// Removes the hashes of crates: `link_flow[0123456789abcdef]::state` becomes `link_flow::state`.
pub fn plain_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for (at, piece) in name.split('[').enumerate() {
        match piece.split_once(']') {
            Some((hash, after))
                if (12..=16).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit()) =>
            {
                plain.push_str(after);
            }
            _ if at == 0 => plain.push_str(piece),
            _ => {
                plain.push('[');
                plain.push_str(piece);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_deferred_screens_are_deferred() {
        assert!(is_deferred("<link_flow[28bb4659b88c92b0]::screen::deferred::accounts::Accounts>::enter"));
        assert!(is_deferred("core::ptr::drop_in_place::<[link_flow::uploads::file::File]>"));
        assert!(is_deferred("core::ptr::drop_in_place::<link_types::uploading::script::FileFact>"));
        assert!(!is_deferred("<link_flow[28bb4659b88c92b0]::state::State>::handle"));
        assert!(!is_deferred("link_flow::emit::uploads_created"));
        assert!(is_deferred("<link_flow[28bb4659b88c92b0]::login_form::LoginForm>::visible"));
        assert!(!is_deferred(
            "core::ptr::drop_in_place::<link_flow[28bb4659b88c92b0]::login_form::LoginForm>"
        ));
    }
}
