//! Builds elements with plain calls.
//!
//! Our own: `html!` unrolls every attribute in every place. These calls are shared, which saves 7 KB (ADR 11).

use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Listener, VList, VNode, VTag};

use crate::attribute::{Attribute, NAMES};

/// An element under construction.
pub struct Element(Box<VTag>);

/// Starts an element. An empty class adds no attribute.
pub fn element(tag: &'static str, class: &'static str) -> Element {
    let mut element = Element(Box::new(VTag::new(tag)));
    let values = vec![None; NAMES.len()].into();
    element.0.attributes = Attributes::Dynamic { keys: NAMES, values };
    if class.is_empty() { element } else { element.set(Attribute::Class, class) }
}

impl Element {
    /// Adds an attribute with a static value.
    pub fn set(self, name: Attribute, value: &'static str) -> Self {
        self.put(name, AttrValue::Static(value))
    }

    /// Adds a boolean attribute.
    pub fn flag(self, name: Attribute, on: bool) -> Self {
        if on { self.set(name, "true") } else { self }
    }

    /// Adds an attribute.
    pub fn put(self, name: Attribute, value: AttrValue) -> Self {
        self.assign(name, AttributeOrProperty::Attribute(value))
    }

    fn assign(mut self, name: Attribute, value: AttributeOrProperty) -> Self {
        if let Attributes::Dynamic { values, .. } = &mut self.0.attributes {
            values[name as usize] = Some(value);
        }
        self
    }

    /// Sets the value of an input if it changes. Without this call only the DOM knows it. What a password manager fills in
    /// without an event stays.
    pub fn value(self, text: &str) -> Self {
        self.property(Attribute::Value, text)
    }

    /// Sets whether a radio button is selected.
    pub fn select(mut self, selected: bool) -> Self {
        self.0.set_checked(selected);
        self
    }

    /// Adds a listener, like `onclick(..)`.
    pub fn on(mut self, listener: Rc<dyn Listener>) -> Self {
        self.0.add_listener(listener);
        self
    }

    /// Sets the text of an element without children. As a property, because translators replace text nodes, and Yew would
    /// look for those that it made (ADR 198).
    pub fn text(self, words: AttrValue) -> Self {
        self.property(Attribute::TextContent, &words)
    }

    /// Adds a text next to other children.
    pub fn words(self, words: AttrValue) -> Self {
        self.child(element("span", "").text(words).html())
    }

    fn property(self, name: Attribute, text: &str) -> Self {
        self.assign(name, AttributeOrProperty::Property(JsValue::from_str(text)))
    }

    /// Finds the element in the DOM later.
    pub fn with_reference(mut self, reference: &NodeRef) -> Self {
        self.0.node_ref = reference.clone();
        self
    }

    /// Adds a child.
    pub fn child(mut self, child: Html) -> Self {
        self.0.add_child(child);
        self
    }

    /// Adds an optional child. An absent one keeps its place, so that the following children stay the same elements.
    pub fn maybe(self, child: Option<Html>) -> Self {
        self.child(child.unwrap_or_default())
    }

    /// Adds children.
    pub fn list(self, children: Vec<Html>) -> Self {
        self.child(VList::with_children(children, None).into())
    }

    /// Finishes the element.
    pub fn html(self) -> Html {
        VNode::from(*self.0)
    }

    /// Finishes the element with a key among its siblings.
    pub fn with_key(mut self, key: String) -> Html {
        self.0.key = Some(key.into());
        self.html()
    }
}

/// Groups several nodes with a key among their siblings.
pub fn group(children: Vec<Html>, key: String) -> Html {
    VList::with_children(children, Some(key.into())).into()
}

/// Listens for a click.
pub fn onclick(callback: Callback<MouseEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onclick::Wrapper::new(callback))
}

/// Listens for every edit of an input.
pub fn oninput(callback: Callback<InputEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::oninput::Wrapper::new(callback))
}

/// Listens for a change of a select or radio button.
pub fn onchange(callback: Callback<Event>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onchange::Wrapper::new(callback))
}

/// Listens for the loss of focus.
pub fn onblur(callback: Callback<FocusEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onblur::Wrapper::new(callback))
}

/// Listens for a key.
pub fn onkeyup(callback: Callback<KeyboardEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onkeyup::Wrapper::new(callback))
}

/// Listens for the submission of a form.
pub fn onsubmit(callback: Callback<SubmitEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onsubmit::Wrapper::new(callback))
}

/// Listens for the load of an image.
pub fn onload(callback: Callback<Event>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onload::Wrapper::new(callback))
}
