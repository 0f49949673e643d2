import type { BoundPodView, NodeView, PodView, Snapshot } from '@karpenter/core/scheduling';
import type { Json } from '@karpenter/core/schema';
import { admittedNodePool } from '../cluster/admitted-object.ts';
import { namespaceLabels } from '../cluster/namespace-labels.ts';
import { nodeView } from '../cluster/node-view.ts';
import { boundPodView, checkRequests, namespaceOf, podView } from '../cluster/pod-view.ts';
import { podsByNode } from '../cluster/pods-by-node.ts';
import type { WrittenNode, WrittenPod } from '../input/objects.ts';
import { at, flaw, type Origin } from '../input/origin.ts';
import { planOptions } from '../plan-options.ts';
import { noFindings, type Policies, type Simulation } from '../simulation.ts';
import { type PodGroup, readScenario, type Scenario } from './scenario.ts';
import { scenarioInstanceType, type Whereabouts } from './scenario-instance-type.ts';

/** What the command line says about preferences goes before what the scenario says. */
export function scenarioSimulation(
  value: Json,
  origin: Origin,
  { policies, now }: { readonly policies: Policies; readonly now: number },
): Simulation {
  const scenario = readScenario(value, origin);
  const ofScenario: Policies = scenario.ignorePreferences === true ? { preferencePolicy: 'Ignore' } : {};
  const labels = scenario.instanceTypes.flatMap((type) => Object.keys(type.labels ?? {}));
  return {
    kind: 'scenario',
    source: origin.file,
    snapshot: scenarioSnapshot(scenario, origin, now),
    options: planOptions({ ...ofScenario, ...policies }, labels),
    findings: noFindings,
  };
}

function scenarioSnapshot(scenario: Scenario, origin: Origin, now: number): Snapshot {
  const { boundPods = [], daemonPods = [], nodes = [] } = scenario;
  const known: Whereabouts = new Map();
  const types = scenario.instanceTypes.map((type) =>
    at(origin, `instance type ${type.name}`, () => scenarioInstanceType(type, known)),
  );
  const nodePools = scenario.nodePools.map((pool) => admittedNodePool(pool, origin, 'Ignore'));
  const pods = scenario.pods.flatMap((group, index) => groupPods(group, index, origin));
  const bound = boundPods.map((pod, index) => boundPod(pod, index, origin));
  return {
    at: now,
    revision: 0,
    nodePools,
    instanceTypes: new Map(nodePools.map(({ metadata }) => [metadata.name, types])),
    nodes: nodeViews(nodes, boundPods, origin),
    pods,
    boundPods: bound,
    daemonPods: daemonPods.map((pod, index) => daemonPod(pod, index, origin)),
    namespaces: namespaceLabels([...pods, ...bound]),
  };
}

/** Pods of a group share everything but their names. */
function groupPods({ count, pod }: PodGroup, group: number, origin: Origin): PodView[] {
  checkRequests(pod, origin, `pods[${group}]`);
  const namespace = namespaceOf(pod.metadata);
  return Array.from({ length: count }, (_, index) => {
    const name = `p-${group}-${index}`;
    return podView(pod, { name, namespace, uid: name });
  });
}

function boundPod(pod: WrittenPod, index: number, origin: Origin): BoundPodView {
  const { nodeName } = pod.spec;
  if (nodeName === undefined) {
    throw flaw('invalid-object', origin, `boundPods[${index}] is invalid: spec.nodeName: Required value`);
  }
  return boundPodView(pod, identityOf(pod, `b-${index}`), nodeName);
}

function daemonPod(pod: WrittenPod, index: number, origin: Origin): PodView {
  checkRequests(pod, origin, `daemonPods[${index}]`);
  return podView(pod, identityOf(pod, `d-${index}`));
}

function identityOf({ metadata }: WrittenPod, fallback: string) {
  const name = metadata?.name ?? fallback;
  const namespace = namespaceOf(metadata);
  return { name, namespace, uid: metadata?.uid ?? `${namespace}/${name}` };
}

function nodeViews(
  nodes: readonly WrittenNode[],
  boundPods: readonly WrittenPod[],
  origin: Origin,
): readonly NodeView[] {
  const byNode = podsByNode(boundPods);
  return nodes.map((node, index) => {
    const name = node.metadata?.name ?? `node-${index}`;
    return at(origin, `node ${name}`, () => nodeView(name, node, byNode.get(name) ?? []));
  });
}
