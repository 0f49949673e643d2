import { initializationReasons, isEphemeralTaint, type NodeClaim } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import {
  formatTaint,
  isSameTaint,
  isZeroQuantity,
  parseResourceList,
  resourceAmount,
  type Taint,
} from '../values/index.ts';
import type { ReasonAndMessage } from './claim-status.ts';
import { type ResourceSlice, requestedDrivers, unpublishedDriver } from './device-pools.ts';

export interface InitializationInput {
  readonly claim: NodeClaim;
  /** Undefined if there is none, or more than one. */
  readonly node: ClusterNode | undefined;
  /** Slices of the whole cluster; undefined while dynamic resource allocation is off. */
  readonly slices?: readonly ResourceSlice[];
}

/**
 * Why the node of a registered claim is not initialized yet, as reason and message of the condition;
 * undefined once it is. The checks run in Karpenter's order and only the first failure is reported.
 */
export function initializationBlock({
  claim,
  node,
  slices,
}: InitializationInput): ReasonAndMessage | undefined {
  if (node === undefined) return initializationReasons.nodeNotFound;
  if (!isReady(node)) return initializationReasons.nodeNotReady;
  const taints = node.spec?.taints ?? [];
  const startupTaint = remainingStartupTaint(claim, taints);
  if (startupTaint !== undefined) return initializationReasons.startupTaintsExist(formatTaint(startupTaint));
  const ephemeral = taints.find(isEphemeralTaint);
  if (ephemeral !== undefined) return initializationReasons.ephemeralTaintsExist(formatTaint(ephemeral));
  const resource = missingResource(claim, node);
  if (resource !== undefined) return initializationReasons.resourceNotRegistered(resource);
  const driver =
    slices === undefined ? undefined : unpublishedDriver(requestedDrivers(claim), node.metadata.name, slices);
  return driver === undefined ? undefined : initializationReasons.draPoolsNotPublished(driver);
}

export function isReady({ status }: ClusterNode): boolean {
  return (status?.conditions ?? []).some((condition) => {
    return condition.type === 'Ready' && condition.status === 'True';
  });
}

/** Startup taints match by key and effect: another component may have changed the value. */
function remainingStartupTaint({ spec }: NodeClaim, present: readonly Taint[]): Taint | undefined {
  return (spec.startupTaints ?? []).find((taint) => present.some((other) => isSameTaint(taint, other)));
}

/** Device plugins register their resources with the kubelet some time after it has started. */
function missingResource({ spec }: NodeClaim, { status }: ClusterNode): string | undefined {
  const allocatable = parseResourceList(status?.allocatable, 'status.allocatable');
  const requests = parseResourceList(spec.resources?.requests, 'spec.resources.requests');
  return Object.entries(requests)
    .filter(([, amount]) => !isZeroQuantity(amount))
    .map(([name]) => name)
    .find((name) => isZeroQuantity(resourceAmount(allocatable, name)));
}
