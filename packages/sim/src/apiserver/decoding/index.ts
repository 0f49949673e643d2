/**
 * Decoders of request bodies: JSON, YAML and protobuf to JSON objects, and patches. Pure functions of bytes.
 * Errors are Kubernetes' own, down to the words of Go's decoders, because clients print them. Start with
 * json-body.ts.
 */
export { type DecodedBody, decodeJson, decodePatch } from './json-body.ts';
export { depthLimit } from './json-scan.ts';
export { decodeProtobuf } from './protobuf-body.ts';
export { decodeApplyPatch, decodeYaml } from './yaml-body.ts';
