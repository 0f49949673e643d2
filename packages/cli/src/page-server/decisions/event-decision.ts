import { timestampMs } from '@karpenter/core/api';
import type { NodeRow } from '@karpenter/core/cluster-view';
import type { Decision, ObjectName } from '@karpenter/core/decisions';
import type { KarpenterEvent } from '../../cluster-view/index.ts';

/** The node of a NodeClaim, as far as the cluster still has it. */
export type NodeOfClaim = (nodeClaim: string) => NodeRow | undefined;

/** What an event says about a decision: undefined for events that are none, such as evictions. */
export function eventDecision(event: KarpenterEvent, nodeOf: NodeOfClaim): Decision | undefined {
  const { reason = '', involvedObject } = event;
  const about = objectName(involvedObject);
  if (about === undefined) return undefined;
  const known = { event, about, message: event.message ?? reason, nodeOf };
  return makers.get(reason)?.(known) ?? undefined;
}

interface Known {
  readonly event: KarpenterEvent;
  readonly about: ObjectName;
  readonly message: string;
  readonly nodeOf: NodeOfClaim;
}

type Maker = (known: Known) => Decision | undefined;

/** Karpenter publishes most events on the Node and on its NodeClaim; one of the two is enough. */
const refusal: Maker = ({ event, about, message }) =>
  about.kind === 'NodeClaim'
    ? undefined
    : {
        ...facts(event, `${nameOf(about)}: ${message}`),
        kind: 'refusal',
        object: about,
        reason: event.reason ?? '',
        message,
      };

const notice: Maker = ({ event, about, message }) =>
  about.kind === 'Node'
    ? undefined
    : {
        ...facts(event, `${nameOf(about)}: ${message}`),
        kind: 'notice',
        object: about,
        reason: event.reason ?? '',
        message,
      };

/** The condition of a NodeClaim turned true: EC2 gave an instance. */
const launch: Maker = ({ event, about, message, nodeOf }) => {
  if (about.kind !== 'NodeClaim' || !message.includes('-> True')) return undefined;
  const node = nodeOf(about.name);
  const place = node === undefined ? '' : placeText(node);
  return {
    ...facts(event, `launched ${about.name}${place}`),
    kind: 'launch',
    nodeClaim: about.name,
    ...offering(node),
  };
};

const failedLaunch: Maker = ({ event, about, message, nodeOf }) =>
  about.kind !== 'NodeClaim'
    ? undefined
    : {
        ...facts(event, `could not launch ${about.name}: ${message}`),
        kind: 'launch',
        nodeClaim: about.name,
        ...offering(nodeOf(about.name)),
        failure: message,
      };

/** `Disrupting NodeClaim: Underutilized`; older versions write the reason as `Underutilized/Delete`. */
const disruption: Maker = ({ event, about, message, nodeOf }) => {
  if (about.kind !== 'NodeClaim') return undefined;
  const reason = message.replace(/^[^:]*:\s*/, '').split('/')[0] ?? '';
  const node = nodeOf(about.name);
  return {
    ...facts(event, `disrupting ${node?.name ?? about.name} (${reason})`),
    kind: 'disruption',
    reason: reason.toLowerCase(),
    nodes: [
      { node: node?.nodeName ?? '', nodeClaim: about.name, pods: node?.pods.length ?? 0, ...offering(node) },
    ],
    replacements: [],
    movedPods: node?.pods.length ?? 0,
  };
};

const makers: ReadonlyMap<string, Maker> = new Map([
  ['Launched', launch],
  ['InsufficientCapacityError', failedLaunch],
  ['DisruptionTerminating', disruption],
  ...['DisruptionBlocked', 'Unconsolidatable', 'ConsolidationRejected', 'FailedScheduling'].map(
    (reason) => [reason, refusal] as const,
  ),
  ...['NoCompatibleInstanceTypes', 'NodeRepairBlocked'].map((reason) => [reason, refusal] as const),
  ...[
    'SpotInterrupted',
    'SpotRebalanceRecommendation',
    'CapacityReservationInstanceInterrupted',
    'InstanceStopping',
    'InstanceTerminating',
    'InstanceUnhealthy',
    'TerminatingOnInterruption',
    'ZonalShiftActive',
    'ZonalShiftCleared',
    'FailedConsistencyCheck',
  ].map((reason) => [reason, notice] as const),
]);

function facts({ metadata, firstTimestamp, eventTime }: KarpenterEvent, summary: string) {
  const at = timestampMs(eventTime ?? firstTimestamp ?? metadata.creationTimestamp) ?? 0;
  const id = `${String(at).padStart(15, '0')}-${metadata.uid ?? `${metadata.namespace}/${metadata.name}`}`;
  return { id, at, summary, isReplayable: false };
}

function offering(node: NodeRow | undefined) {
  if (node === undefined) return {};
  const { nodePool, instanceType, zone, capacityType, price } = node;
  return {
    ...(nodePool !== undefined && { nodePool }),
    ...(instanceType !== undefined && { instanceType }),
    ...(zone !== undefined && { zone }),
    ...(capacityType !== undefined && { capacityType }),
    ...(price !== undefined && { hourly: price.hourly }),
  };
}

function placeText({ instanceType, capacityType, zone }: NodeRow): string {
  const parts = [instanceType, capacityType, zone].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `: ${parts.join(' ')}`;
}

function nameOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function objectName({ kind, namespace, name }: KarpenterEvent['involvedObject']): ObjectName | undefined {
  if (name === undefined) return undefined;
  switch (kind) {
    case 'Node':
    case 'NodeClaim':
    case 'NodePool':
      return { kind, name };
    case 'Pod':
      return { kind, name, ...(namespace !== undefined && { namespace }) };
    default:
      return undefined;
  }
}
