export { nodeTermination, type TerminationContext } from './node-termination.ts';
