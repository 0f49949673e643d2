/**
 * The guided demo of `dev`: a tour that watches the cluster, and controls. Sends the actions to the server,
 * which changes the demo cluster; keeps the state of the tour in `sessionStorage`. Start with `demo-tab.tsx`.
 */

export { DemoTab } from './demo-tab.tsx';
export { FloatingTour } from './tour-card.tsx';
