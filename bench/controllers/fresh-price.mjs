import { simulate, simulationsOf } from '@karpenter/cli';
import { simulateWiring } from '@karpenter/cli/embedded';
import { nodePool } from './manifests.mjs';

const ports = { ...simulateWiring, note: () => undefined };
/** Dollars per hour of what our planner creates for the deployments in an empty cluster. */
export async function freshPrice(deployments) {
  const items = deployments.map((app) => ({ apiVersion: 'apps/v1', kind: 'Deployment', ...app }));
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [nodePool('100%'), ...items] });
  const [pending] = simulationsOf([{ name: 'the deployments of the bench', text }], ports);
  const { plan } = simulate(await pending(), ports);
  if (plan.rejections.length > 0) throw new Error(`the planner rejects a pod: ${plan.rejections[0].message}`);
  return plan.newNodes.reduce((sum, { price }) => sum + price, 0);
}
