export { withDefaultSpread } from './default-spread.ts';
export type { LabelSource, ObjectName, SelectorSource, SpreadSources } from './spread-sources.ts';
