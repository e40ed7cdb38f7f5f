//! Parses Fluent files. Supports only what the widget uses: texts, arguments and plural forms.

use std::collections::BTreeMap;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::unicode::unescape_unicode_to_string;

use crate::failure::{Failure, Outcome};

/// The texts of one locale by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The messages, sorted by key. The number of a message is its index here.
    pub messages: BTreeMap<String, Vec<Part>>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// The value of an argument.
    Argument(String),
    /// Forms for the plural category or the exact value of an argument.
    Plural {
        /// The argument that selects the form.
        argument: String,
        /// The forms by category (`one`, `other`, ...) or number.
        forms: BTreeMap<String, Vec<Part>>,
    },
}

const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

impl Catalogue {
    /// Returns a text as written in its file, or `None` if it has plural forms.
    pub fn text(&self, key: &str) -> Option<String> {
        let parts = self.messages.get(key)?.iter().map(|part| match part {
            Part::Text(words) => Some(words.clone()),
            Part::Argument(name) => Some(format!("{{ ${name} }}")),
            Part::Plural { .. } => None,
        });
        parts.collect()
    }

    /// Returns the arguments of a message in the order of their first appearance.
    pub fn arguments(&self, key: &str) -> Vec<String> {
        let mut names = Vec::new();
        collect(self.messages.get(key).map_or(&[], Vec::as_slice), &mut names);
        names
    }
}

fn collect(parts: &[Part], names: &mut Vec<String>) {
    for part in parts {
        let (name, forms) = match part {
            Part::Text(_) => continue,
            Part::Argument(name) => (name, None),
            Part::Plural { argument, forms } => (argument, Some(forms)),
        };
        if !names.contains(name) {
            names.push(name.clone());
        }
        for form in forms.into_iter().flat_map(BTreeMap::values) {
            collect(form, names);
        }
    }
}

/// Parses the file of a locale.
///
/// # Errors
/// If the file is not valid Fluent, uses unsupported features, or defines a key twice.
pub fn parse(source: &str, locale: &str) -> Outcome<Catalogue> {
    let resource = fluent_syntax::parser::parse(source).map_err(|(_, errors)| {
        let reported: Vec<String> = errors
            .iter()
            .map(|error| {
                format!(
                    "line {}: {error}",
                    source[..error.pos.start.min(source.len())].lines().count().max(1)
                )
            })
            .collect();
        Failure::new(format!("{locale}.ftl is not valid Fluent")).why(reported.join("\n"))
    })?;
    let mut catalogue = Catalogue::default();
    for entry in &resource.body {
        match entry {
            Entry::Message(message) => {
                let key = message.id.name;
                let refuse = |why: &str| refusal(locale, key, why);
                if !message.attributes.is_empty() {
                    return Err(refuse("attributes are not supported"));
                }
                let value = message.value.as_ref().ok_or_else(|| refuse("it has no text"))?;
                let parts = pattern(value, &refuse)?;
                if catalogue.messages.insert(key.to_owned(), parts).is_some() {
                    return Err(refuse("the key is defined twice"));
                }
            }
            Entry::Term(term) => return Err(refusal(locale, term.id.name, "terms are not supported")),
            Entry::Junk { content } => return Err(refusal(locale, content, "it is not valid Fluent")),
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
        }
    }
    Ok(catalogue)
}

fn refusal(locale: &str, key: &str, why: &str) -> Failure {
    Failure::new(format!("{locale}.ftl: {key}"))
        .why(why)
        .advice("use only texts, `{ $argument }` and `{ $number -> [one] ... *[other] ... }`")
}

fn pattern(pattern: &Pattern<&str>, refuse: &impl Fn(&str) -> Failure) -> Outcome<Vec<Part>> {
    let mut parts = Vec::new();
    for element in &pattern.elements {
        let part = match element {
            PatternElement::TextElement { value } => Part::Text((*value).to_owned()),
            PatternElement::Placeable { expression } => placeable(expression, refuse)?,
        };
        match (parts.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, part) => parts.push(part),
        }
    }
    Ok(parts)
}

fn placeable(expression: &Expression<&str>, refuse: &impl Fn(&str) -> Failure) -> Outcome<Part> {
    match expression {
        // `{ "\u2066" }` makes characters visible that have no width.
        Expression::Inline(InlineExpression::StringLiteral { value }) => {
            Ok(Part::Text(unescape_unicode_to_string(value).into_owned()))
        }
        Expression::Inline(InlineExpression::NumberLiteral { value }) => Ok(Part::Text((*value).to_owned())),
        Expression::Inline(InlineExpression::VariableReference { id }) => {
            Ok(Part::Argument(id.name.to_owned()))
        }
        Expression::Inline(InlineExpression::Placeable { expression }) => placeable(expression, refuse),
        Expression::Inline(
            InlineExpression::FunctionReference { .. }
            | InlineExpression::MessageReference { .. }
            | InlineExpression::TermReference { .. },
        ) => Err(refuse("functions and references to other messages are not supported")),
        Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
            Ok(Part::Plural { argument: id.name.to_owned(), forms: forms(variants, refuse)? })
        }
        Expression::Select { .. } => Err(refuse("only an argument can select a form")),
    }
}

fn forms(
    variants: &[Variant<&str>],
    refuse: &impl Fn(&str) -> Failure,
) -> Outcome<BTreeMap<String, Vec<Part>>> {
    let mut forms = BTreeMap::new();
    for variant in variants {
        let name = match &variant.key {
            VariantKey::Identifier { name } if CATEGORIES.contains(name) => (*name).to_owned(),
            VariantKey::Identifier { .. } => {
                return Err(refuse(
                    "forms must be plural categories (zero, one, two, few, many, other) or whole numbers",
                ));
            }
            VariantKey::NumberLiteral { value } => (*value).to_owned(),
        };
        if variant.default && name != "other" {
            return Err(refuse("the default form must be *[other]"));
        }
        if forms.insert(name, pattern(&variant.value, refuse)?).is_some() {
            return Err(refuse("a form is defined twice"));
        }
    }
    Ok(forms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.into())
    }

    fn argument(name: &str) -> Part {
        Part::Argument(name.into())
    }

    #[test]
    fn texts_arguments_and_plural_forms_are_parsed() {
        let source = "\
### A group
b = { $provider } sent a code{ \"\\u0021\" }
a = Plain
c = { $count ->
    [0] None
    [one] { $count } provider
   *[other] { $count } providers of { $all }
}
";
        let catalogue = parse(source, "en").unwrap();
        assert_eq!(catalogue.messages.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(catalogue.messages["a"], [text("Plain")]);
        assert_eq!(catalogue.messages["b"], [argument("provider"), text(" sent a code!")]);
        let forms = [
            ("0", vec![text("None")]),
            ("one", vec![argument("count"), text(" provider")]),
            ("other", vec![argument("count"), text(" providers of "), argument("all")]),
        ];
        let forms = forms.map(|(name, parts)| (name.to_owned(), parts)).into();
        assert_eq!(catalogue.messages["c"], [Part::Plural { argument: "count".into(), forms }]);
        assert_eq!(catalogue.arguments("c"), ["count", "all"]);
    }

    #[test]
    fn arguments_are_in_the_order_of_their_first_appearance() {
        let catalogue = parse("a = { $b } { $n ->\n *[other] { $c }\n } { $a } { $b }\n", "en").unwrap();
        assert_eq!(catalogue.arguments("a"), ["b", "n", "c", "a"]);
    }

    #[test]
    fn lines_of_a_text_are_joined_by_a_line_break() {
        let catalogue = parse("a =\n    One\n    two\n", "en").unwrap();
        assert_eq!(catalogue.messages["a"], [text("One\ntwo")]);
    }

    #[test]
    fn unsupported_fluent_is_rejected() {
        for (source, why) in [
            ("a = { NUMBER($n) }\n", "functions"),
            ("a = { b }\nb = B\n", "references"),
            ("a = { -brand }\n", "references"),
            ("-brand = Linchpin\n", "terms"),
            ("a = A\n    .title = T\n", "attributes"),
            ("a = { $n ->\n [one] 1\n *[many] 2\n }\n", "*[other]"),
            ("a = { $n ->\n [male] 1\n *[other] 2\n }\n", "plural categories"),
            ("a = { 3 ->\n *[other] 2\n }\n", "only an argument"),
            ("a = A\na = B\n", "twice"),
            ("a = { $n\n", "not valid Fluent"),
        ] {
            let refused = parse(source, "en").unwrap_err().to_string();
            assert!(refused.contains(why), "{source:?}: {refused}");
        }
    }
}
