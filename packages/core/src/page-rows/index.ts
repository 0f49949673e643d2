/**
 * The rows of the page from the rows of a ClusterView: what the stream sends, ready for JSON. Pure, and apart from
 * `page-api`, which the page itself imports, so that the page does not load the code of budgets. Start with
 * `page-pool.ts`.
 */

export { pageNode } from './page-node.ts';
export { pagePod } from './page-pod.ts';
export { budgetedNodes, pagePool } from './page-pool.ts';
