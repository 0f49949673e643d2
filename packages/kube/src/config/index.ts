export { type LoadOptions, loadConfig } from './load-config.ts';
