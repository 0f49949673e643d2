/**
 * The controllers `featuregate.*`: publish a warning on objects that have no effect because their feature gate is
 * off: NodePools with `replicas`, NodeOverlays and CapacityBuffers.
 */
export { disabledFeatures } from './disabled-features.ts';
