import {
  capacityBufferConditionSet,
  conditionSet,
  controllerNames,
  labelKeys,
  nodeClaimConditionSet,
  nodeClassLabelKey,
  nodePoolConditionSet,
} from '@karpenter/core/api';
import type { NodeClassKind } from '@karpenter/core/ports';
import { type Kind, kinds } from '@karpenter/kube/client';
import type { Runnable } from '@karpenter/kube/runtime';
import { capacityBuffers, nodeClaims, nodePools, shapedAs } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { ObjectWithConditions } from './condition-kind.ts';
import { type ConditionContext, statusConditions } from './status-conditions.ts';

type ObservationContext = ConditionContext & Pick<ControllerContext, 'cloud' | 'settings'>;

const nodes: Kind<ObjectWithConditions> = shapedAs(kinds.node);
const onlyReady = conditionSet({ root: 'Ready' });

/**
 * One controller for each kind: NodeClaims, NodePools, Nodes, CapacityBuffers with their gate, and
 * NodeClasses.
 */
export function statusConditionControllers(context: ObservationContext): readonly Runnable[] {
  const { cloud, settings } = context;
  const classLabels = cloud.nodeClasses.map(nodeClassLabelKey);
  const ofClaims = [...classLabels, labelKeys.nodePool];
  return [
    statusConditions(context, {
      name: controllerNames.nodeClaimStatus,
      kind: nodeClaims,
      conditions: nodeClaimConditionSet,
      objectLabels: ofClaims,
      isShared: true,
    }),
    statusConditions(context, {
      name: controllerNames.nodePoolStatus,
      kind: nodePools,
      conditions: nodePoolConditionSet,
      objectLabels: [],
      isShared: true,
    }),
    statusConditions(context, {
      name: controllerNames.nodeStatus,
      kind: nodes,
      conditions: onlyReady,
      objectLabels: [...ofClaims, labelKeys.initialized],
      isShared: false,
    }),
    ...(settings.featureGates.CapacityBuffer
      ? [
          statusConditions(context, {
            name: controllerNames.capacityBufferStatus,
            kind: capacityBuffers,
            conditions: capacityBufferConditionSet,
            objectLabels: [],
            isShared: true,
          }),
        ]
      : []),
    ...cloud.nodeClasses.map((nodeClass) =>
      statusConditions(context, {
        name: `operatorpkg.${nodeClass.kind.toLowerCase()}.status`,
        kind: nodeClassKind(nodeClass),
        conditions: onlyReady,
        objectLabels: [],
        isShared: true,
      }),
    ),
  ];
}

/** NodeClasses of every cloud provider are cluster-scoped. */
function nodeClassKind({ group, version, kind, plural }: NodeClassKind): Kind<ObjectWithConditions> {
  return { group, version, kind, plural, namespaced: false };
}
