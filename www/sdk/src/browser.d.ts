/** TypeScript does not declare this property, because not every browser has it. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}
