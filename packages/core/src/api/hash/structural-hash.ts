import { fnv1, fnv1Text, type Hash } from './fnv.ts';

/**
 * The hash for NodePool and NodeClass drift. It must equal Karpenter's bit for bit, or every node of a
 * cluster drifts on the day of the switch. It depends on structure: maps and lists are order-independent;
 * structs include their type name and field names, and skip zero fields.
 */

/** A field of a struct: its Go name, and its hash, or undefined if it is zero. */
export type HashedField = readonly [name: string, hash: Hash | undefined];

export type StringMap = Readonly<Record<string, string>>;

export function hashText(text: string): Hash {
  return fnv1Text(text);
}

export function hashBoolean(value: boolean): Hash {
  return fnv1([value ? 1 : 0]);
}

export function hashInt32(value: number): Hash {
  return fnv1(littleEndian(BigInt(value), 4));
}

export function hashInt64(value: number | bigint): Hash {
  return fnv1(littleEndian(BigInt(value), 8));
}

/** A list hashed as a set: order does not matter, and two equal elements cancel out. */
export function hashList<T>(elements: readonly T[], hashElement: (element: T) => Hash): Hash {
  return elements.reduce((sum, element) => sum ^ hashElement(element), 0n);
}

export function hashMap<T>(map: Readonly<Record<string, T>>, hashValue: (value: T) => Hash): Hash {
  const entries = Object.entries(map);
  return finish(hashList(entries, ([key, value]) => ordered(hashText(key), hashValue(value))));
}

export function hashTextMap(map: StringMap): Hash {
  return hashMap(map, hashText);
}

export function hashTextList(list: readonly string[]): Hash {
  return hashList(list, hashText);
}

/** A struct behind a pointer: hashed even if all its fields are zero. */
export function hashStructure(typeName: string, fields: readonly HashedField[]): Hash {
  return fields.reduce(
    (sum, [name, hash]) => (hash === undefined ? sum : finish(sum ^ ordered(hashText(name), hash))),
    hashText(typeName),
  );
}

/** A struct held by value: zero if all its fields are zero. */
export function hashStructureUnlessZero(typeName: string, fields: readonly HashedField[]): Hash | undefined {
  return fields.every(([, hash]) => hash === undefined) ? undefined : hashStructure(typeName, fields);
}

/** Go's `metav1.Duration`: zero nanoseconds are a zero field. */
export function hashDuration(nanoseconds: bigint): Hash {
  return hashStructure('Duration', [['Duration', unlessZero(nanoseconds, hashInt64)]]);
}

/** The hash of an optional value; undefined stays undefined. An explicit empty list or map is a value. */
export function ifSet<T>(value: T | undefined, hash: (value: T) => Hash | undefined): Hash | undefined {
  return value === undefined ? undefined : hash(value);
}

/** The hash of a field that is not a pointer: the empty string, false or 0 counts as absent. */
export function unlessZero<T extends string | boolean | number | bigint>(
  value: T | undefined,
  hash: (value: T) => Hash,
): Hash | undefined {
  return value ? hash(value) : undefined;
}

function ordered(first: Hash, second: Hash): Hash {
  return fnv1([...littleEndian(first, 8), ...littleEndian(second, 8)]);
}

function finish(hash: Hash): Hash {
  return fnv1(littleEndian(hash, 8));
}

function littleEndian(value: bigint, size: 4 | 8): readonly number[] {
  return Array.from({ length: size }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
}
