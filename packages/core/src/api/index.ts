/**
 * The Karpenter API as data: kinds and their CRDs (`kinds`), conditions (`conditions`), drift hashes
 * (`hash`), settings (`settings`), and every name that users see, from labels to metrics (`names`). No
 * behaviour beyond parsing and formatting; everything else in core may import it. Start with
 * `kinds/node-pool.ts` and `names/index.ts`.
 */

export * from './conditions/index.ts';
export * from './hash/index.ts';
export * from './kinds/index.ts';
export * from './names/index.ts';
export * from './settings/index.ts';
