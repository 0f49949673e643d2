/**
 * Explanations of pods, nodes and NodePools, as the server gives them. Asks the server through
 * `../connection`. Start with `explanation-view.tsx`.
 */

export { ExplanationView } from './explanation-view.tsx';
