/**
 * The panel beside the map: fields and explanation of the selected object. React components that read the store;
 * the explanation comes from the server through `../explanation`. Start with `details-panel.tsx`.
 */

export { DetailsPanel } from './details-panel.tsx';
export { UsageBar } from './usage-bar.tsx';
