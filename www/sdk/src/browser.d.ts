/** TypeScript does not declare these properties, because not every browser has them. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

interface Element {
  readonly currentCSSZoom?: number;
}
