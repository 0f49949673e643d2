/** The panel beside the map: facts and explanation of what is selected. Start with `details-panel.tsx`. */

export { DetailsPanel } from './details-panel.tsx';
export { UsageBar } from './usage-bar.tsx';
