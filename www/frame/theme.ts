/** The tenant's brand and the color scheme. Set through CSSOM, because the content policy forbids style attributes. */

const root = document.documentElement;

/** Applies the brand of the link template. The service has already corrected the contrast of its colors. */
export function applyBrand(brand: string): void {
  root.style.cssText = brand;
  showLogo();
}

/** Applies `light` or `dark` if the host page asked for it, regardless of the preference of the system. */
export function applyScheme(theme: unknown): void {
  if (!theme) return;
  root.dataset["scheme"] = String(theme);
  showLogo();
}

/** Reserves the logo's box at once, so that nothing moves later. If the logo does not load, the monogram shows. */
function showLogo(): void {
  // Without a logo, computing the style would only take time.
  if (!root.style.getPropertyValue("--logo-light")) return;
  const url = getComputedStyle(root).getPropertyValue("--logo").slice(5, -2);
  if (!url) return;
  root.dataset["logo"] = "";
  const image = new Image();
  image.onerror = () => delete root.dataset["logo"];
  image.src = url;
}
