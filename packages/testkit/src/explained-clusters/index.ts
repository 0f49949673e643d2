/** Clusters for tests of explanations: a disruptable cluster with what plans of it need. */
export { explainedWith, findingTexts, readyPool } from './explained-cluster.ts';
