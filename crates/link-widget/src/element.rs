//! Elements in plain calls. `html!` unrolls every attribute at every place; these calls are made once and shared, which
//! takes 7 KB off what a browser loads (docs/adr/0011-blocks-view.md).

use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::{Listener, VList, VNode, VTag};

/// An element under construction.
pub struct Element(Box<VTag>);

/// Starts an element; an empty class is none.
#[inline(never)]
pub fn element(tag: &'static str, class: &'static str) -> Element {
    let element = Element(Box::new(VTag::new(tag)));
    if class.is_empty() { element } else { element.set("class", class) }
}

impl Element {
    /// An attribute that is always the same, or one of a few.
    #[inline(never)]
    pub fn set(self, name: &'static str, value: &'static str) -> Self {
        self.put(name, AttrValue::Static(value))
    }

    /// An attribute that stands for "yes" by being there.
    #[inline(never)]
    pub fn flag(self, name: &'static str, on: bool) -> Self {
        if on { self.set(name, "true") } else { self }
    }

    /// An attribute.
    #[inline(never)]
    pub fn put(mut self, name: &'static str, value: AttrValue) -> Self {
        self.0.add_attribute(name, value);
        self
    }

    /// What an input holds. Without this call the DOM alone knows.
    #[inline(never)]
    pub fn value(mut self, text: &str) -> Self {
        self.0.set_value(Some(AttrValue::from(text.to_owned())));
        self
    }

    /// Whether a radio button is the chosen one.
    #[inline(never)]
    pub fn checked(mut self, checked: bool) -> Self {
        self.0.set_checked(checked);
        self
    }

    /// A listener: `onclick(..)` and the like.
    #[inline(never)]
    pub fn on(mut self, listener: Rc<dyn Listener>) -> Self {
        self.0.add_listener(listener);
        self
    }

    /// Words inside.
    #[inline(never)]
    pub fn text(self, words: AttrValue) -> Self {
        self.child(words.into())
    }

    /// Something inside.
    #[inline(never)]
    pub fn child(mut self, child: Html) -> Self {
        self.0.add_child(child);
        self
    }

    /// Something inside that is not always there. It keeps its place, so that what follows stays the same element.
    #[inline(never)]
    pub fn maybe(self, child: Option<Html>) -> Self {
        self.child(child.unwrap_or_default())
    }

    /// Many things inside.
    #[inline(never)]
    pub fn list(self, children: Vec<Html>) -> Self {
        self.child(VList::with_children(children, None).into())
    }

    /// The element, done.
    #[inline(never)]
    pub fn html(self) -> Html {
        VNode::from(*self.0)
    }

    /// The element, done, known by this key among its siblings.
    #[inline(never)]
    pub fn keyed(mut self, key: String) -> Html {
        self.0.key = Some(key.into());
        self.html()
    }
}

/// Several things as one, known by this key among its siblings.
#[inline(never)]
pub fn group(children: Vec<Html>, key: String) -> Html {
    VList::with_children(children, Some(key.into())).into()
}

/// Hears a click.
pub fn onclick(heard: Callback<MouseEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onclick::Wrapper::new(heard))
}

/// Hears every edit of an input.
pub fn oninput(heard: Callback<InputEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::oninput::Wrapper::new(heard))
}

/// Hears a choice of a select or a radio button.
pub fn onchange(heard: Callback<Event>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onchange::Wrapper::new(heard))
}

/// Hears that the focus left.
pub fn onblur(heard: Callback<FocusEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onblur::Wrapper::new(heard))
}

/// Hears a key.
pub fn onkeyup(heard: Callback<KeyboardEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onkeyup::Wrapper::new(heard))
}

/// Hears that a form is submitted.
pub fn onsubmit(heard: Callback<SubmitEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onsubmit::Wrapper::new(heard))
}

/// Hears that an image is there.
pub fn onload(heard: Callback<Event>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onload::Wrapper::new(heard))
}
