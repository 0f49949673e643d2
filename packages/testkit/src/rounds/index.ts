/**
 * How often randomized tests repeat: few rounds for `npm test`, more for CI, any number by hand. The only place in the
 * tests that reads these variables.
 */
export { type Batch, batches, rounds, seeds } from './rounds.ts';
