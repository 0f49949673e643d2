import { awsLabelDomain } from '@karpenter/aws';
import type { PodView, Snapshot } from '@karpenter/core/scheduling';
import type { Json } from '@karpenter/core/schema';
import { type ClusterNode, type ClusterPod, ClusterState } from '@karpenter/core/state';
import { dryRunOptions } from '../cluster/plan-settings.ts';
import { defaultNamespace, type WrittenNode, type WrittenPod } from '../input/objects.ts';
import { inputError, type Origin, withOrigin } from '../input/origin.ts';
import { admittedNodePool } from '../objects/admitted-object.ts';
import { completeNode, storedNode } from '../objects/nodes.ts';
import { checkRequests, withIdentity } from '../objects/pods.ts';
import { noFindings, type PlanSimulation, type Policies, type SimulationClock } from '../simulation.ts';
import { type PodGroup, readScenario, type Scenario } from './scenario.ts';
import { type SharedRequirements, scenarioInstanceType } from './scenario-instance-type.ts';

/** Reads a scenario. Policies of the command line win over those of the scenario. */
export function scenarioSimulation(
  value: Json,
  origin: Origin,
  { policies, clock }: { readonly policies: Policies; readonly clock: Pick<SimulationClock, 'now'> },
): PlanSimulation {
  const scenario = readScenario(value, origin);
  const ofScenario: Policies = scenario.ignorePreferences === true ? { preferencePolicy: 'Ignore' } : {};
  const labels = scenario.instanceTypes.flatMap((type) => Object.keys(type.labels ?? {}));
  const ofAws = labels.filter((key) => key.startsWith(`${awsLabelDomain}/`));
  return {
    kind: 'scenario',
    source: origin.file,
    snapshot: scenarioSnapshot(scenario, origin, clock.now()),
    options: dryRunOptions({ ...ofScenario, ...policies }, clock, ofAws),
    findings: noFindings,
  };
}

/**
 * A scenario gives the planner's input directly: the planner places all its pods, in the given order and without the
 * checks for ignored pods, and daemons are given as pods. Nodes and bound pods go through the cluster state, as in any
 * cluster, which computes their usage.
 */
function scenarioSnapshot(scenario: Scenario, origin: Origin, now: number): Snapshot {
  const { boundPods = [], daemonPods = [], nodes = [] } = scenario;
  const known: SharedRequirements = new Map();
  const types = scenario.instanceTypes.map((type) =>
    withOrigin(origin, `instance type ${type.name}`, () => scenarioInstanceType(type, known)),
  );
  const nodePools = scenario.nodePools.map((pool) => admittedNodePool(pool, origin, 'Ignore'));
  const pods = scenario.pods.flatMap((group, index) => groupPods(group, index, origin));
  const bound = boundPods.map((pod, index) => boundPod(pod, index, origin));
  const running = new ClusterState();
  running.apply({ type: 'listed', kind: 'Node', objects: clusterNodes(nodes, origin) });
  running.apply({ type: 'listed', kind: 'Pod', objects: bound });
  const { nodes: views, boundPods: boundViews } = running.snapshot(now);
  return {
    at: now,
    revision: 0,
    nodePools,
    instanceTypes: new Map(nodePools.map(({ metadata }) => [metadata.name, types])),
    nodes: views,
    pods,
    boundPods: boundViews,
    daemonPods: daemonPods.map((pod, index) => daemonPod(pod, index, origin)),
    namespaces: new Map(namespacesOf([...pods, ...bound])),
  };
}

function namespacesOf(pods: readonly PodView[]) {
  const names = new Set(pods.map(({ metadata }) => metadata.namespace));
  return [...names].sort().map((name) => [name, { 'kubernetes.io/metadata.name': name }] as const);
}

/** The pods of a group share spec and labels, so that the planner puts them into one class. */
function groupPods({ count, pod }: PodGroup, group: number, origin: Origin): readonly ClusterPod[] {
  checkRequests(pod, origin, `pods[${group}]`);
  const { namespace = defaultNamespace } = pod.metadata ?? {};
  return Array.from({ length: count }, (_, index) => {
    const name = `p-${group}-${index}`;
    return withIdentity(pod, { name, namespace, uid: name });
  });
}

function boundPod(pod: WrittenPod, index: number, origin: Origin): ClusterPod {
  if (pod.spec.nodeName === undefined) {
    throw inputError(
      'invalid-object',
      origin,
      `boundPods[${index}] is invalid: spec.nodeName: Required value`,
    );
  }
  checkRequests(pod, origin, `boundPods[${index}]`);
  return withIdentity(pod, identityOf(pod, `b-${index}`));
}

function daemonPod(pod: WrittenPod, index: number, origin: Origin): PodView {
  checkRequests(pod, origin, `daemonPods[${index}]`);
  return withIdentity(pod, identityOf(pod, `d-${index}`));
}

function identityOf({ metadata }: WrittenPod, fallback: string) {
  const { name = fallback, namespace = defaultNamespace } = metadata ?? {};
  return { name, namespace, uid: metadata?.uid ?? `${namespace}/${name}` };
}

function clusterNodes(nodes: readonly WrittenNode[], origin: Origin): readonly ClusterNode[] {
  return nodes.map((node, index) => {
    const name = node.metadata?.name ?? `node-${index}`;
    return withOrigin(origin, `node ${name}`, () => completeNode(storedNode(name, node)));
  });
}
