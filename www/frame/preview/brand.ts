/** Brands for the preview, in the form in which the service writes them into the frame's page. */

const svg = (text: string): string => `data:image/svg+xml,${encodeURIComponent(text)}`;
const box = (width: number, height: number, content: string): string =>
  svg(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`);

const wordmark = (ink: string): string =>
  box(336, 84, `<circle cx="42" cy="42" r="34" fill="#e0533d"/><text x="92" y="60" font-family="Georgia,serif" font-size="52" font-weight="700" fill="${ink}">Ardilla</text>`);
const square = box(84, 84, '<rect width="84" height="84" rx="18" fill="#173f5f"/><path d="M22 60 42 22l20 38z" fill="#f6d55c"/>');

/** The logos of two providers: one on a transparent ground, and one that does not exist. */
export const PROVIDER_LOGOS: Record<string, string> = {
  rideo: box(120, 120, '<path d="M20 90 60 20l40 70z" fill="#101418"/><circle cx="60" cy="70" r="14" fill="#e0533d"/>'),
  foodbeam: "/missing.png",
};

const accents = (light: string, dark: string): string =>
  `--brand-light:${light};--on-brand-light:#ffffff;--brand-dark:${dark};--on-brand-dark:#0b0d12`;
const logos = (light: string, dark: string, width: number): string =>
  `--logo-light:url("${light}");--logo-light-width:${width}px;--logo-dark:url("${dark}");--logo-dark-width:${width}px`;

export const BRANDS: Record<string, string> = {
  wordmark: `${accents("#b3402d", "#ff9c8a")};--radius:4px;--radius-small:2px;${logos(wordmark("#2b1a12"), wordmark("#f7ece6"), 112)};--logo-name:0`,
  square: `${accents("#173f5f", "#7db7e0")};--radius:16px;--radius-small:8px;--font:Charter,"Bitstream Charter","Sitka Text",Cambria,serif;${logos(square, square, 28)};--logo-plate:#fff`,
  broken: `${accents("#173f5f", "#7db7e0")};${logos("/missing.png", "/missing.png", 112)};--logo-name:0`,
};

/** A company whose name is longer than the header of a small phone. */
export const LONG_COMPANY = "Cooperativa de Ahorro y Crédito de los Trabajadores del Noroeste";
