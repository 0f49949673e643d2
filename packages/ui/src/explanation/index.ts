/** Explanations of pods, nodes and NodePools, as the server gives them. */

export { ExplanationView } from './explanation-view.tsx';
