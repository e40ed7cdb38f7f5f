/** Which options need no check by the program before the token is used. */

/** Forms that the program accepts (`link-flow/src/options.rs`), as JSON. It accepts more, such as accounts and long lists. */
const FORMS =
  /^("templateId":"[^"]+"|"enable\w+":(true|false)|"providerId":"[\da-z_-]{1,64}"|"(p|topP)roviders":\["[\da-z_-]{1,64}"(,"[\da-z_-]{1,64}"){0,9}\]|"locale":"[A-Za-z]{2,3}(-[\dA-Za-z]{1,8})?"|"theme":"(light|dark|system)"|"companyName":"\p{L}[^"]{0,99}")$/u;

/** Returns whether the options are certainly right, so that the exchange need not wait for the program. */
export function areCertain(options: Record<string, unknown>): boolean {
  return Object.entries(options).every(([name, value]) => value == null || FORMS.test(JSON.stringify({ [name]: value }).slice(1, -1)));
}
