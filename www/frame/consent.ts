/**
 * The consent page of a first opening, before the program draws it. The person reads it while the program loads, and a button
 * that they press meanwhile is pressed again when the program has drawn its own page.
 *
 * The page looks exactly like the program's (`link-flow/src/screen/consent.rs`), which a browser test compares with it.
 */

import type { LinkSession } from "../generated/types";
import { button, headingOf, make, picture, sign } from "./elements";

/** The numbers of the texts in the catalogue. */
declare const CONSENT_TEXTS: Record<Word, number>;

type HowOften = "Daily" | "Monthly" | "Once" | "Weekly";

type Word =
  | "agree"
  | "choose"
  | "dataChoice"
  | "dataText"
  | "dataTitle"
  | "decline"
  | "footer"
  | "help"
  | "intro"
  | "privateText"
  | "privateTitle"
  | "sandbox"
  | "stopText"
  | "stopTitle"
  | `${"sync" | "time"}${HowOften}`
  | "timeTitle"
  | "title"
  | "version";

const LINK = "M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 1 1 0 10h-2M8 12h8";
const FILE =
  "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8";
const CALENDAR =
  "M8 2v3M16 2v3M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M3 9h18M8 13h.01M12 13h.01M16 13h.01M8 17h.01M12 17h.01M16 17h.01";
const SHIELD =
  "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4";
const UNDO = "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11";
const LOCK = "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2M7 11V7a5 5 0 0 1 10 0v4";

const HOW_OFTEN = { DAILY: "Daily", WEEKLY: "Weekly", MONTHLY: "Monthly" } as const;

/**
 * Returns whether the first page of a session is the consent page: there is nothing to resume or show, and the tenant does
 * not vouch for the consent. If it returns false, the skeleton stays until the program draws.
 */
export function opensWithConsent(options: Record<string, unknown>, session: LinkSession): boolean {
  const { account, archives, consentNeeded, place } = session.attempt;
  return (
    consentNeeded &&
    !place.consent &&
    !session.isHandoff &&
    !session.hasLinked &&
    !account &&
    archives.length === 0 &&
    !place.archiveType &&
    !place.accountId &&
    !options["accountId"] &&
    options["enableConsentPage"] !== false
  );
}

/** Returns the page's texts. The catalogue must have loaded. */
export type Words = (number: number, args: string[]) => string;

/** Draws the tenant in the header (`link-flow/src/mark.rs`), with a badge if the session is in the sandbox. */
export function brandOf({ template, mode }: LinkSession, words: Words): HTMLElement {
  const name = template.companyName;
  const mark = make("span", "mark mark-small", "", make("span", "", monogram(name)));
  const hue = new TextEncoder().encode(name).reduce((sum, byte) => (sum * 31 + byte) % 256, 0) % 8;
  mark.dataset["hue"] = String(hue);
  mark.ariaHidden = "true";
  const brand = make("div", "brand", "", mark, make("span", "brand-name", name));
  if (mode === "SANDBOX") brand.append(make("span", "mode", words(CONSENT_TEXTS.sandbox, [])));
  return brand;
}

/** Returns the first letters of the first two words, without small ones such as "de" if there are enough others. */
function monogram(name: string): string {
  const lettersOf = (small: RegExp): string[] =>
    name.split(" ").flatMap((word) => (small.test(word) ? [] : (/[0-9A-Za-z]|[^\0-\x7f]/u.exec(word) ?? [])));
  const large = lettersOf(/^[a-z]{1,4}$/);
  const letters = large[1] ? large : lettersOf(/^$/);
  return letters.slice(0, 2).join("").replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Draws the content below the header. */
export function consentScreen({ template }: LinkSession, words: Words, press: () => void, decline: () => void): HTMLElement {
  const { companyName, consent, helpUrl, optionalData, retention, syncInterval } = template;
  const word = (name: Word): string => words(CONSENT_TEXTS[name], [companyName]);
  const hasChoice = optionalData.length > 0;

  const facts: [string, Word, Word][] = [
    [FILE, "dataTitle", hasChoice ? "dataChoice" : "dataText"],
    [CALENDAR, "timeTitle", `${retention === "FROM_LAST_SYNC" ? "sync" : "time"}${syncInterval ? HOW_OFTEN[syncInterval] : "Once"}`],
    [SHIELD, "privateTitle", "privateText"],
    [UNDO, "stopTitle", "stopText"],
  ];
  const points = facts.map(([icon, title, detail]) => {
    const text = make("p", "", "", make("strong", "point-title", word(title)), make("span", "text-soft", word(detail)));
    return make("li", "point", "", picture(icon, icon === UNDO), text);
  });
  const title = make("h2", "document-title", consent.title);
  title.id = "document-title";
  const terms = make(
    "div",
    "document",
    "",
    title,
    make("p", "document-version", words(CONSENT_TEXTS.version, [consent.version])),
    ...paragraphs(consent.text).map((text) => make("p", "", text)),
  );
  terms.role = "region";
  terms.setAttribute("aria-labelledby", title.id);
  terms.tabIndex = 0;
  const summary = make("ul", "points", "", ...points);
  const intro = make("p", "text", word("intro"));
  const content = make("main", "content", "", sign(LINK, "accent"), headingOf(word("title")), intro, summary, terms);

  const foot = make(
    "footer",
    "foot",
    "",
    button("button-primary", word(hasChoice ? "choose" : "agree"), press),
    button("button-quiet", word("decline"), decline),
    make("p", "footnote", "", picture(LOCK), make("span", "", word("footer"))),
  );
  if (helpUrl?.startsWith("https://")) {
    const link = Object.assign(make("a", "", word("help")) as HTMLAnchorElement, {
      href: helpUrl,
      target: "_blank",
      rel: "noopener noreferrer",
    });
    foot.append(make("p", "footnote", "", link));
  }
  return make("div", "screen", "", content, foot);
}

/** Splits a text at blank lines. */
function paragraphs(text: string): string[] {
  // Rust and JavaScript differ in what they trim.
  const lines = text.split("\n").map((line) => line.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ""));
  return lines.join("\n").split(/\n\n+/).map((part) => part.replace(/^\n|\n$/g, "").replaceAll("\n", " ")).filter(Boolean);
}
