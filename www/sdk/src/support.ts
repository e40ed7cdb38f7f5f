const STYLES = "selector(:has(*)) and (color:color-mix(in srgb,red,red))";

/**
 * Returns what the widget needs and this browser lacks. The list implies the oldest versions in docs/how-to/widget.md.
 * Lockdown modes turn WebAssembly off in new versions, too.
 */
export function missingFeature(): string | undefined {
  if (!self.WebAssembly) return "WebAssembly";
  if (!document.adoptedStyleSheets) return "adoptedStyleSheets";
  return CSS.supports(STYLES) ? undefined : STYLES;
}
