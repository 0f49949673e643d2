export * from './ami-family/index.ts';
export { customResources } from './custom-resources.ts';
export * from './names/index.ts';
export * from './node-class/index.ts';
export * from './settings/index.ts';
export * from './user-data/index.ts';
