/**
 * Shows the explanations of pods, nodes and NodePools that the server computes. Requests them through
 * `../connection`. Start with `explanation-view.tsx`.
 */

export { ExplanationView } from './explanation-view.tsx';
