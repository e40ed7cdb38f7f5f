/** Makes sure that the style sheet is applied before the first screen is drawn. */

/**
 * Loads the style sheet again if it failed. A module script runs after the page's style sheets have loaded or failed.
 *
 * @throws TypeError if it fails again.
 */
export function stylesLoaded(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]");
  // Browsers differ in what `link.sheet` is after a failure.
  const isApplied = getComputedStyle(document.documentElement).getPropertyValue("--surface");
  if (!link || isApplied) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = () => resolve();
    again.onerror = () => reject(new TypeError("The style sheet did not load"));
    again.href = `${link.href}?again=1`;
    link.replaceWith(again);
  });
}
