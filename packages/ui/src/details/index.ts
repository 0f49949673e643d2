/**
 * The panel beside the map: facts and explanation of what is selected. React components that read the store;
 * the explanation comes from the server through `../explanation`. Start with `details-panel.tsx`.
 */

export { DetailsPanel } from './details-panel.tsx';
export { UsageBar } from './usage-bar.tsx';
