/**
 * What the optional admission webhook decides on NodePools and NodeClaims (ADR 0052): the rules of the
 * run-time validation, those that need other fields or the instance types of the cloud, and the fields of a
 * nodeClassRef that it adds. Pure. Start with `node-pool-admission.ts`.
 */

export { type Admission, problemText } from './admission.ts';
export { nodeClassRefPatch } from './node-class-ref-defaults.ts';
export { type AdmissionRules, admitNodeClaim, admitNodePool } from './node-pool-admission.ts';
export { type KnownInstanceType, TypeCatalogue } from './type-catalogue.ts';
