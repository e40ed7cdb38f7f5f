/** Makes sure that style sheets are applied before a screen that needs them is drawn. */

import { whyNot } from "./served";

/**
 * Adds a style sheet to the page, after the others. Resolves once it is applied.
 *
 * @throws TypeError if it does not load.
 */
export function addStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new TypeError("The style sheet did not load"));
    };
    document.head.append(link);
  });
}

/** Loads the page's style sheet again if it failed. A module script runs after the page's style sheets have loaded or failed. */
export async function stylesLoaded(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]");
  // Browsers differ in what `link.sheet` is after a failure.
  const isApplied = getComputedStyle(document.documentElement).getPropertyValue("--surface");
  const again = `${link?.href}?again=1`;
  if (link && !isApplied) await addStyles(again).catch(whyNot(again));
}
