/**
 * Regular expressions of RE2, as Kubernetes has them in schemas, in CEL and in annotations. Matching takes
 * time linear in the text whatever the expression is, so that users may write both. Pure except for a cache
 * of compiled expressions; built on `re2js`. Start with `pattern.ts`; ADR 0065 compares the engines.
 */
export { compilePattern, patternMatcher, type Re2Pattern } from './pattern.ts';
