// `karpenter convert`: reads files, folders and streams (`input/`), converts the objects of Karpenter in all
// of them together with `@karpenter/aws/conversion`, and writes them with their comments (`output/`). In
// workloads only the names of keys change, as edits of the text (`workloads/`). Documents without anything to
// convert stay byte for byte. Touches files only, no cluster. Start reading at `convert-files.ts`.

export { convertFiles, type FileResult } from './convert-files.ts';
export { readManifestFiles, standardInput } from './input/manifest-files.ts';
export { type ConversionMessage, messageText } from './message.ts';
export { joinedTexts } from './output/joined-texts.ts';
export { writeFiles } from './output/written-files.ts';
