export { type DecodedBody, decodeJson, decodePatch } from './json-body.ts';
export { decodeProtobuf } from './protobuf-body.ts';
export { decodeApplyPatch, decodeYaml } from './yaml-body.ts';
