// Parses YAML that users write, and rejects nesting that would crash the library. Pure: no files, no network. Start
// with parse-yaml.ts. Code that calls the library directly must check the text with yaml-nesting.ts first.

export { parseYaml, parseYamlDocuments } from './parse-yaml.ts';
export { isNestedTooDeeply, YamlNesting } from './yaml-nesting.ts';
