/**
 * What resolving the selectors of an EC2NodeClass has in common: the result type, cache keys and EC2 filters.
 * Pure. Start with `resolution.ts`.
 */

export {
  foundOr,
  generationKey,
  type Resolution,
  type ResolutionFailure,
} from './resolution.ts';
export { tagFilters, valueFilter } from './tag-filters.ts';
