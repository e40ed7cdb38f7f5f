//! The blocks of a guide, and what each of them is.

/// What a guide consists of, as far as it can be run.
#[derive(Clone, Debug)]
pub enum Part {
    Block(Block),
    /// `<!-- given: … -->`: what is there before the next request, as the guide's words say it.
    Given(String),
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    pub line: usize,
    /// The words behind the opening fence.
    pub kind: String,
    pub text: String,
}

/// What becomes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A request that is sent.
    Request,
    /// The answer to the request before it: status, headers, body.
    Answer,
    /// The body of the answer to the request before it.
    Body,
    /// The body of a delivery that a webhook gets.
    Delivery,
    /// Commands of a shell that ask the service by curl.
    Shell,
    /// Commands of `linchpin`, and what they print.
    Commands,
    /// Not run here; the reason is in [`ELSEWHERE`].
    Elsewhere,
    /// Neither run nor excused.
    Unknown,
}

/// Kinds of blocks that this test does not run, and why.
pub const ELSEWHERE: [(&str, &str); 6] = [
    ("", "a drawing"),
    ("text", "words, or lines to compare one's own code with"),
    ("js", "a page's or a receiver's script: the browser's tests open the widget like it"),
    ("html", "a page: the browser's tests open the widget from one like it"),
    ("toml settings", "settings: settings/connector.rs reads it"),
    ("toml", "a settings file of the operator's"),
];

/// Commands that this test does not run, and why.
pub const COMMANDS_ELSEWHERE: [(&str, &str); 8] = [
    ("cargo xtask ", "the task that runs this test"),
    ("cargo build ", "what CI does before this test"),
    ("cargo run --example ", "connectors.rs runs both programs"),
    ("dist/linchpin serve", "the release, which `cargo xtask test` starts"),
    ("linchpin serve", "faults/command_line.rs starts services"),
    ("export ", "a variable of the operator's shell"),
    ("echo ", "a file of the operator's"),
    ("sudo ", "changes the machine"),
];

/// A guide's parts, in order.
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
    /// What becomes of it.
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

    /// The commands of a console, without what they print.
    pub fn commands(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ ")).collect()
    }
}

/// The messages of connectors.md, by operation and direction.
fn is_connectors(kind: &str) -> bool {
    let mut words = kind.strip_prefix("json ").unwrap_or_default().split(' ');
    let operation = words.next().unwrap_or_default();
    let direction = words.next().unwrap_or_default();
    ["providers", "start", "step", "fetch", "refresh"].contains(&operation)
        && ["request", "answer"].contains(&direction)
}

fn is_request(text: &str) -> bool {
    let method = text.split(' ').next().unwrap_or_default();
    ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"].contains(&method)
}
