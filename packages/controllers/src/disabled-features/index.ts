/**
 * The controllers `featuregate.*`: publish a warning on objects that have no effect because their feature
 * gate is off: NodePools with `replicas`, NodeOverlays and CapacityBuffers. They watch these kinds and write
 * events only. Start with `disabled-features.ts`.
 */
export { disabledFeatures } from './disabled-features.ts';
