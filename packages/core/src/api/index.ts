export * from './conditions/index.ts';
export * from './hash/index.ts';
export * from './kinds/index.ts';
export * from './names/index.ts';
export * from './settings/index.ts';
