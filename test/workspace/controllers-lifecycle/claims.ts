import { nodeClaims } from '@karpenter/controllers';
import type { NodeClaim, NodePool } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';
import type { Node } from 'kubernetes-types/core/v1.js';

type Client = Pick<ControllerWorld, 'client'>;

export function readClaim({ client }: Client, name: string): Promise<NodeClaim> {
  return client.get(nodeClaims, { name });
}

export function readNode({ client }: Client, name: string): Promise<Node> {
  return client.get(kinds.node, { name });
}

/** Each condition as `Status Reason: message`, by type. */
export function conditionsOf({ status }: NodeClaim | NodePool): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status, reason, message }) => [
      type,
      `${status} ${reason}: ${message}`,
    ]),
  );
}
