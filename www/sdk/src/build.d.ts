/** Constants that the build replaces, so that each bridge has only what it needs (ADR 238, ADR 239). */

/** True in the bridge of `@linchpin/link`. */
declare const PACKAGED: boolean;
/** True in the files of a release, whose bytes never change. */
declare const RELEASED: boolean;
