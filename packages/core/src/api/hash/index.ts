/**
 * Hashes for drift detection, equal to Karpenter's bit for bit, so that nodes do not drift when a cluster
 * switches over. Start with `node-pool-hash.ts`; `structural-hash.ts` reproduces the Go library.
 */

export { fnv1, fnv1Text, type Hash } from './fnv.ts';
export { type HashedNodePoolTemplate, nodePoolHash, nodePoolHashVersion } from './node-pool-hash.ts';
export {
  type HashedField,
  hashBoolean,
  hashDuration,
  hashInt32,
  hashInt64,
  hashList,
  hashMap,
  hashStructure,
  hashStructureUnlessZero,
  hashText,
  hashTextList,
  hashTextMap,
  ifSet,
  type StringMap,
  unlessZero,
} from './structural-hash.ts';
