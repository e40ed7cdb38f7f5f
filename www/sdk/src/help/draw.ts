/** Draws the bridge's cover like the screens of the widget. */
import type { Reason, Words } from "./words";

const REASONS: Record<string, Reason> = {
  network: "offline",
  blocked: "blocked",
  unsupported: "old",
  csp: "setup",
  origin: "setup",
  template: "setup",
  options: "setup",
  script: "setup",
  container: "setup",
};

const CROSS = "M18 6 6 18M6 6l12 12";
const UNPLUGGED =
  "m19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4ZM7.5 13.5 10 11M10.5 16.5 13 14M12 6l6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z";

const LIGHT = "--surface:#fff;--ink:#12161d;--soft:#515a68;--line:#e3e6eb;--hover:#eef0f3;--bone:#e9ecf0;--warn:#855100;--tint:#fdf3e0";
const DARK = "--surface:#15181d;--ink:#f0f2f5;--soft:#a9b1bd;--line:#2b3038;--hover:#242930;--bone:#252a31;--warn:#f0bd5e;--tint:#2d2413";

/** The values of `www/frame/styles/tokens.css`. The tenant's colors are known only inside the frame. */
const STYLES = `
.cover{${LIGHT};position:absolute;inset:0;display:grid;grid-template:56px minmax(0,1fr) auto/minmax(0,1fr);background:var(--surface);color:var(--ink);font:400 15px/22px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif;text-align:start;overflow-wrap:break-word}
dialog[style*="scheme: dark"] .cover{${DARK}}
@media (prefers-color-scheme:dark){dialog:not([style*="scheme: light;"]) .cover{${DARK}}}
.bar{grid-area:1/1;border-bottom:1px solid var(--line)}
.page{grid-area:2/1;display:flex;flex-direction:column;gap:16px;min-height:0;padding:24px max(24px,(100% - 480px)/2);overflow:auto}
.page h1,.page p{margin:0}
.page h1{font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.01em;text-wrap:balance}
[dir=rtl] h1{letter-spacing:normal}
.page p{color:var(--soft)}
.sign{display:grid;place-items:center;flex:none;width:56px;height:56px;border-radius:50%;background:var(--tint);color:var(--warn)}
.bone{flex:none;height:14px;width:85%;border-radius:6px;background:var(--bone);animation:pulse 1.2s ease-in-out infinite alternate}
.bone:first-child{height:26px;width:65%}
.bone:last-child{width:55%}
@keyframes pulse{to{opacity:.5}}
@media (prefers-reduced-motion:reduce){.bone{animation:none}}
.foot{grid-area:3/1;display:grid;gap:8px;padding:12px max(24px,(100% - 480px)/2) max(20px,env(safe-area-inset-bottom))}
button{margin:0;border:0;background:none;color:inherit;font:inherit;cursor:pointer}
button:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
.foot button{min-height:48px;padding:8px 16px;border-radius:10px;font-weight:600}
.foot .main{background:var(--ink);color:var(--surface)}
.foot button:not(.main):hover,.icon:hover{background:var(--hover)}
.icon{grid-area:1/1;justify-self:end;align-self:center;display:grid;place-items:center;width:40px;height:40px;margin:0 8px;padding:0;border-radius:10px;color:var(--soft)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;

function make(tag: string, className: string, ...content: (Element | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

function picture(path: string, size: number): SVGElement {
  const makeSvg = (tag: string, attributes: Record<string, string>): SVGElement => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name of Object.keys(attributes)) element.setAttribute(name, attributes[name]!);
    return element;
  };
  const icon = makeSvg("svg", {
    width: `${size}`,
    height: `${size}`,
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  });
  icon.append(makeSvg("path", { d: path }));
  return icon;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);

/** Draws the cover again: its buttons stay the same elements, so that the focus stays. */
export function draw(cover: HTMLElement, words: Words, cause?: string): void {
  const root = cover.getRootNode() as ShadowRoot;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  const focused = root.activeElement as HTMLElement | null;
  const status = cover.querySelector("output")!;
  // In the order of the bridge the first time, by their looks after that.
  const buttons = [...cover.querySelectorAll("button")];
  const close = cover.querySelector<HTMLButtonElement>(".icon") ?? buttons.at(-1)!;
  const retry = cover.querySelector<HTMLButtonElement>(".again") ?? (close.className ? undefined : buttons.at(-2));
  cover.style.cssText = "";
  cover.lang = words.locale;
  cover.dir = words.locale === "ar" ? "rtl" : "ltr";
  cover.className = "cover";
  close.style.cssText = "";
  close.className = "icon";
  close.ariaLabel = words.close;
  close.replaceChildren(picture(CROSS, 20));
  const content: Element[] = [make("div", "bar"), status, close];
  status.style.cssText = "";
  if (cause) {
    const reason = REASONS[cause] ?? "broken";
    const [title, text] = words.reasons[reason];
    status.className = "page";
    status.replaceChildren(make("div", "sign", picture(UNPLUGGED, 26)), make("h1", "", title), make("p", "", text));
    const leave = make("button", "", words.close) as HTMLButtonElement;
    leave.onclick = close.onclick;
    const foot = make("div", "foot");
    if (retry) {
      retry.style.cssText = "";
      retry.textContent = words.retry;
      foot.append(retry, leave);
      retry.className = "again main";
    } else foot.append(leave);
    if (reason === "setup" || reason === "old") {
      // Trying again helps only after the page has been corrected.
      leave.className = "main";
      if (retry) {
        retry.className = "again";
        foot.append(retry);
      }
    }
    content.push(foot);
  } else {
    status.className = "hidden";
    status.textContent = words.wait;
    const page = make("div", "page", make("div", "bone"), make("div", "bone"), make("div", "bone"));
    content.push(page);
  }
  cover.replaceChildren(...content);
  if (focused?.isConnected) focused.focus({ preventScroll: true });
}
