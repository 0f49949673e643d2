import type { GoDefinition, GoField, GoType } from './go-type.ts';

// The notation of facts/*.ts, one definition a line:
//   PullPolicy = string
//   Quantity opaque
//   LabelSelector atomic { matchLabels map[string]string; matchExpressions []LabelSelectorRequirement atomic }
// A field is its name, its Go type and marks: `kept`, `omitzero`, `required`, a list type (`map=name,protocol`),
// `key=` and `patch=` for strategic merge, `enum=A|B`, `each=A|B`, `default=`.

/** The full name of a definition as seen from a package: `Container` in core.v1 is `core.v1.Container`. */
function fullName(name: string, home: string): string {
  return name.includes('.') || home === 'machinery' ? name : `${home}.${name}`;
}

/** `core.v1.PullPolicy` is `v1.PullPolicy` in messages. */
function goText(name: string): string {
  return name.split('.').slice(-2).join('.');
}

export type FindLine = (fullName: string) => { readonly text: string; readonly home: string } | undefined;

/** Index of a package's notation: the position of each definition, still unparsed. */
export function indexLines(home: string, notation: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of notation.split('\n')) {
    const end = line.indexOf(' ');
    if (end > 0) lines.set(fullName(line.slice(0, end), home), line.slice(end + 1));
  }
  return lines;
}

const integers: Readonly<Record<string, 32 | 64>> = { int: 64, int32: 32, int64: 64, uint32: 32, uint64: 64 };

function primitive(name: string): GoType | undefined {
  const base = { text: name, isPointer: false };
  if (name === 'string') return { ...base, shape: 'string' };
  if (name === 'bool') return { ...base, shape: 'boolean' };
  if (name === 'float64') return { ...base, shape: 'number' };
  const bits = integers[name];
  return bits === undefined ? undefined : { ...base, shape: 'integer', bits };
}

/** Parses a Go type such as `*int32`, `[]Container`, `map[ResourceName]resource.Quantity`. */
export function parseType(notation: string, home: string, find: FindLine): GoType {
  if (notation.startsWith('*')) return { ...parseType(notation.slice(1), home, find), isPointer: true };
  if (notation === '[]uint8') return { shape: 'bytes', text: '[]uint8', isPointer: false };
  if (notation.startsWith('[]')) {
    const element = parseType(notation.slice(2), home, find);
    return {
      shape: 'list',
      text: `[]${element.isPointer ? '*' : ''}${element.text}`,
      isPointer: false,
      element,
    };
  }
  const map = /^map\[([^\]]+)\](.+)$/.exec(notation);
  if (map) return parseMap(map[1] ?? '', map[2] ?? '', { home, find });
  return primitive(notation) ?? namedType(fullName(notation, home), find);
}

interface NotationScope {
  readonly home: string;
  readonly find: FindLine;
}

function parseMap(keyNotation: string, valueNotation: string, { home, find }: NotationScope): GoType {
  const key = parseType(keyNotation, home, find);
  const element = parseType(valueNotation, home, find);
  return { shape: 'map', text: `map[${key.text}]${element.text}`, isPointer: false, element };
}

function namedType(name: string, find: FindLine): GoType {
  const text = goText(name);
  const found = find(name);
  if (found === undefined) return { shape: 'opaque', text, isPointer: false, definition: name };
  if (found.text.startsWith('= ')) return { ...parseType(found.text.slice(2), found.home, find), text };
  const shape = found.text.endsWith('opaque') ? 'opaque' : 'struct';
  return { shape, text, isPointer: false, definition: name };
}

export function parseDefinition(name: string, text: string, { home, find }: NotationScope): GoDefinition {
  const [marks = '', body = ''] = text.split(/[{}]/);
  const fields =
    body.trim() === '' ? [] : body.split(';').map((field) => parseField(field.trim(), home, find));
  return {
    name,
    shortName: name.split('.').at(-1) ?? name,
    isOpaque: marks.includes('opaque'),
    isAtomic: marks.includes('atomic'),
    fields,
    fieldsByName: new Map(fields.map((field) => [field.name, field])),
  };
}

function parseField(text: string, home: string, find: FindLine): GoField {
  const [path = '', type = '', ...marks] = text.split(' ');
  return {
    name: path.split('.').at(-1) ?? path,
    path,
    type: parseType(type, home, find),
    isKept: marks.includes('kept'),
    omitsZero: marks.includes('omitzero'),
    isRequired: marks.includes('required'),
    ...Object.assign({}, ...marks.map(parseMark)),
  };
}

function parseMark(mark: string): Partial<GoField> {
  const [name, value = ''] = mark.split('=');
  switch (name) {
    case 'map':
      return { listType: 'map', mapKeys: value.split(',') };
    case 'atomic':
    case 'set':
    case 'granular':
      return { listType: name };
    case 'key':
      return { mergeKey: value };
    case 'patch':
      return { patchStrategy: value };
    case 'enum':
      return { values: value.split('|') };
    case 'each':
      return { elementValues: value.split('|') };
    case 'default':
      return { default: value };
    default:
      return {};
  }
}
