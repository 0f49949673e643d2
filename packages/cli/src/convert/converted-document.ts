import {
  type ConvertedPart,
  isGlobalSettings,
  movedSettings,
  type ObjectConversion,
} from '@karpenter/aws/conversion';
import { type FieldPath, subjectOf } from '@karpenter/core/conversion';
import { type Document, isNode, type YAMLMap } from 'yaml';
import { type ManifestDocument, manifestDocument, type SourceObject } from './input/manifest-document.ts';
import type { ManifestFile } from './input/manifest-files.ts';
import type { ConversionMessage } from './message.ts';
import type { WrittenObject } from './output/converted-node.ts';
import { type ObjectReplacement, renderedDocument } from './output/rendered-document.ts';
import { settingsMessages, settingsNote } from './settings.ts';
import { editedWorkloads } from './workloads/workload-edits.ts';

/** The conversions of the objects of all files. */
export interface ConvertedObjects {
  conversionOf(object: SourceObject): ObjectConversion | undefined;
  /** The source of an object by its place among all. */
  sourceAt(index: number): { readonly document: Document; readonly node: YAMLMap } | undefined;
}

/** One document and what becomes of its objects. */
export class ConvertedDocument {
  readonly #file: ManifestFile;
  readonly #document: ManifestDocument;
  readonly #objects: ConvertedObjects;

  constructor(file: ManifestFile, document: ManifestDocument, objects: ConvertedObjects) {
    this.#file = file;
    this.#document = document;
    this.#objects = objects;
  }

  /** Workloads are edited in the text first; objects of Karpenter are rendered again after that. */
  text(): string {
    const edited = this.#edited();
    const document =
      edited === this.#document.chunk.text ? this.#document : parsedAgain(edited, this.#document);
    const replacements = document.objects.flatMap((object, index) => this.#replacement(object, index));
    return replacements.length === 0 ? edited : renderedDocument(document, replacements);
  }

  messages(): readonly ConversionMessage[] {
    return this.#document.objects.flatMap((object) => {
      const settings = isGlobalSettings(object.object)
        ? settingsMessages(object.object, this.#at(object, []))
        : [];
      const workload = this.#isForeign(object) ? this.#workloadMessages(object) : [];
      return [...settings, ...workload, ...this.#conversionMessages(object)];
    });
  }

  #edited(): string {
    const { yaml, chunk, objects } = this.#document;
    const foreign = objects.filter((object) => this.#isForeign(object));
    const nodes = foreign.map(({ node }) => node);
    return editedWorkloads(yaml, nodes, chunk.text).text;
  }

  #replacement(object: SourceObject, index: number): readonly ObjectReplacement[] {
    const original = this.#document.objects[index] ?? object;
    if (isGlobalSettings(original.object) && !(this.#document.isJson && this.#document.items === undefined)) {
      return [{ source: object, results: [], note: settingsNote(movedSettings(original.object)) }];
    }
    const { results = [] } = this.#objects.conversionOf(original) ?? {};
    if (results.every((part) => part.object === original.object)) return [];
    const exported = results.find((part) => part.exported !== undefined)?.exported;
    return [
      {
        source: object,
        results: results.map((part) => this.#written(part)),
        ...(exported !== undefined && { exported }),
      },
    ];
  }

  #written({ object, moves, imported }: ConvertedPart): WrittenObject {
    const other = imported && this.#objects.sourceAt(imported.source);
    return {
      object,
      moves,
      ...(imported && other && { imported: { ...other, from: imported.from, to: imported.to } }),
    };
  }

  /** Whether an object is none of Karpenter's, so that only the keys it uses may have changed. */
  #isForeign({ object }: SourceObject): boolean {
    const group = String(object['apiVersion'] ?? '').split('/')[0] ?? '';
    return !karpenterGroups.has(group) && !keptKinds.has(String(object['kind']));
  }

  #workloadMessages(object: SourceObject): readonly ConversionMessage[] {
    const { yaml, chunk } = this.#document;
    return editedWorkloads(yaml, [object.node], chunk.text).warnings.map(
      ({ offset, needsReview, ...warning }) => ({
        ...warning,
        file: this.#file.path,
        line: this.#lineOf(offset),
        severity: needsReview ? 'review' : 'note',
        object: subjectOf(object.object),
      }),
    );
  }

  #conversionMessages(object: SourceObject): readonly ConversionMessage[] {
    const conversion = this.#objects.conversionOf(object);
    const refusal = conversion?.refusal;
    const messages = (conversion?.warnings ?? []).map(
      ({ code, sentence, needsReview, field, object: subject }): ConversionMessage => ({
        ...this.#at(object, field),
        severity: needsReview ? 'review' : 'note',
        code,
        object: subject,
        sentence,
      }),
    );
    if (refusal === undefined) return messages;
    const field = String(refusal.details['field'] ?? '').split('.');
    const place = this.#at(object, field);
    return [
      ...messages,
      {
        ...place,
        severity: 'refusal',
        code: 'not-convertible',
        object: subjectOf(object.object),
        sentence: refusal.message,
      },
    ];
  }

  /** The place of a field, or of the innermost part of its path that is there. */
  #at({ node }: SourceObject, field: FieldPath): { readonly file: string; readonly line: number } {
    const paths = field.map((_, index) => field.slice(0, field.length - index));
    const found = paths.map((path) => node.getIn(path, true)).find(isNode);
    return { file: this.#file.path, line: this.#lineOf((found ?? node).range?.[0] ?? 0) };
  }

  #lineOf(offset: number): number {
    const { chunk } = this.#document;
    return chunk.firstLine + chunk.text.slice(0, offset).split('\n').length - 1;
  }
}

const karpenterGroups = new Set(['karpenter.sh', 'karpenter.k8s.aws']);
/** Kinds in which these keys are data and refer to nothing. */
const keptKinds = new Set(['CustomResourceDefinition', 'ConfigMap', 'Secret']);

function parsedAgain(text: string, document: ManifestDocument): ManifestDocument {
  const again = manifestDocument({ ...document.chunk, text });
  return again !== undefined && 'objects' in again ? again : document;
}
