import { awsLabelPolicy, type EC2NodeClass } from '@karpenter/aws';
import { labelKeys, type NodeClaim, type NodePool, nodeClassLabelKey } from '@karpenter/core/api';
import { coreLabelAliases, nodeClaimLabels, Requirements, Vocabulary } from '@karpenter/core/requirements';

/** The parts of a NodePool that decide what its NodeClaims look like. */
interface PoolClaimSource {
  readonly metadata: Pick<NodePool['metadata'], 'name'>;
  readonly spec: Pick<NodePool['spec'], 'template'>;
}

/** The NodePool used when the user gives none: it has no requirements. */
export function anyNodePool(nodeClass: EC2NodeClass): PoolClaimSource {
  return {
    metadata: { name: 'default' },
    spec: {
      template: {
        spec: {
          expireAfter: '720h',
          requirements: [],
          nodeClassRef: {
            group: 'karpenter.k8s.aws',
            kind: 'EC2NodeClass',
            name: nodeClass.metadata.name,
          },
        },
      },
    },
  };
}

/** The NodeClaim that the NodePool would get for pods without requirements of their own. */
export function claimOf(nodePool: PoolClaimSource): NodeClaim {
  const { metadata, spec } = nodePool.spec.template;
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const pool = { [labelKeys.nodePool]: nodePool.metadata.name };
  const templateLabels = { ...metadata?.labels };
  const requirements = Requirements.fromItems(vocabulary, spec.requirements).and(
    Requirements.fromLabels(vocabulary, { ...templateLabels, ...pool }),
  );
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: `${nodePool.metadata.name}-rendered`,
      labels: {
        ...nodeClaimLabels(requirements, awsLabelPolicy),
        ...templateLabels,
        ...pool,
        [nodeClassLabelKey(spec.nodeClassRef)]: spec.nodeClassRef.name,
      },
      ...(metadata?.annotations !== undefined && { annotations: metadata.annotations }),
    },
    spec: { ...spec, requirements: requirements.toItems() },
  };
}
