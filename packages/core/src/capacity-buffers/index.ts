export {
  type BufferOutcome,
  type BufferOutcomes,
  bufferOutcomes,
  provisioningCondition,
} from './buffer-outcome.ts';
export { bufferPods } from './buffer-pods.ts';
export { type BufferCondition, type BufferResolution, resolveBuffer } from './buffer-resolution.ts';
export { bufferSize } from './buffer-size.ts';
export type {
  BufferReferences,
  PodTemplateView,
  ScalableKind,
  ScalableView,
} from './buffer-template.ts';
