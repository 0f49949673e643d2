/** A YAML value; undefined fields are left out. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml | undefined };

// Plain scalars that YAML 1.1 would read as another type than a string, so that they need quotes.
const boolean = /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const absent = /^(?:~|null|Null|NULL|<<|=)?$/;
const decimal = /^[-+]?(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/;
const otherBase = /^[-+]?0(?:x[0-9A-Fa-f_]+|o[0-7_]+|b[01_]+)$/;
const notFinite = /^[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)$/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt ])/;
const otherTypes = [boolean, absent, decimal, otherBase, notFinite, sexagesimal, timestamp];

const indicatorAtStart = /^(?:[-?:](?:\s|$)|[,[\]{}#&*!|>'"%@`]|---|\.\.\.)/;
const indicatorInside = /:\s|:$|\s#|^\s|\s$/;
const unprintable = /[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd]/;

/**
 * Formats YAML as Go's sigs.k8s.io/yaml does: sorted keys, two spaces per level, list dashes not indented.
 */
export function formatYaml(value: Yaml): string {
  return `${blockLines(value).join('\n')}\n`;
}

function blockLines(value: Yaml): readonly string[] {
  if (isList(value)) return value.flatMap((item) => itemLines(blockLines(item)));
  if (typeof value !== 'object') return [formatScalar(value)];
  return Object.keys(value)
    .sort()
    .flatMap((key) => entryLines(formatScalar(key), value[key]));
}

function entryLines(key: string, value: Yaml | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [`${key}: ${formatScalar(value)}`];
  const lines = blockLines(value);
  if (lines.length === 0) return [`${key}: ${isList(value) ? '[]' : '{}'}`];
  return [`${key}:`, ...(isList(value) ? lines : lines.map((line) => `  ${line}`))];
}

function itemLines(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

function formatScalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  if (unprintable.test(value) || otherTypes.some((type) => type.test(value))) return JSON.stringify(value);
  const isPlain = !indicatorAtStart.test(value) && !indicatorInside.test(value);
  return isPlain ? value : `'${value.replaceAll(`'`, `''`)}'`;
}
