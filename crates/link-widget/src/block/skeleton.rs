//! Grey placeholder rows.

use yew::prelude::*;

use crate::element::element;

pub fn skeleton(rows: u8) -> Html {
    element("div", "rows").set("aria-hidden", "true").list((0..rows).map(|_| row()).collect()).html()
}

fn row() -> Html {
    let bone = |class| element("span", class).html();
    let lines = element("span", "bones").child(bone("bone bone-name")).child(bone("bone bone-short"));
    element("div", "row").child(bone("bone bone-mark")).child(lines.html()).html()
}
