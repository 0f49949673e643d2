import type {
  $SchemaRef,
  SchemaTraits,
  StaticListSchema,
  StaticOperationSchema,
  StaticSimpleSchema,
  StaticStructureSchema,
} from '@smithy/types';

/*
 * A shape of EC2's API by line, in one of four forms:
 *
 *   CreateFleet ( CreateFleetRequest ) CreateFleetResult    an operation, with what goes in and what comes out
 *   FleetError { ErrorCode string errorCode; … }            a structure, with the members' names, types and names in XML
 *   FleetErrors [ FleetError item ]                         a list, with the type of an item and its name in XML
 *   UserData = sensitive string                             a type that must not be logged
 *
 * A member without a name in XML goes by its own. One that begins with a small letter is written with a capital in
 * requests, unless a third name says how. A `token` is text that is made up where none is given, so that EC2 can tell
 * a second attempt from a second request.
 */

type Shape = StaticListSchema | StaticSimpleSchema | StaticStructureSchema;
type Shapes = Map<string, Shape>;

/** Of all shapes. */
export const namespace = 'com.amazonaws.ec2';

/** As the SDK numbers them. */
const simpleTypes = new Map<string, $SchemaRef>([
  ['string', 0],
  ['token', 0],
  ['number', 1],
  ['boolean', 2],
  ['timestamp', 4],
  ['strings', 64],
  ['nothing', 'unit'],
]);
const sensitive = 8;
const noTraits = 0;

/** The schemas of all operations, by name. */
export function readOperations(notation: string): ReadonlyMap<string, StaticOperationSchema> {
  const shapes: Shapes = new Map();
  const operations = new Map<string, StaticOperationSchema>();
  for (const line of notation.trim().split('\n')) {
    const [name = '', form, ...words] = line.split(' ');
    if (form === '(') operations.set(name, operation(name, words, shapes));
    else shapes.set(name, shapeOf(name, form, words, shapes));
  }
  return operations;
}

function operation(
  name: string,
  [input, , output]: readonly string[],
  shapes: Shapes,
): StaticOperationSchema {
  return [9, namespace, name, noTraits, typeNamed(input, shapes), typeNamed(output, shapes)];
}

function shapeOf(name: string, form: string | undefined, words: readonly string[], shapes: Shapes): Shape {
  switch (form) {
    case '{':
      return structure(name, words.slice(0, -1).join(' '), shapes);
    case '[':
      return [1, namespace, name, noTraits, itemType(words, shapes)];
    default:
      return [0, namespace, name, sensitive, typeNamed(words[1], shapes)];
  }
}

function structure(name: string, members: string, shapes: Shapes): StaticStructureSchema {
  const names: string[] = [];
  const types: $SchemaRef[] = [];
  for (const member of members === '' ? [] : members.split('; ')) {
    const [memberName = '', ...type] = member.split(' ');
    names.push(memberName);
    types.push(memberType(type, shapes));
  }
  return [3, namespace, name, noTraits, names, types];
}

function itemType([type, xmlName]: readonly string[], shapes: Shapes): $SchemaRef {
  return [typeNamed(type, shapes), xmlName === undefined || xmlName === ']' ? noTraits : { xmlName }];
}

function memberType([type, xmlName, queryName]: readonly string[], shapes: Shapes): $SchemaRef {
  const schema = typeNamed(type, shapes);
  const traits: SchemaTraits = {
    ...(xmlName !== undefined && { xmlName, ...requestName(xmlName, queryName) }),
    ...(type === 'token' && { idempotencyToken: 1 }),
  };
  return [schema, traits];
}

function requestName(xmlName: string, queryName = capitalized(xmlName)): { ec2QueryName?: string } {
  return queryName === xmlName ? {} : { ec2QueryName: queryName };
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** Shapes hold each other, so that one may come before the line that tells of it. */
function typeNamed(name = '', shapes: Shapes): $SchemaRef {
  return simpleTypes.get(name) ?? (() => known(name, shapes));
}

function known(name: string, shapes: Shapes): Shape {
  const shape = shapes.get(name);
  if (shape === undefined) throw new TypeError(`EC2 has no shape "${name}"`);
  return shape;
}
