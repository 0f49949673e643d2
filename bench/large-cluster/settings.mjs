/** Options of `npm run bench -- --only large-cluster`, with the environment variables that carry them. */
export const largeClusterOptions = {
  nodes: { variable: 'KARPENTER_BENCH_NODES' },
  pods: { variable: 'KARPENTER_BENCH_PODS' },
  profile: { variable: 'KARPENTER_BENCH_PROFILE' },
};

/** As many pods of the sizes in manifests.mjs fit on a node. */
const maxPodsPerNode = 23;
const usualPodsPerNode = 20;

/**
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns what to measure; throws one sentence on a value that cannot be used
 */
export function largeClusterSettings(environment) {
  const textOf = (name) => environment[largeClusterOptions[name].variable];
  const nodes = positive('nodes', textOf('nodes') ?? '5000');
  const pods = positive('pods', textOf('pods') ?? String(nodes * usualPodsPerNode));
  const podsPerNode = pods / nodes;
  if (!Number.isInteger(podsPerNode) || podsPerNode > maxPodsPerNode)
    throw new Error(
      `--pods ${pods}: not 1 to ${maxPodsPerNode} for each of ${nodes} nodes, and the same number for each`,
    );
  return { nodes, podsPerNode, profile: textOf('profile') };
}

function positive(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} ${text}: not a positive whole number`);
}
