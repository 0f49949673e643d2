import type { FieldPath } from '@karpenter/core/conversion';
import { equalJson, type Json, type JsonObject } from '@karpenter/core/schema';
import { isNestedTooDeeply } from '@karpenter/kube/yaml';
import { Document, isMap, isScalar, type Node, parseAllDocuments, stringify, visit } from 'yaml';
import type { ManifestDocument, SourceObject } from '../input/manifest-document.ts';
import { convertedNodes, fieldAt, type WrittenObject } from './converted-node.ts';
import { styleOf } from './yaml-style.ts';

/** What is written instead of an object of a document: nothing, or one or more objects. */
export interface ObjectReplacement {
  readonly source: SourceObject;
  readonly results: readonly WrittenObject[];
  /** The field of the source that another object has now, with its comments. */
  readonly exported?: { readonly field: FieldPath; readonly keys: readonly string[] };
  /** Lines of a comment that takes the place of an object that is removed. */
  readonly note?: readonly string[];
}

/** The text of a document with some of its objects replaced. */
export function renderedDocument(
  document: ManifestDocument,
  replacements: readonly ObjectReplacement[],
): string {
  const rendered = document.isJson ? jsonText(document, replacements) : yamlText(document, replacements);
  return document.chunk.text.includes('\r\n') ? rendered.replace(/\r?\n/g, '\r\n') : rendered;
}

function jsonText(
  { chunk, objects, items, yaml }: ManifestDocument,
  replacements: readonly ObjectReplacement[],
): string {
  const all = objects.flatMap((object) => resultsOf(object, replacements) ?? [object.object]);
  const value =
    items === undefined && all.length === 1 ? (all[0] ?? null) : listOf(items && yaml.toJS(), all);
  const [, indent = ''] = /^\s*\{[^\S\n]*\r?\n([ \t]+)"/.exec(chunk.text) ?? [];
  const [lead = ''] = /^\s*/.exec(chunk.text) ?? [];
  const [trail = ''] = /\s*$/.exec(chunk.text) ?? [];
  return `${lead}${JSON.stringify(value, null, indent)}${trail}`;
}

/** A List around objects; a list of an older kind becomes a plain one. */
function listOf(list: JsonObject | undefined, items: readonly JsonObject[]): JsonObject {
  return { ...list, apiVersion: 'v1', kind: 'List', items };
}

function resultsOf(
  object: SourceObject,
  replacements: readonly ObjectReplacement[],
): readonly JsonObject[] | undefined {
  return replacements.find(({ source }) => source === object)?.results.map((each) => each.object);
}

/** Falls back to plain YAML if the result would not read as what it must be, such as with exotic anchors. */
function yamlText(document: ManifestDocument, replacements: readonly ObjectReplacement[]): string {
  const { text } = document.chunk;
  const expected = expectedValues(document, replacements);
  const rendered =
    document.items === undefined ? rootText(document, replacements) : listText(document, replacements);
  if (rendered !== undefined && readsAs(rendered, expected)) return rendered;
  const comments = commentLines(document.yaml).map((line) => `#${line}\n`);
  const plain = expected.map((value) => stringify(value, { ...styleOf(text), aliasDuplicateObjects: false }));
  return `${/^---/.test(text) ? '---\n' : ''}${comments.join('')}${plain.join('---\n')}`;
}

function expectedValues(
  { objects, items, yaml }: ManifestDocument,
  replacements: readonly ObjectReplacement[],
): readonly Json[] {
  const all = objects.flatMap((object) => resultsOf(object, replacements) ?? [object.object]);
  return items === undefined ? all : [listOf(yaml.toJS(), all)];
}

function readsAs(text: string, expected: readonly Json[]): boolean {
  if (isNestedTooDeeply(text)) return false;
  const documents = parseAllDocuments(text, { merge: true });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return false;
  const values = documents.map((each) => each.toJS() as Json).filter((value) => value !== null);
  return (
    values.length === expected.length && values.every((value, index) => equalJson(value, expected[index]))
  );
}

function rootText(
  document: ManifestDocument,
  [replacement]: readonly ObjectReplacement[],
): string | undefined {
  if (replacement === undefined) return undefined;
  const { yaml, root, chunk } = document;
  const [first, ...more] = replacement.results;
  if (first === undefined) return noteText(chunk.text, replacement.note ?? []);
  const nodes = convertedNodes(yaml, root, [first, ...more]);
  keepLostComments(replacement, yaml, nodes);
  const style = styleOf(chunk.text);
  yaml.contents = nodes[0] as typeof yaml.contents;
  const texts = nodes.slice(1).map((node) => `---\n${textOf(node, style)}`);
  return attempt(() => [yaml.toString(style), ...texts].join(''));
}

/** The library refuses an alias without its anchor, which a part of a document may have. */
function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}

function textOf(node: Node, style: ReturnType<typeof styleOf>): string {
  const document = new Document();
  document.contents = node as typeof document.contents;
  return document.toString(style);
}

function noteText(text: string, note: readonly string[]): string {
  const lines = note.map((line) => `# ${line}\n`).join('');
  return /^---/.test(text) ? `---\n${lines}` : lines;
}

function listText(
  { yaml, root, items, objects, chunk }: ManifestDocument,
  replacements: readonly ObjectReplacement[],
): string | undefined {
  if (items === undefined) return undefined;
  for (const object of objects.toReversed()) {
    const replacement = replacements.find(({ source }) => source === object);
    if (replacement === undefined || object.item === undefined) continue;
    const nodes = convertedNodes(yaml, object.node, replacement.results);
    keepLostComments(replacement, yaml, nodes);
    items.items.splice(object.item, 1, ...nodes);
  }
  root.set('apiVersion', 'v1');
  root.set('kind', 'List');
  return attempt(() => yaml.toString(styleOf(chunk.text)));
}

/** Comments of fields that are gone move to the beginning of the object: they may say why things are as they are. */
function keepLostComments(
  { source, exported }: ObjectReplacement,
  yaml: Document,
  nodes: readonly Node[],
): void {
  const [first] = nodes;
  const elsewhere = exported === undefined ? [] : exportedComments(yaml, source.node, exported);
  const kept = [...nodes.flatMap(commentLines), ...elsewhere];
  const lost = commentLines(source.node).filter((line) => {
    const index = kept.indexOf(line);
    if (index >= 0) kept.splice(index, 1);
    return index < 0;
  });
  if (lost.length === 0 || !isMap(first)) return;
  const key = first.items[0]?.key;
  if (isScalar(key)) key.commentBefore = [key.commentBefore, ...lost].filter(Boolean).join('\n');
}

/** The comments that another object has now; those of keys that nobody has are lost otherwise. */
function exportedComments(
  yaml: Document,
  node: Node,
  { field, keys }: NonNullable<ObjectReplacement['exported']>,
): readonly string[] {
  const found = fieldAt(yaml, node, field);
  if (found === undefined) return [];
  const members = keys.flatMap((key) => fieldAt(yaml, found.value, [key]) ?? []);
  const nodes = members.flatMap(({ key, value }) => [...(key === undefined ? [] : [key]), value]);
  const own = [found.key?.commentBefore, found.value.comment].flatMap((text) => text?.split('\n') ?? []);
  return [...own, ...nodes.flatMap(commentLines)];
}

function commentLines(node: Node | Document): readonly string[] {
  const lines: string[] = [];
  const add = (text: string | null | undefined) => {
    if (text) lines.push(...text.split('\n').filter((line) => line.trim() !== ''));
  };
  visit(node, {
    Node: (_, each) => {
      add(each.commentBefore);
      add(each.comment);
    },
  });
  return lines;
}
