/** Which options need no check by the program before the token is used. */

/** Options that the program accepts (`link-flow/src/options.rs`), as JSON. It accepts more, such as accounts and long lists. */
const FORMS =
  /^{(("(templateId|companyName)":"\w[^"]{0,99}"|"enable\w+":(true|false)|"(p|topP)rovider(Id":|s":\[)("[\da-z_-]{1,64}",?){1,10}]?|"locale":"[a-z]{2,3}(-[A-Za-z]{2,8})?"|"theme":"(light|dark|system)"),?)+}$/;

/** Returns whether the options are certainly right, so that the exchange need not wait for the program. */
export const areCertain = (options: object): boolean => FORMS.test(JSON.stringify(options));
