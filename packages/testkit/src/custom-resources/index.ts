export { type RefusalCase, refusalCases, unmetConstraints } from './constraint-cases.ts';
export { type CustomResourceSample, ec2NodeClass, nodeClaim, nodePool, samples } from './samples.ts';
