/**
 * Hashes for drift detection, equal to Karpenter's bit for bit, so that nodes do not drift when a cluster
 * switches over. Pure. Start with `node-pool-hash.ts`; `structural-hash.ts` reproduces the Go library.
 */

export { fnv1Text, type Hash } from './fnv.ts';
export { nodePoolHash, nodePoolHashVersion } from './node-pool-hash.ts';
export {
  hashBoolean,
  hashDuration,
  hashInt32,
  hashInt64,
  hashList,
  hashMap,
  hashStructure,
  hashText,
  hashTextList,
  hashTextMap,
  ifSet,
  unlessZero,
} from './structural-hash.ts';
