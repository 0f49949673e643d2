import { fieldsOf, hasTrait, traitText, type WireShape } from './shape.ts';

/** The members of a structure as XML elements. What is undefined is left out; empty lists are empty elements. */
export function structXml(shape: WireShape, value: unknown): string {
  if (!shape.isStructSchema()) return '';
  const members = fieldsOf(value);
  let text = '';
  for (const [member, target] of shape.structIterator()) {
    const found = members.get(member);
    if (found === undefined || found === null) continue;
    text += memberXml(traitText(target, 'xmlName') ?? member, target, found);
  }
  return text;
}

export function element(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // XML parsers turn a bare carriage return into a line feed.
  ['\r', '&#xD;'],
]);

/** XML 1.0 has no way to write most control characters; they become a replacement character. */
export function escaped(text: string): string {
  return text
    .replace(/[&<>"\r]/g, (character) => entities.get(character) ?? character)
    .replace(/[^\t\n\P{Cc}\x7f-\x9f]|[\ufffe\uffff]/gu, '\ufffd');
}

function memberXml(name: string, shape: WireShape, value: unknown): string {
  if (shape.isListSchema()) return listXml(name, shape, value);
  if (shape.isMapSchema()) return mapXml(name, shape, value);
  return element(name, contentOf(shape, value));
}

function listXml(name: string, shape: WireShape, value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const item = shape.getValueSchema();
  const isFlat = hasTrait(shape, 'xmlFlattened');
  const itemName = isFlat ? name : (traitText(item, 'xmlName') ?? 'member');
  const text = items.map((each) => memberXml(itemName, item, each)).join('');
  return isFlat ? text : element(name, text);
}

function mapXml(name: string, shape: WireShape, value: unknown): string {
  const [key, target] = [shape.getKeySchema(), shape.getValueSchema()];
  const isFlat = hasTrait(shape, 'xmlFlattened');
  const entries = [...fieldsOf(value)].map(([text, each]) =>
    element(
      isFlat ? name : 'entry',
      element(traitText(key, 'xmlName') ?? 'key', escaped(text)) +
        memberXml(traitText(target, 'xmlName') ?? 'value', target, each),
    ),
  );
  return isFlat ? entries.join('') : element(name, entries.join(''));
}

function contentOf(shape: WireShape, value: unknown): string {
  if (shape.isStructSchema()) return structXml(shape, value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return escaped(String(value));
}
