/**
 * A TOML 1.0 parser and writer for Bottlerocket user data, which keeps integers and floats apart and writes
 * in Karpenter's format. Pure. Start with toml-reader.ts and toml-writer.ts.
 */

export { TomlError } from './toml-error.ts';
export { parseToml } from './toml-reader.ts';
export {
  isTable,
  type TomlArray,
  TomlDate,
  type TomlTable,
  type TomlValue,
  tomlTypeOf,
} from './toml-value.ts';
export { formatToml } from './toml-writer.ts';
