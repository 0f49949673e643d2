export { type RefusalCase, refusalCases, unmetConstraints } from './constraint-cases.ts';
export { ec2NodeClass, nodeClaim, nodePool, type Sample, samples } from './samples.ts';
