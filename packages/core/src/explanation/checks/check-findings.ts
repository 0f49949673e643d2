import type { NodePool } from '../../api/index.ts';
import {
  explainIncompatible,
  incompatibilitiesText,
  type Requirement,
  Requirements,
  requiredAlternatives,
  requirementText,
} from '../../requirements/index.ts';
import type { FailedCheck, PoolRejection } from '../../scheduling/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import { formatTaint, parseQuantity, toNumber, untolerated } from '../../values/index.ts';
import { usedOf } from '../changes/candidate-changes.ts';
import type { Finding } from '../explanation.ts';
import { LabelSpace } from '../label-space.ts';
import type { ExplainedCluster } from '../situation.ts';
import { amountText, blocked, listed } from '../wording.ts';
import type { PodAndPool } from './pool-trial.ts';
import { resourceFindings } from './resource-findings.ts';

interface CheckInputs extends PodAndPool {
  readonly explained: ExplainedCluster;
  readonly rejection: PoolRejection;
}

type FindingWriter = (inputs: CheckInputs) => readonly Finding[];

/** What a failed check found, with what the pod asks for and what the NodePool has. */
export function checkFindings(check: FailedCheck, inputs: CheckInputs): readonly Finding[] {
  const found = writers[check](inputs);
  return found.length > 0 ? found : [adviceFinding(inputs)];
}

const writers: Readonly<Record<FailedCheck, FindingWriter>> = {
  taints: ({ pod, pool }) =>
    untolerated(pool.spec.template.spec.taints, pod.spec.tolerations).map((taint) =>
      blocked(`the pod does not tolerate the taint ${formatTaint(taint)}`),
    ),
  requirements: (inputs) => requirementFindings(inputs),
  limits: ({ explained, pool }) => limitFindings(explained, pool),
  topology: ({ rejection }) => [blocked(topologyText(rejection.message))],
  resources: ({ explained, pod, pool }) => resourceFindings(explained, { pod, pool }),
  offering: () => [],
  volume: ({ rejection }) => [blocked(rejection.message)],
  reservations: () => [],
  devices: ({ rejection }) => [blocked(rejection.message)],
};

function adviceFinding({ rejection: { advice, message } }: CheckInputs): Finding {
  const [opening = message] = message.split(', requirements=');
  return blocked(advice === undefined ? opening : `${opening}: ${advice}`);
}

/** By the term of required node affinity that fails least; the planner tries all of them. */
function requirementFindings({ explained, pod, pool }: CheckInputs): readonly Finding[] {
  const labels = new LabelSpace(explained.options);
  const types = typesOf(explained, pool, labels);
  const inputs = { labels, types, offered: labels.ofPool(pool) };
  const alternatives = requiredAlternatives(labels.vocabulary, pod.spec).map((asked) =>
    asked.byName().flatMap((requirement) => labelFindings(requirement, inputs)),
  );
  return alternatives.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

interface OfferedLabels {
  readonly labels: LabelSpace;
  readonly offered: Requirements;
  /** Of the instance types that the NodePool allows. */
  readonly types: readonly Requirements[];
}

/** What the pod asks of one label, if the NodePool or its types do not have it. */
function labelFindings(asked: Requirement, { labels, offered, types }: OfferedLabels): readonly Finding[] {
  const alone = Requirements.of([asked]);
  const [reason] = explainIncompatible(offered, alone, labels.wellKnown);
  const opening = `the pod asks for ${requirementText(asked)}`;
  if (reason?.kind === 'disjoint')
    return [blocked(`${opening}; the NodePool has ${requirementText(reason.existing)}`)];
  if (reason !== undefined)
    return [blocked(`${opening}; ${incompatibilitiesText([reason])} in the NodePool`)];
  if (types.some((type) => type.intersects(alone))) return [];
  const values = new Set(types.flatMap((type) => type.find(asked.key)?.values() ?? []));
  return [
    blocked(`${opening}; the types of the NodePool have ${listed([...values].sort(), 5) || 'no such label'}`),
  ];
}

function typesOf({ cluster }: ExplainedCluster, pool: NodePool, labels: LabelSpace): readonly Requirements[] {
  const wanted = labels.ofPool(pool);
  return (cluster.instanceTypes.get(pool.metadata.name) ?? [])
    .map(({ requirements }) => labels.of(requirements))
    .filter((type) => wanted.intersects(type));
}

function limitFindings({ cluster }: ExplainedCluster, pool: NodePool): readonly Finding[] {
  const used = usedOf(pool, cluster.nodes);
  const types = cluster.instanceTypes.get(pool.metadata.name) ?? [];
  return Object.entries(pool.spec.limits ?? {}).flatMap(([resource, text]) => {
    const limit = toNumber(parseQuantity(text, resource));
    const left = limit - (used[resource] ?? 0);
    const amounts = types.map(({ capacity }) =>
      resource === 'nodes' ? 1 : toNumber(parseQuantity(capacity[resource] ?? 0, resource)),
    );
    if (left >= Math.max(...amounts)) return [];
    const inUse = amountText(resource, used[resource] ?? 0);
    return [
      blocked(
        `limits.${resource} is ${text}: ${inUse} in use, ${amountText(resource, Math.max(0, left))} left`,
      ),
    ];
  });
}

const topologyMessage = /^unsatisfiable topology constraint for (.*), key=(\S+) \(counts = (.*), podDomains/;

/** Shorter than Karpenter's message. */
export function topologyText(message: string): string {
  const [, kind, key, counts = ''] = topologyMessage.exec(message) ?? [];
  if (kind === undefined) return message;
  return `the ${kind} by ${key} leaves no domain${counts === '' ? '' : ` (matching pods: ${counts})`}`;
}

/** Whether the pod asks for anything that the check looks at. */
export function asksFor(check: FailedCheck, { spec }: ClusterPod): boolean {
  if (check !== 'requirements') return true;
  return (
    Object.keys(spec.nodeSelector ?? {}).length > 0 ||
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined
  );
}
