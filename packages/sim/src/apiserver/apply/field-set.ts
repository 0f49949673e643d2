/**
 * A set of field paths, in the form in which `fieldsV1` stores it: a trie whose edges are path elements
 * (`f:spec`, `k:{"name":"web"}`, `v:"a"`). A node without edges is a member of the set; a node with edges is
 * one if it also has the edge `.`.
 *
 * Objects are read and written without converting it. Sets are immutable and share structure.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A member without children; as the root, the empty set. */
export const leaf: FieldSet = Object.freeze({});
export const emptySet: FieldSet = leaf;
/** The edge that makes an inner node a member. */
export const self = '.';

type Draft = Record<string, FieldSet>;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

export function isMember(node: FieldSet): boolean {
  return Object.hasOwn(node, self) || isEmptySet(node);
}

export function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return true;
  return false;
}

/** The set of the given paths, which are lists of path elements. */
export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.map(pathSet).reduce(union, emptySet);
}

function pathSet(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), leaf);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return combined(a, b);
}

/** The union, or `a` itself when `b` adds nothing: callers compare by identity. */
function combined(a: FieldSet, b: FieldSet): FieldSet {
  let result: Draft | undefined;
  for (const element in b) {
    const below = b[element];
    if (below === undefined) continue;
    const own = a[element];
    const joined = own === undefined ? below : combinedNode(own, below);
    if (joined === own) continue;
    result ??= { ...a };
    result[element] = joined;
  }
  return result ?? a;
}

function combinedNode(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return Object.hasOwn(b, self) || isEmptySet(b) ? b : { [self]: leaf, ...b };
  if (isEmptySet(b)) return Object.hasOwn(a, self) ? a : { [self]: leaf, ...a };
  return combined(a, b);
}

/** The members of `a` that are not members of `b`. Members below a removed one stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return reduced(a, b, differenceNode);
}

function differenceNode(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const member = isMember(a) && !isMember(b);
  return node(member, a, reduced(a, b, differenceNode));
}

/** The members of `a` that are neither members of `b` nor below one. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return reduced(a, b, (own, other) =>
    isMember(other) ? undefined : node(isMember(own), own, recursiveDifference(own, other)),
  );
}

type Reduction = (own: FieldSet, other: FieldSet) => FieldSet | undefined;

/**
 * `a` with each child that `b` also has replaced by the result of `reduce`, or removed when it is undefined;
 * `a` itself when nothing changes.
 */
function reduced(a: FieldSet, b: FieldSet, reduce: Reduction): FieldSet {
  let result: Draft | undefined;
  for (const element in b) {
    const own = a[element];
    const other = b[element];
    if (element === self || own === undefined || other === undefined) continue;
    const left = reduce(own, other);
    if (left === own) continue;
    result ??= { ...a };
    if (left === undefined) delete result[element];
    else result[element] = left;
  }
  return result ?? a;
}

/** A node with these children, except `.`, that is a member or not; undefined when it would be empty. */
function node(member: boolean, original: FieldSet, children: FieldSet): FieldSet | undefined {
  if (!hasChildren(children)) {
    if (!member) return undefined;
    return isEmptySet(original) ? original : leaf;
  }
  if (member === Object.hasOwn(children, self)) return children;
  if (member) return { [self]: leaf, ...children };
  const { [self]: _, ...rest } = children;
  return rest;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: Draft = {};
  for (const element in a) {
    const own = a[element];
    const other = b[element];
    if (element === self || own === undefined || other === undefined) continue;
    const shared = node(isMember(own) && isMember(other), leaf, intersection(own, other));
    if (shared !== undefined) result[element] = shared;
  }
  return result;
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let current: FieldSet | undefined = set;
  for (const element of path) {
    current = current[element];
    if (current === undefined) return false;
  }
  return path.length > 0 && isMember(current);
}

/** The paths of all members, parents before children. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const [element, below] of Object.entries(set)) {
    if (element === self) continue;
    const path = [...prefix, element];
    if (isMember(below)) yield path;
    yield* pathsOf(below, path);
  }
}
