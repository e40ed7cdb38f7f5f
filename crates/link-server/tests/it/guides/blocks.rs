//! Parses the blocks of a guide and classifies them.

/// A part of a guide that the runner handles.
#[derive(Clone, Debug)]
pub enum Part {
    Block(Block),
    /// `<!-- given: … -->`: a precondition of the next request, in words.
    Given(String),
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    pub line: usize,
    /// The info string of the opening fence.
    pub kind: String,
    pub text: String,
}

/// How a block is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A request that is sent.
    Request,
    /// The response to the previous request: status, headers, body.
    Answer,
    /// The body of the response to the previous request.
    Body,
    /// The body of a webhook delivery.
    Delivery,
    /// Shell commands that call the service with curl.
    Shell,
    /// `linchpin` commands and their output.
    Commands,
    /// Not run here, for the reason in [`ELSEWHERE`] or [`COMMANDS_ELSEWHERE`].
    Elsewhere,
    /// Neither run nor listed as excluded.
    Unknown,
}

/// Kinds of blocks that this test does not run, with the reason.
pub const ELSEWHERE: [(&str, &str); 6] = [
    ("", "a drawing"),
    ("text", "text, or lines to compare your own code with"),
    ("js", "a script for a page or a receiver: the browser tests open the widget the same way"),
    ("html", "a page: the browser tests open the widget from a similar one"),
    ("toml settings", "settings: settings/connector.rs reads it"),
    ("toml", "a settings file for operators"),
];

/// Commands that this test does not run, with the reason.
pub const COMMANDS_ELSEWHERE: [(&str, &str); 8] = [
    ("cargo xtask ", "the task that runs this test"),
    ("cargo build ", "CI runs it before this test"),
    ("cargo run --example ", "connectors.rs runs both programs"),
    ("dist/linchpin serve", "the release binary, which `cargo xtask test` starts"),
    ("linchpin serve", "faults/command_line.rs starts services"),
    ("export ", "sets a variable of the operator's shell"),
    ("echo ", "writes a file for the operator"),
    ("sudo ", "changes the machine"),
];

/// Parses a guide into its parts, in order.
pub fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut open): (Vec<Part>, Option<Block>) = (Vec::new(), None);
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => parts.extend(open.take().map(Part::Block)),
            (Some(kind), None) => {
                open = Some(Block { line: index + 1, kind: kind.trim().to_owned(), text: String::new() });
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                let given = line.strip_prefix("<!-- given: ").and_then(|rest| rest.strip_suffix(" -->"));
                parts.extend(given.map(|it| Part::Given(it.to_owned())));
            }
        }
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    parts
}

impl Block {
    /// Returns how the block is handled.
    pub fn how(&self) -> How {
        match self.kind.as_str() {
            "http" if is_request(&self.text) => How::Request,
            "http" => How::Answer,
            "json" => How::Body,
            "json delivery" => How::Delivery,
            "sh" | "bash" => How::Shell,
            "console" => self.how_of_commands(),
            kind if is_connectors(kind) => How::Elsewhere,
            kind if ELSEWHERE.iter().any(|(known, _)| *known == kind) => How::Elsewhere,
            "text signatures" => How::Elsewhere,
            _ => How::Unknown,
        }
    }

    fn how_of_commands(&self) -> How {
        let commands = self.commands();
        let all = |is: &dyn Fn(&str) -> bool| !commands.is_empty() && commands.iter().all(|it| is(it));
        let elsewhere = |it: &str| COMMANDS_ELSEWHERE.iter().any(|(known, _)| it.starts_with(known));
        match () {
            () if all(&elsewhere) => How::Elsewhere,
            () if all(&|it| it.starts_with("curl ")) => How::Shell,
            () if all(&|it| it.starts_with("linchpin ")) => How::Commands,
            () => How::Unknown,
        }
    }

    /// Returns the commands of a console block, without their output.
    pub fn commands(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ ")).collect()
    }
}

/// Returns true for a message of connectors.md, named by operation and direction.
fn is_connectors(kind: &str) -> bool {
    let mut words = kind.strip_prefix("json ").unwrap_or_default().split(' ');
    let operation = words.next().unwrap_or_default();
    let direction = words.next().unwrap_or_default();
    // A task follows its operation, as in `record/5b1c`.
    let (operation, _) = operation.split_once('/').unwrap_or((operation, ""));
    ["providers", "start", "step", "fetch", "refresh", "document", "record", "signal"].contains(&operation)
        && ["request", "answer"].contains(&direction)
}

fn is_request(text: &str) -> bool {
    let method = text.split(' ').next().unwrap_or_default();
    ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"].contains(&method)
}
