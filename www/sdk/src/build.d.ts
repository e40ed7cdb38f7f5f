/** True in the bridge of `@linchpin/link`, false in the scripts that the service serves. The build replaces it (ADR 238). */
declare const PACKAGED: boolean;
