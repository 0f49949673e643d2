/**
 * Money now and over time, as figures and charts. React components that read the store. Start with
 * `cost-tab.tsx`; `stacked-series.ts` prepares the columns of a chart.
 */

export { CostTab } from './cost-tab.tsx';
