/** Which options need no check by the program before the token is used. */

/** Options that the program certainly accepts (`link-flow/src/options.rs`), as JSON. More would make the first open larger. */
const FORMS =
  /^{(("templateId":"[^"]+"|"accountId":"a-[\da-f]{32}"|"enable\w+":(true|false)|"locale":"[a-z]{2,3}(-[A-Za-z]{2,8})?"|"theme":"(light|dark|system)"),?)+}$/;

/** Returns whether the options are certainly right, so that the exchange need not wait for the program. */
export const areCertain = (options: object): boolean => FORMS.test(JSON.stringify(options));
