import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { isNestedTooDeeply } from '@karpenter/kube/yaml';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isSeq,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { placeComments } from './comment-places.ts';
import type { DocumentChunk } from './document-chunks.ts';

/** An object of a document: the document itself, or an item of a List. */
export interface SourceObject {
  readonly object: JsonObject;
  readonly node: YAMLMap;
  /** Its place in the List; absent for the document itself. */
  readonly item?: number;
}

/** A document that could be parsed and holds Kubernetes objects. */
export interface ManifestDocument {
  readonly chunk: DocumentChunk;
  readonly yaml: Document;
  readonly root: YAMLMap;
  readonly isJson: boolean;
  readonly objects: readonly SourceObject[];
  /** The items of a List. */
  readonly items?: YAMLSeq;
}

/** Why a document could not be parsed. */
export interface DocumentProblem {
  readonly chunk: DocumentChunk;
  readonly problem: string;
  /** From 1. */
  readonly line: number;
}

/** Whether a document may hold anything to convert. Everything that changes has one of these words in it. */
export function mayNeedConversion({ text }: DocumentChunk): boolean {
  return text.includes('karpenter') || text.includes('node.kubernetes.io/unschedulable');
}

/** Parses a document. Undefined for one without Kubernetes objects: empty, a scalar, or Helm values. */
export function manifestDocument(chunk: DocumentChunk): ManifestDocument | DocumentProblem | undefined {
  if (isNestedTooDeeply(chunk.text))
    return { chunk, problem: 'it is nested too deeply', line: chunk.firstLine };
  const yaml = parseDocument(chunk.text, { merge: true });
  const [error] = yaml.errors;
  if (error !== undefined) {
    const [place] = error.linePos ?? [];
    return { chunk, problem: firstLine(error.message), line: chunk.firstLine + (place?.line ?? 1) - 1 };
  }
  const key = mapAsKey(yaml);
  if (key !== undefined) return { chunk, problem: 'a key is a map', line: lineOf(chunk, key) };
  const root = yaml.contents;
  if (!isMap(root)) return undefined;
  return readObjects(chunk, yaml, root);
}

/** A map as a key, which YAML allows and Kubernetes does not: `{{ .Values.name }}` of a Helm template reads like one. */
function mapAsKey(yaml: Document): Node | undefined {
  let found: Node | undefined;
  visit(yaml, {
    Pair: (_, { key }) => {
      if (!isCollection(key)) return undefined;
      found = key;
      return visit.BREAK;
    },
  });
  return found;
}

function lineOf({ text, firstLine }: DocumentChunk, { range }: Node): number {
  return firstLine + text.slice(0, range?.[0] ?? 0).split('\n').length - 1;
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/ at line \d+, column \d+:?$/, '');
}

function readObjects(
  chunk: DocumentChunk,
  yaml: Document,
  root: YAMLMap,
): ManifestDocument | DocumentProblem | undefined {
  const value = documentValue(yaml);
  if (typeof value === 'string') return { chunk, problem: value, line: chunk.firstLine };
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return undefined;
  const document = { chunk, yaml, root, isJson: isJson(chunk.text) };
  if (!document.isJson) placeComments(yaml, chunk.text);
  const items = root.get('items', true);
  const list = isAlias(items) ? items.resolve(yaml) : items;
  if (!value['kind'].endsWith('List') || !isSeq(list))
    return { ...document, objects: [{ object: value, node: root }] };
  return { ...document, items: list, objects: itemsOf({ yaml, list, value }) };
}

/** The value of a document, or the reason why it has none: aliases are resolved only now. */
function documentValue(yaml: Document): Json {
  try {
    return yaml.toJS();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface ListSource {
  readonly yaml: Document;
  readonly list: YAMLSeq;
  readonly value: JsonObject;
}

/** The objects of a List. Items of a typed list need not repeat its kind and version. */
function itemsOf({ yaml, list, value }: ListSource): readonly SourceObject[] {
  const { items, apiVersion, kind } = value;
  const itemKind = String(kind).slice(0, -'List'.length);
  const type = itemKind === '' ? {} : { apiVersion: apiVersion ?? '', kind: itemKind };
  const values = isJsonArray(items) ? items : [];
  return list.items.flatMap((each, item) => {
    const written = each as Node;
    const node = isAlias(written) ? written.resolve(yaml) : written;
    const object = values[item];
    return isMap(node) && isJsonObject(object) ? [{ object: { ...type, ...object }, node, item }] : [];
  });
}

function isJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
