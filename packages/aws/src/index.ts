export * from './ami-family/index.ts';
export { customResources } from './custom-resources.ts';
export * from './instance-type-provider/index.ts';
export * from './instance-types/index.ts';
export * from './names/index.ts';
export * from './node-class/index.ts';
export * from './offerings/index.ts';
export * from './pricing/index.ts';
export * from './settings/index.ts';
