/** Not in every browser, so not in TypeScript's own list. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}
