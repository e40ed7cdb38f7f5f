/** Which options need no check by the program before the token is used. */

/** Forms that the program accepts (`link-flow/src/options.rs`). It accepts more. */
const FORMS =
  /^(templateId \S+|(providerId|providers|topProviders) [\da-z_-]{1,64}|accountId a-[\da-f]{32}|locale [A-Za-z]{2,3}(-[\dA-Za-z]{1,8}){0,3}|theme (light|dark|system)|companyName \p{L}.{0,99})$/u;
const MAX_LISTED = 10;

/** Returns whether the options are certainly right, so that the exchange need not wait for the program. */
export function areCertain(options: Record<string, unknown>): boolean {
  return Object.entries(options).every(([name, value]) => {
    if (value == null || typeof value === "boolean") return value == null || name.startsWith("enable");
    const values = [value].flat();
    const isList = name.endsWith("roviders");
    return isList === Array.isArray(value) && values.length <= MAX_LISTED && values.every((it) => typeof it === "string" && FORMS.test(`${name} ${it}`));
  });
}
