/**
 * A subset of Go's text/template with the functions of Sprig that notifications use. Pure. Start with template.ts; the
 * parser is in template-parser.ts, functions in go-functions.ts and sprig-functions.ts.
 */

export type { GoStruct } from './go-value.ts';
export { GoTemplate } from './template.ts';
export { functionNames } from './template-functions.ts';
