// What must be known of a YAML text before a library parses it. Pure: no files, no network. Start with yaml-nesting.ts.

export { isNestedTooDeeply, YamlNesting } from './yaml-nesting.ts';
