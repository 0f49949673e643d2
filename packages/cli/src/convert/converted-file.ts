import { isGlobalSettings, movedSettings, type ObjectConversion } from '@karpenter/aws/conversion';
import { type FieldPath, subjectOf } from '@karpenter/core/conversion';
import { CodedError } from '@karpenter/core/errors';
import { isNode } from 'yaml';
import { type DocumentChunk, documentChunks } from './input/document-chunks.ts';
import {
  type DocumentProblem,
  type ManifestDocument,
  manifestDocument,
  mayNeedConversion,
  type SourceObject,
} from './input/manifest-document.ts';
import { type ManifestFile, standardInput } from './input/manifest-files.ts';
import type { ConversionMessage } from './message.ts';
import { type Replacement, renderedDocument } from './output/rendered-document.ts';
import { settingsMessages, settingsNote } from './settings.ts';
import { editedWorkloads } from './workloads/workload-edits.ts';

/** A file in documents. Those that cannot need a conversion are not parsed and stay byte for byte. */
export interface FileParts {
  readonly file: ManifestFile;
  readonly documents: readonly (ManifestDocument | DocumentProblem | DocumentChunk)[];
  readonly objects: readonly SourceObject[];
}

export interface ConvertedFile {
  readonly file: ManifestFile;
  readonly text: string;
  readonly messages: readonly ConversionMessage[];
}

/** Parses a file. Throws `malformed-file` for a document that mentions Karpenter and cannot be read. */
export function fileParts(file: ManifestFile): FileParts {
  const documents = documentChunks(file.text).map((chunk) => documentOf(file, chunk));
  return { file, documents, objects: documents.flatMap((each) => ('objects' in each ? each.objects : [])) };
}

function documentOf(
  file: ManifestFile,
  chunk: DocumentChunk,
): ManifestDocument | DocumentProblem | DocumentChunk {
  if (!mayNeedConversion(chunk)) return withoutKarpenter(chunk);
  const document = manifestDocument(chunk) ?? chunk;
  if ('problem' in document) throw malformed(file, document);
  return document;
}

/** A document that cannot be read and does not mention Karpenter stays as it is, with a warning. */
function withoutKarpenter(chunk: DocumentChunk): DocumentProblem | DocumentChunk {
  const document = manifestDocument(chunk);
  return document !== undefined && 'problem' in document ? document : chunk;
}

function malformed({ path, text }: ManifestFile, { problem, line }: DocumentProblem): CodedError {
  const name = path === standardInput ? 'standard input' : path;
  const advice = text.includes('{{') ? '; render Helm templates first, with helm template' : '';
  return new CodedError('malformed-file', `${name}:${line}: not valid YAML: ${lowered(problem)}${advice}`, {
    details: { file: name, line },
  });
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** The file with its objects replaced by what they were converted to. */
export function convertedFile(
  { file, documents, objects }: FileParts,
  conversions: readonly ObjectConversion[],
): ConvertedFile {
  const byObject = new Map(objects.map((object, index) => [object, conversions[index]]));
  const messages: ConversionMessage[] = [];
  const texts = documents.map((document) => {
    if ('problem' in document) messages.push(unreadable(file, document));
    if (!('objects' in document)) return 'text' in document ? document.text : document.chunk.text;
    const converted = new ConvertedDocument(file, document, byObject);
    messages.push(...converted.messages());
    return converted.text();
  });
  return { file, text: texts.join(''), messages: messages.toSorted((a, b) => a.line - b.line) };
}

function unreadable(file: ManifestFile, { problem, line }: DocumentProblem): ConversionMessage {
  return {
    file: file.path,
    line,
    severity: 'review',
    code: 'unreadable-document',
    object: '',
    sentence: `the document is left as it is, because it is not valid YAML: ${lowered(problem)}`,
  };
}

class ConvertedDocument {
  readonly #file: ManifestFile;
  readonly #document: ManifestDocument;
  readonly #conversions: ReadonlyMap<SourceObject, ObjectConversion | undefined>;

  constructor(
    file: ManifestFile,
    document: ManifestDocument,
    conversions: ReadonlyMap<SourceObject, ObjectConversion | undefined>,
  ) {
    this.#file = file;
    this.#document = document;
    this.#conversions = conversions;
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
      if (this.#isForeign(object)) return this.#workloadMessages(object);
      if (isGlobalSettings(object.object)) return settingsMessages(object.object, this.#at(object, []));
      return this.#conversionMessages(object);
    });
  }

  #edited(): string {
    const { yaml, chunk, objects } = this.#document;
    const foreign = objects.filter((object) => this.#isForeign(object));
    const nodes = foreign.map(({ node }) => node);
    return editedWorkloads(yaml, nodes, chunk.text).text;
  }

  #replacement(object: SourceObject, index: number): readonly Replacement[] {
    const original = this.#document.objects[index] ?? object;
    if (isGlobalSettings(original.object) && !(this.#document.isJson && this.#document.items === undefined)) {
      return [{ source: object, results: [], note: settingsNote(movedSettings(original.object)) }];
    }
    const conversion = this.#conversions.get(original);
    const isChanged = conversion?.results.some((part) => part.object !== original.object) === true;
    return conversion !== undefined && isChanged ? [{ source: object, results: conversion.results }] : [];
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
    const conversion = this.#conversions.get(object);
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
