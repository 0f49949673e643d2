export {
  foundOr,
  generationKey,
  type Resolution,
  type ResolutionFailure,
  type ResolvedClass,
} from './resolution.ts';
export { tagFilters, valueFilter } from './tag-filters.ts';
