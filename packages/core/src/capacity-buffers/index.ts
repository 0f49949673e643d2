/**
 * CapacityBuffers: resolves a buffer to its size and virtual pods, and turns a plan into the status of the
 * buffers. Virtual pods are marked by an annotation and never run. Pure functions; the caller looks up
 * referenced objects. Start with `buffer-resolution.ts` and `buffer-outcome.ts`.
 */

export {
  type BufferOutcome,
  bufferOutcomes,
  provisioningCondition,
} from './buffer-outcome.ts';
export { bufferPods } from './buffer-pods.ts';
export { type BufferCondition, type BufferResolution, resolveBuffer } from './buffer-resolution.ts';
export type {
  BufferReferences,
  PodTemplateView,
  ScalableKind,
} from './buffer-template.ts';
