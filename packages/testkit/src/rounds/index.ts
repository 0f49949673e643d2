/**
 * How often randomized tests repeat: few rounds for `npm test`, more for CI, any number by hand. Reads
 * environment variables, and is the only place in the tests that reads these. Start with `rounds.ts`.
 */
export { type Batch, batches, rounds, seeds } from './rounds.ts';
