import { messageTable } from './protobuf-messages.ts';

/** How to convert the bytes of a field to JSON. */
type FieldKind = 'one' | 'list' | 'map' | 'map of lists';

export interface MessageField {
  /** The JSON name; empty for an embedded message, whose members belong to the enclosing object. */
  readonly name: string;
  readonly kind: FieldKind;
  /** A letter for scalars, else the name of a message. */
  readonly type: string;
  /** Whether JSON omits the field when it is empty, zero or false. */
  readonly omitsZero: boolean;
}

export type MessageType = ReadonlyMap<number, MessageField>;

const lines = new Map(messageTable.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]));
const parsed = new Map<string, MessageType>();

/** A message type such as `core.v1.Pod`. The table is parsed on demand, since most types are never used. */
export function messageType(name: string): MessageType | undefined {
  const known = parsed.get(name);
  const line = lines.get(name);
  if (known !== undefined || line === undefined) return known;
  const [, ...fields] = line.split(' ');
  const type = new Map(fields.filter((text) => text !== '').map(parseField));
  parsed.set(name, type);
  return type;
}

function parseField(text: string): [number, MessageField] {
  const {
    number,
    name = '',
    kind = '',
    type = '',
    zero,
  } = /^(?<number>\d+)=(?<name>[^:]*):(?<kind>\*|%\[\]|%)?(?<type>[^?]+)(?<zero>\?)?$/.exec(text)?.groups ??
  {};
  return [Number(number), { name, kind: fieldKinds[kind] ?? 'one', type, omitsZero: zero !== undefined }];
}

const fieldKinds: Readonly<Record<string, FieldKind>> = { '*': 'list', '%': 'map', '%[]': 'map of lists' };
