import { type FieldMove, type FieldPath, sourcesOf } from '@karpenter/core/conversion';
import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import {
  Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';

/** An object to write, and how its fields came from those of the source. */
export interface WrittenObject {
  readonly object: JsonObject;
  /** The moves of each conversion step, first step first. */
  readonly moves: readonly (readonly FieldMove[])[];
  /** A field that comes from another object. */
  readonly imported?: ImportedNode;
}

/** The field `to` is the field `from` of another object. */
interface ImportedNode extends FieldMove {
  readonly document: Document;
  readonly node: YAMLMap;
}

/** A key with its value in the source; only the value in a list. */
interface SourceField {
  readonly key?: Scalar;
  readonly value: Node;
}

/** Builds the nodes of converted objects out of those of their source, so that comments, quotes and styles are kept. */
export function convertedNodes(
  document: Document,
  source: YAMLMap,
  written: readonly WrittenObject[],
): readonly Node[] {
  const keys = new Set<Scalar>();
  return written.map((each) => new NodeBuilder(document, source, { ...each, keys }).build(each.object, []));
}

class NodeBuilder {
  readonly #document: Document;
  readonly #source: YAMLMap;
  readonly #written: Omit<WrittenObject, 'object'>;
  /** Keys whose comments are written already: a field may come from one that became several. */
  readonly #keys: Set<Scalar>;
  /** Values of the anchors written so far. An alias is only valid after its anchor and for the same value. */
  readonly #anchors = new Map<string, Json>();

  constructor(
    document: Document,
    source: YAMLMap,
    { keys, ...written }: Omit<WrittenObject, 'object'> & { readonly keys: Set<Scalar> },
  ) {
    this.#document = document;
    this.#source = source;
    this.#written = written;
    this.#keys = keys;
  }

  build(value: Json, path: FieldPath): Node {
    const written = this.#sources(path)[0]?.value;
    const alias = this.#alias(written, value);
    if (alias !== undefined) return alias;
    const source = this.#resolved(written);
    const node = this.#isSame(source, value)
      ? (source.clone() as Node)
      : this.#rebuilt(source, { value, path });
    if (source?.anchor !== undefined && !isAlias(node)) this.#anchor(node, source.anchor, value);
    return node;
  }

  #alias(written: Node | undefined, value: Json): Alias | undefined {
    if (!isAlias(written) || !equalJson(this.#anchors.get(written.source), value)) return undefined;
    return new Alias(written.source);
  }

  #anchor(node: Node, anchor: string, value: Json): void {
    if (this.#anchors.has(anchor)) delete (node as { anchor?: string }).anchor;
    else {
      (node as { anchor?: string }).anchor = anchor;
      this.#anchors.set(anchor, value);
    }
  }

  /** Whether a node can be copied as it is: equal, and without anchors and aliases, which depend on their place. */
  #isSame(source: Node | undefined, value: Json): source is Node {
    if (source === undefined || hasReferences(source)) return false;
    return equalJson(source.toJS(this.#document), value);
  }

  #rebuilt(
    source: Node | undefined,
    { value, path }: { readonly value: Json; readonly path: FieldPath },
  ): Node {
    if (isJsonObject(value)) return this.#map(isMap(source) ? source : undefined, value, path);
    if (isJsonArray(value)) return this.#list(isSeq(source) ? source : undefined, value, path);
    return scalar(isScalar(source) ? source : undefined, value);
  }

  #map(source: YAMLMap | undefined, value: JsonObject, path: FieldPath): YAMLMap {
    const map = withStyle(new YAMLMap(this.#document.schema), source);
    for (const [name, each] of Object.entries(value)) {
      const fields = this.#sources([...path, name]);
      const fresh = fields.filter(({ key }) => key !== undefined && !this.#keys.has(key));
      for (const { key } of fresh) if (key !== undefined) this.#keys.add(key);
      const node = this.build(each, [...path, name]);
      map.items.push(new Pair(keyOf(name, isScalar(node) ? fresh : fresh.map(withValueComment)), node));
    }
    return map;
  }

  #list(source: YAMLSeq | undefined, value: readonly Json[], path: FieldPath): YAMLSeq {
    const list = withStyle(new YAMLSeq(this.#document.schema), source);
    value.forEach((each, index) => {
      list.items.push(withCommentAbove(this.build(each, [...path, index])));
    });
    return list;
  }

  #sources(path: FieldPath): readonly SourceField[] {
    const { moves, imported } = this.#written;
    if (imported?.to.every((part, index) => part === path[index])) {
      const from = [...imported.from, ...path.slice(imported.to.length)];
      const field = fieldAt(imported.document, imported.node, from);
      return field === undefined ? [] : [field];
    }
    const traced = moves.reduceRight<readonly FieldPath[]>(
      (paths, each) => paths.flatMap((one) => sourcesOf(each, one)),
      [path],
    );
    return traced.flatMap((each) => fieldAt(this.#document, this.#source, each) ?? []);
  }

  #resolved(node: Node | undefined): Node | undefined {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }
}

/** A field of a source; undefined if it is not there. */
export function fieldAt(document: Document, root: Node, path: FieldPath): SourceField | undefined {
  let field: SourceField | undefined = { value: root };
  for (const key of path) {
    const { value }: SourceField = field;
    field = fieldIn(isAlias(value) ? value.resolve(document) : value, key);
    if (field === undefined) return undefined;
  }
  return field;
}

function fieldIn(node: Node | undefined, key: string | number): SourceField | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? undefined : { value: item as Node };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(
    (each) => isPair(each) && isScalar(each.key) && String(each.key.value) === key,
  );
  if (pair === undefined || !isScalar(pair.key)) return undefined;
  return { key: pair.key, value: (pair.value as Node | null) ?? new Scalar(null) };
}

/** A comment before the first key of a list item goes above the dash. */
function withCommentAbove(item: Node): Node {
  const key = isMap(item) && !item.flow ? item.items[0]?.key : undefined;
  if (!isScalar(key) || !key.commentBefore) return item;
  item.commentBefore = [item.commentBefore, key.commentBefore].filter(Boolean).join('\n');
  key.commentBefore = null;
  return item;
}

/** The comment behind a plain value goes before the key if the value becomes a list or a map. */
function withValueComment({ key, value }: SourceField): SourceField {
  if (key === undefined || !isScalar(value) || !value.comment)
    return key === undefined ? { value } : { key, value };
  const commented = key.clone() as Scalar;
  commented.commentBefore = [key.commentBefore, value.comment].filter(Boolean).join('\n');
  return { key: commented, value };
}

/** The key as the source wrote it, with the comments of all the fields that became it. */
function keyOf(name: string, fields: readonly SourceField[]): Scalar {
  const [first] = fields;
  const key = new Scalar<unknown>(name);
  if (first?.key?.value === name && first.key.type !== undefined) key.type = first.key.type;
  if (fields.some((field) => field.key?.spaceBefore)) key.spaceBefore = true;
  const comments = fields.flatMap((field) => field.key?.commentBefore ?? []);
  if (comments.length > 0) key.commentBefore = comments.reverse().join('\n');
  return key;
}

function withStyle<T extends YAMLMap | YAMLSeq>(node: T, source: YAMLMap | YAMLSeq | undefined): T {
  if (source === undefined) return node;
  if (source.flow !== undefined && source.items.length > 0) node.flow = source.flow;
  copyComments(node, source);
  return node;
}

function scalar(source: Scalar | undefined, value: Json): Scalar {
  const node = new Scalar<unknown>(value);
  if (source === undefined) return node;
  copyComments(node, source);
  if (typeof value === 'string' && typeof source.value === 'string' && source.type !== undefined)
    node.type = source.type;
  if (source.value === value) {
    if (source.format !== undefined) node.format = source.format;
    if (source.source !== undefined) node.source = source.source;
  }
  return node;
}

function copyComments(node: Node, { commentBefore, comment, spaceBefore }: Node): void {
  if (commentBefore) node.commentBefore = commentBefore;
  if (comment) node.comment = comment;
  if (spaceBefore) node.spaceBefore = spaceBefore;
}

function hasReferences(node: Node): boolean {
  let isFound = false;
  visit(node, {
    Node: (_, each) => {
      if (!isAlias(each) && each.anchor === undefined) return undefined;
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}
