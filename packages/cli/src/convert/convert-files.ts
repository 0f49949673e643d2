import { type ConversionOptions, convertObjects } from '@karpenter/aws/conversion';
import type { ConvertedObjects } from './converted-document.ts';
import { convertedFile, type FileParts, fileParts } from './converted-file.ts';
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
  const objects = convertedObjects(parts, options);
  const results = parts.map((each) => convertedFile(each, objects));
  const messages = results.flatMap((each) => each.messages);
  return {
    files: results.map(({ file, text }) => ({ file, text })),
    messages: messages.filter(({ severity }) => severity !== 'refusal'),
    refusals: messages.filter(({ severity }) => severity === 'refusal'),
  };
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
