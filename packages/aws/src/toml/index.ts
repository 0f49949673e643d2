/**
 * TOML for Bottlerocket user data. The library `smol-toml` parses it; `toml-writer.ts` writes Karpenter's
 * format, byte for byte, which no library does (ADR 0040). Integers and floats stay apart. Pure. Start with
 * `toml-reader.ts`.
 */

export { parseToml } from './toml-reader.ts';
export {
  isTable,
  TomlDate,
  type TomlTable,
  type TomlValue,
  tomlTypeOf,
} from './toml-value.ts';
export { formatToml } from './toml-writer.ts';
