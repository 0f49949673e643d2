// Parsing of YAML that users write, guarded against texts that the library does not survive. Pure: no files, no
// network. Start with parse-yaml.ts; whoever needs the library's own documents asks yaml-nesting.ts first.

export { parseYaml, parseYamlDocuments } from './parse-yaml.ts';
export { isNestedTooDeeply, YamlNesting } from './yaml-nesting.ts';
