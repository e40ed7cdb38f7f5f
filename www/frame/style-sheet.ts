/** Makes sure that style sheets are applied before a screen that needs them is drawn. */

import { whyNot } from "./served";

/**
 * Adds a style sheet to the page, after the others. Resolves once it is applied.
 *
 * @throws NotServed or TypeError if it does not load.
 */
export function addStyles(href: string): Promise<void> {
  const applied = new Promise<void>((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new TypeError("The style sheet did not load"));
    };
    document.head.append(link);
  });
  return applied.catch(whyNot(href));
}
