import { compilePattern, type Re2Pattern } from '@karpenter/kube/patterns';
import { parseYaml } from '@karpenter/kube/yaml';

/** Name of the ConfigMap that the priority expander reads, and the key in it. */
export const prioritiesConfigMap = 'cluster-autoscaler-priority-expander';
export const prioritiesKey = 'priorities';

const maxWeight = 100;

/**
 * The weight of each group, by name, from the highest priority with a matching pattern. Weights are 1 to 100, so
 * priorities keep their order but not their distance.
 */
export function groupWeights(text: string, names: readonly string[]): ReadonlyMap<string, number> {
  const ranked = readPriorities(text).sort((a, b) => a.priority - b.priority);
  const weights = new Map<string, number>();
  for (const [index, { patterns }] of ranked.entries()) {
    const weight = Math.min(maxWeight, index + 1);
    for (const name of names) if (patterns.some((pattern) => pattern.test(name))) weights.set(name, weight);
  }
  return weights;
}

interface Priority {
  readonly priority: number;
  readonly patterns: readonly Re2Pattern[];
}

/** An invalid ConfigMap gives no weights; Cluster Autoscaler ignores it too. */
function readPriorities(text: string): Priority[] {
  const parsed = yamlOf(text);
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).flatMap(([key, patterns]) => {
    const priority = Number(key);
    if (!Number.isFinite(priority) || !Array.isArray(patterns)) return [];
    return [{ priority, patterns: patterns.flatMap((pattern) => patternOf(String(pattern))) }];
  });
}

function yamlOf(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

function patternOf(pattern: string): readonly Re2Pattern[] {
  try {
    return [compilePattern(pattern)];
  } catch {
    return [];
  }
}
