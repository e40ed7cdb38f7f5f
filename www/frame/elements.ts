/** Makes elements: of the pages that boot.ts draws before the program, and the root of the program. */

/** Makes an element with a text and children. An empty class adds no attribute. */
export function make(tag: string, className: string, text: string, ...children: Element[]): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  element.append(...children);
  return element;
}

/** Makes the heading of a page, which can get the focus. */
export function headingOf(text: string): HTMLElement {
  return Object.assign(make("h1", "heading", text), { id: "heading", tabIndex: -1 });
}

/** Makes the icon above a heading. */
export function sign(path: string, tone: "accent" | "warning"): HTMLElement {
  const element = make("div", "sign", "", picture(path));
  element.dataset["tone"] = tone;
  return element;
}

/** Makes a button: the main action of a page, or another one. */
export function button(look: "button-primary" | "button-quiet", text: string, press: () => void): HTMLElement {
  return Object.assign(make("button", `button ${look}`, "", make("span", "", text)), { type: "button", onclick: press });
}

/** Makes an icon like those of the program. `flips` mirrors it in right-to-left text. */
export function picture(path: string, flips = false): SVGElement {
  const icon = document.querySelector(".icon-close svg")!.cloneNode(true) as SVGElement;
  icon.firstElementChild!.setAttribute("d", path);
  if (flips) icon.setAttribute("class", "flip");
  return icon;
}

/** Creates a new root element. The listeners of a trapped program stay on the old one. */
export function freshRoot(): Element {
  const root = document.createElement("div");
  root.id = "linchpin";
  root.className = "root";
  document.getElementById("linchpin")?.replaceWith(root);
  return root;
}
