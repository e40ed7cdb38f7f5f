//! The attributes that the widget sets.

macro_rules! attributes {
    ($($variant:ident = $name:literal,)+) => {
        /// An attribute or property of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Attribute {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        /// The names of all attributes, by number. Every element has this one list, so Yew compares values by their place, and its
        /// code to build maps of attributes is not in the wasm, which saves 1.3 KB of the first open.
        pub static NAMES: &[&str] = &[$($name),+];
    };
}

attributes! {
    Class = "class",
    Id = "id",
    For = "for",
    Name = "name",
    Type = "type",
    Value = "value",
    Role = "role",
    Href = "href",
    Target = "target",
    Rel = "rel",
    Src = "src",
    Alt = "alt",
    Accept = "accept",
    Autocomplete = "autocomplete",
    Autocapitalize = "autocapitalize",
    Autocorrect = "autocorrect",
    Capture = "capture",
    Disabled = "disabled",
    Readonly = "readonly",
    Enterkeyhint = "enterkeyhint",
    Hidden = "hidden",
    Inert = "inert",
    Inputmode = "inputmode",
    Max = "max",
    Multiple = "multiple",
    Novalidate = "novalidate",
    Placeholder = "placeholder",
    Selected = "selected",
    Spellcheck = "spellcheck",
    Tabindex = "tabindex",
    AriaBusy = "aria-busy",
    AriaCurrent = "aria-current",
    AriaDescribedby = "aria-describedby",
    AriaDisabled = "aria-disabled",
    AriaHidden = "aria-hidden",
    AriaInvalid = "aria-invalid",
    AriaLabel = "aria-label",
    AriaLabelledby = "aria-labelledby",
    AriaLive = "aria-live",
    AriaModal = "aria-modal",
    AriaPressed = "aria-pressed",
    AriaRequired = "aria-required",
    DataDone = "data-done",
    DataEdge = "data-edge",
    DataFramed = "data-framed",
    DataHue = "data-hue",
    DataInvalid = "data-invalid",
    DataLayout = "data-layout",
    DataSecret = "data-secret",
    DataSlot = "data-slot",
    DataState = "data-state",
    DataTone = "data-tone",
    Width = "width",
    Height = "height",
    ViewBox = "viewBox",
    Fill = "fill",
    Stroke = "stroke",
    StrokeWidth = "stroke-width",
    StrokeLinecap = "stroke-linecap",
    StrokeLinejoin = "stroke-linejoin",
    D = "d",
    Cx = "cx",
    Cy = "cy",
    R = "r",
    PathLength = "pathLength",
    StrokeDasharray = "stroke-dasharray",
    TextContent = "textContent",
}
