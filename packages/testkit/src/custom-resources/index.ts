/**
 * Accepted and rejected objects of our custom resources, derived from the schemas: one rejected object per
 * constraint. The API servers must agree on all of them. Data and pure functions. Start reading at
 * `constraint-cases.ts`.
 */
export { type RefusalCase, refusalCases, unmetConstraints } from './constraint-cases.ts';
export { ec2NodeClass, nodeClaim, nodePool, samples } from './samples.ts';
