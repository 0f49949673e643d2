/**
 * The AWS part of the optional admission webhook (ADR 0052): decisions on EC2NodeClasses, and the labels of
 * the instance types of the region. Pure. Start with `node-class-admission.ts`.
 */

export { knownInstanceTypes } from './known-instance-types.ts';
export { admitNodeClass } from './node-class-admission.ts';
