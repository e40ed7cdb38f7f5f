/** The tenant's colors and the color scheme. Set through CSSOM, because the content policy forbids style attributes. */

import { accents } from "./page";

const NAMES = ["--brand-light", "--on-brand-light", "--brand-dark", "--on-brand-dark"];

/** Applies the accents of the link template. The service has already corrected their contrast. */
export function applyAccents(): void {
  for (const [at, color] of accents.entries()) document.documentElement.style.setProperty(NAMES[at]!, color);
}

/** Applies `light` or `dark` if the host page asked for it, regardless of the preference of the system. */
export function applyScheme(theme: unknown): void {
  if (theme) document.documentElement.dataset["scheme"] = String(theme);
}
