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
