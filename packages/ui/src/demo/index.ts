/** The guided demo of `dev`: a tour that watches the cluster, and controls. Start with `demo-tab.tsx`. */

export { DemoTab } from './demo-tab.tsx';
export { FloatingTour } from './tour-card.tsx';
