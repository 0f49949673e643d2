/**
 * The three kinds of patches: JSON Patch, JSON Merge Patch and Kubernetes' strategic merge patch. Pure
 * functions from a document and a patch to a new document; apply/ has server-side apply. Start with
 * json-patch.ts.
 */
export { applyJsonPatch, jsonPatchInSteps } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
