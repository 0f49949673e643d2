import { CodedError } from '@karpenter/core/errors';
import { ConvertedDocument, type ConvertedObjects } from './converted-document.ts';
import { type DocumentChunk, documentChunks } from './input/document-chunks.ts';
import {
  type DocumentProblem,
  type ManifestDocument,
  manifestDocument,
  mayNeedConversion,
} from './input/manifest-document.ts';
import { type ManifestFile, standardInput } from './input/manifest-files.ts';
import type { ConversionMessage } from './message.ts';

/** A file in documents. Those that cannot need a conversion are not parsed and stay byte for byte. */
export interface FileParts {
  readonly file: ManifestFile;
  readonly documents: readonly (ManifestDocument | DocumentProblem | DocumentChunk)[];
}

export interface ConvertedFile {
  readonly file: ManifestFile;
  readonly text: string;
  readonly messages: readonly ConversionMessage[];
}

/** Parses a file. Throws `malformed-file` for a document that mentions Karpenter and cannot be read. */
export function fileParts(file: ManifestFile): FileParts {
  const documents = documentChunks(file.text).map((chunk) => documentOf(file, chunk));
  return { file, documents };
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
export function convertedFile({ file, documents }: FileParts, objects: ConvertedObjects): ConvertedFile {
  const messages: ConversionMessage[] = [];
  const texts = documents.map((document) => {
    if ('problem' in document) messages.push(unreadable(file, document));
    if (!('objects' in document)) return 'text' in document ? document.text : document.chunk.text;
    const converted = new ConvertedDocument(file, document, objects);
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
