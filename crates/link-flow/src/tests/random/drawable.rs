//! Conditions that every view must satisfy so that the shell can draw it.

use crate::view::block::{Block, Input};
use crate::view::{Text, View};

/// Checks that a page can be drawn: one heading, the actions last, ids unique.
pub(super) fn check_view(view: &View) {
    let parts = core::iter::once(&view.page.blocks).chain(view.overlay.iter().map(|overlay| &overlay.blocks));
    for blocks in parts.filter(|blocks| !blocks.is_empty()) {
        let headings = blocks.iter().filter(|block| matches!(block, Block::Heading { .. })).count();
        assert_eq!(headings, 1, "{blocks:?}");
        let actions = blocks.iter().position(|block| matches!(block, Block::Actions { .. }));
        assert!(actions.is_none_or(|at| at == blocks.len() - 1), "{blocks:?}");
        let mut ids = Vec::new();
        for block in blocks {
            if let Block::Field(field) = block {
                assert!(!ids.contains(&&field.id), "{blocks:?}");
                ids.push(&field.id);
                let is_secret = matches!(field.input, Input::Password { .. } | Input::OneTimeCode { .. });
                assert!(is_secret || field.id != "password", "{field:?}");
            }
        }
    }
}

/// Checks that catalogue texts have the arguments that the catalogue defines.
pub(super) fn check_arguments(view: &View) {
    let mut texts = vec![&view.page.title, &view.page.header.close];
    texts.extend(view.page.footer.iter().chain(&view.page.header.back).chain(&view.announcement.text));
    let overlay = view.overlay.iter().flat_map(|overlay| &overlay.blocks);
    for block in view.page.blocks.iter().chain(overlay) {
        texts.extend(texts_of(block));
    }
    for text in texts {
        if let Text::Message(message, args) = text {
            assert_eq!(message.arguments().len(), args.len(), "{text:?}");
        }
    }
}

fn texts_of(block: &Block) -> Vec<&Text> {
    match block {
        Block::Heading { text, .. } | Block::Paragraph { text, .. } | Block::Countdown { text, .. } => {
            vec![text]
        }
        Block::Notice { title, text, .. } => title.iter().chain([text]).collect(),
        Block::Provider { name, detail, .. } => detail.iter().chain([name]).collect(),
        Block::Summary { items } => items.iter().flat_map(|item| [&item.title, &item.detail]).collect(),
        Block::Document { title, version, .. } => vec![title, version],
        Block::Field(field) => {
            field.error.iter().chain(&field.help).chain(&field.hint).chain([&field.label]).collect()
        }
        Block::Choices(list) => list
            .choices
            .iter()
            .flat_map(|choice| choice.detail.iter().chain([&choice.title]))
            .chain([&list.label])
            .collect(),
        Block::Search { label, placeholder, clear, .. } => clear.iter().chain([label, placeholder]).collect(),
        Block::Tabs { label, tabs } => tabs.iter().map(|tab| &tab.label).chain([label]).collect(),
        Block::Progress { stages } => stages.iter().map(|stage| &stage.text).collect(),
        Block::Picture { alt, recording, .. } => {
            let button = recording.iter().flat_map(|it| it.state.iter().chain([&it.label]));
            button.chain([alt]).collect()
        }
        Block::Link { label, .. } => vec![label],
        Block::DropZone { title, text, choose, camera, camera_help, .. } => {
            vec![title, text, choose, camera, camera_help]
        }
        Block::Photo { alt, edges, tools, .. } => [alt]
            .into_iter()
            .chain(edges.iter().map(|it| &it.1))
            .chain(tools.iter().map(|it| &it.1))
            .collect(),
        Block::Files { label, rows, clear } => rows
            .iter()
            .flat_map(|row| {
                let labels = row.actions.iter().map(|(_, label)| label);
                labels.chain(&row.error).chain([&row.name, &row.detail])
            })
            .chain([label])
            .chain(clear.iter().map(|(_, label)| label))
            .collect(),
        Block::Skeleton { .. } => Vec::new(),
        Block::Actions { primary, secondary } => {
            secondary.iter().chain([primary]).map(|it| &it.label).collect()
        }
    }
}
