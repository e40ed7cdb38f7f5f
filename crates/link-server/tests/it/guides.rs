//! Runs the documentation: sends every request that a guide shows and compares the response.
//!
//! docs/README.md explains the format of a guide in "How the examples are run".

mod blocks;
mod commands;
mod compare;
mod given;
mod run;

use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, stream};

use self::blocks::{COMMANDS_ELSEWHERE, ELSEWHERE, How, Part, parts};
use self::run::Guide;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the Markdown files in `docs` and its folders, without ADRs and samples.
fn pages() -> Vec<PathBuf> {
    let folders = ["docs", "docs/how-to", "docs/reference", "docs/explanation"];
    let files = folders.iter().flat_map(|it| std::fs::read_dir(root().join(it)).unwrap());
    let pages = files.map(|it| it.unwrap().path());
    let mut pages: Vec<_> = pages.filter(|it| it.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

/// Returns the guides and `README.md`: path and text.
fn guides() -> Vec<(String, String)> {
    let mut paths = pages();
    paths.push(root().join("README.md"));
    let named = |path: &PathBuf| {
        let path = path.strip_prefix(root()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    paths.iter().map(|path| (named(path), std::fs::read_to_string(path).unwrap())).collect()
}

fn has_requests(text: &str) -> bool {
    parts(text).iter().any(|it| match it {
        Part::Block(block) => !matches!(block.how(), How::Elsewhere | How::Commands),
        Part::Given(_) => false,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guide_requests_return_the_documented_responses() {
    let only = std::env::var("GUIDE").unwrap_or_default();
    let shown: Vec<_> =
        guides().into_iter().filter(|it| it.0.contains(&only) && has_requests(&it.1)).collect();
    let run = shown.len();
    // An async closure here crashes rustc 1.95 in some incremental builds.
    let run_guide =
        |(name, text): (String, String)| async move { Guide::start().await.run(&name, &text).await };
    let runs = shown.into_iter().map(run_guide);
    let found: Vec<Vec<String>> = stream::iter(runs).buffer_unordered(4).collect().await;
    let found = found.concat();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
    assert!(run > 10 || !only.is_empty(), "only {run} guides have requests");
}

#[test]
fn excluded_guide_blocks_still_exist() {
    let all: Vec<_> = guides().iter().flat_map(|(_, text)| parts(text)).collect();
    let blocks = || all.iter().filter_map(|it| if let Part::Block(it) = it { Some(it) } else { None });
    for (kind, reason) in ELSEWHERE {
        assert!(blocks().any(|it| it.kind == kind), "no block is of kind {kind:?} ({reason})");
    }
    for (command, reason) in COMMANDS_ELSEWHERE {
        let used =
            blocks().any(|it| it.kind == "console" && it.commands().iter().any(|it| it.starts_with(command)));
        assert!(used, "no guide has {command:?} ({reason})");
    }
}

/// Checks that code blocks in doc comments are Rust, which rustdoc runs, or plain text.
#[test]
fn doc_comments_contain_no_requests() {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for (index, line) in text.lines().enumerate() {
                    let comment =
                        line.trim_start().strip_prefix("///").or(line.trim_start().strip_prefix("//!"));
                    let kind = comment.and_then(|it| it.trim().strip_prefix("```"));
                    if kind.is_some_and(|it| ["http", "json", "sh", "bash", "console"].contains(&it)) {
                        found.push(format!("{}:{}", path.display(), index + 1));
                    }
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("crates"), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn guide_runner_reports_wrong_responses() {
    let wrong = "```http\nPOST /sandbox/v1/users\n\n{\"reference\": \"r\"}\n```\n```json\n{\"reference\": \"s\", \"…\": \"…\"}\n```\n\
                 ```http\nGET /sandbox/v1/users/{userId}/nothing\n```\n```json\n{}\n```\n```yaml\n```\n";
    let found = Guide::start().await.run("wrong", wrong).await.join("\n");
    for fault in [".reference is \"r\", \"s\" in the guide", "404", "\"yaml\" is neither run nor"] {
        assert!(found.contains(fault), "{fault}: {found}");
    }
}
