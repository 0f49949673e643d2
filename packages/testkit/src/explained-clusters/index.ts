/**
 * Clusters for tests of explanations: a disruptable cluster with what plans of it need. Pure builders. Start
 * with `explained-cluster.ts`.
 */
export { explainedWith, findingTexts, readyPool } from './explained-cluster.ts';
