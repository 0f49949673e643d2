import { type ConversionOptions, convertObjects, type ObjectConversion } from '@karpenter/aws/conversion';
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
  const objects = parts.flatMap((each) => each.objects.map(({ object }) => object));
  const conversions = convertObjects(objects, options);
  const results = inParts(parts, conversions).map(([each, converted]) => convertedFile(each, converted));
  const messages = results.flatMap((each) => each.messages);
  return {
    files: results.map(({ file, text }) => ({ file, text })),
    messages: messages.filter(({ severity }) => severity !== 'refusal'),
    refusals: messages.filter(({ severity }) => severity === 'refusal'),
  };
}

/** The conversions of all objects, divided by file again. */
function inParts(
  parts: readonly FileParts[],
  conversions: readonly ObjectConversion[],
): readonly (readonly [FileParts, readonly ObjectConversion[]])[] {
  let next = 0;
  return parts.map((each) => {
    const start = next;
    next += each.objects.length;
    return [each, conversions.slice(start, next)] as const;
  });
}
