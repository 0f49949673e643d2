import { dirname } from 'node:path';
import { type ConversionOptions, convertObjects } from '@karpenter/aws/conversion';
import { subjectOf } from '@karpenter/core/conversion';
import type { ConvertedObjects } from './converted-document.ts';
import { type ConvertedFile, convertedFile, type FileParts, fileParts } from './converted-file.ts';
import type { ManifestFile } from './input/manifest-files.ts';
import type { ConversionMessage } from './message.ts';

export interface FileResult {
  readonly file: ManifestFile;
  readonly text: string;
}

export interface ConvertedFiles {
  readonly files: readonly FileResult[];
  /** Warnings, in the order of files and lines. */
  readonly messages: readonly ConversionMessage[];
  /** Why objects cannot be converted. If there is one, the files must not be used. */
  readonly refusals: readonly ConversionMessage[];
}

/** Converts all files together, because a NodePool in one may refer to a class in another. Throws `malformed-file`. */
export function convertFiles(files: readonly ManifestFile[], options: ConversionOptions): ConvertedFiles {
  const parts = files.map(fileParts);
  const results = new Map<ManifestFile, ConvertedFile>();
  for (const group of clustersOf(parts)) {
    const objects = convertedObjects(group, options);
    for (const part of group) results.set(part.file, convertedFile(part, objects));
  }
  const ordered = files.flatMap((file) => results.get(file) ?? []);
  const messages = ordered.flatMap((each) => each.messages);
  return {
    files: ordered.map(({ file, text }) => ({ file, text })),
    messages: messages.filter(({ severity }) => severity !== 'refusal'),
    refusals: messages.filter(({ severity }) => severity === 'refusal'),
  };
}

/**
 * The files of each cluster. Usually all files are of one; where an object of Karpenter occurs twice, they are of
 * several, such as `dev/` and `prod/`, and each folder is one.
 */
function clustersOf(parts: readonly FileParts[]): readonly (readonly FileParts[])[] {
  const subjects = parts.flatMap(({ documents }) => documents.flatMap(karpenterSubjects));
  if (new Set(subjects).size === subjects.length) return [parts];
  const folders = new Set(parts.map(({ file }) => dirname(file.path)));
  return [...folders].map((folder) => parts.filter(({ file }) => dirname(file.path) === folder));
}

function karpenterSubjects(document: FileParts['documents'][number]): readonly string[] {
  const objects = 'objects' in document ? document.objects.map(({ object }) => object) : [];
  const ours = objects.filter(({ apiVersion }) => /^karpenter\.(sh|k8s\.aws)\//.test(String(apiVersion)));
  return ours.map(subjectOf);
}

function convertedObjects(parts: readonly FileParts[], options: ConversionOptions): ConvertedObjects {
  const documents = parts.flatMap((part) => part.documents.filter((each) => 'objects' in each));
  const sources = documents.flatMap(({ yaml, objects }) =>
    objects.map((object) => ({ document: yaml, object })),
  );
  const conversions = convertObjects(
    sources.map(({ object }) => object.object),
    options,
  );
  const byObject = new Map(sources.map(({ object }, index) => [object, conversions[index]]));
  return {
    conversionOf: (object) => byObject.get(object),
    sourceAt: (index) => {
      const source = sources[index];
      return source && { document: source.document, node: source.object.node };
    },
  };
}
