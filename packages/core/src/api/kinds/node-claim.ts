import {
  dateTime,
  lenientConditions,
  map,
  object,
  quantity,
  type ResourceOf,
  required,
  resourceKind,
  string,
} from '../../schema/index.ts';
import { ageColumn, readyColumn } from './columns.ts';
import { karpenterDomain, labelKeyRules, type ReservedDomain } from './label-rules.ts';
import {
  expireAfter,
  nodeClassReference,
  startupTaints,
  taints,
  terminationGracePeriod,
} from './node-claim-parts.ts';
import { requirementList } from './requirement-schema.ts';

const spec = (domains: readonly ReservedDomain[]) =>
  object(
    'The node that is asked for. It cannot be changed afterwards.',
    {
      requirements: required(
        requirementList(
          'Conditions on node labels that the instance must meet; the cloud provider launches the best offering among them.',
          labelKeyRules(domains),
        ),
      ),
      nodeClassRef: required(nodeClassReference()),
      resources: object('What the node must at least hold.', {
        requests: map('The sum of the requests of the pods and daemons the node is made for.', quantity()),
      }),
      taints,
      startupTaints,
      terminationGracePeriod,
      expireAfter,
    },
    { rules: [{ rule: 'self == oldSelf', message: 'spec is immutable' }] },
  );

const status = object('What has become of the request.', {
  nodeName: string('The name of the Node, once it has joined.'),
  providerID: string('ID of the instance, as the cloud provider writes it.'),
  imageID: string('ID of the image that the instance was launched from.'),
  capacity: map('All resources of the instance.', quantity()),
  allocatable: map('The resources left for pods.', quantity()),
  lastPodEventTime: dateTime('When a pod was last bound to or removed from the node.'),
  conditions: lenientConditions,
});

/** @param providerDomains label domains reserved by the cloud provider */
export function nodeClaimKind(providerDomains: readonly ReservedDomain[]) {
  return resourceKind({
    group: 'karpenter.sh',
    version: 'v1',
    kind: 'NodeClaim',
    plural: 'nodeclaims',
    scope: 'Cluster',
    categories: ['karpenter'],
    description:
      'A NodeClaim is the request for one node, from the decision to create it until its instance is gone.',
    columns: [
      { name: 'Type', type: 'string', jsonPath: '.metadata.labels.node\\.kubernetes\\.io/instance-type' },
      { name: 'Capacity', type: 'string', jsonPath: '.metadata.labels.karpenter\\.sh/capacity-type' },
      { name: 'Zone', type: 'string', jsonPath: '.metadata.labels.topology\\.kubernetes\\.io/zone' },
      { name: 'Node', type: 'string', jsonPath: '.status.nodeName' },
      readyColumn,
      ageColumn,
      { name: 'ImageID', type: 'string', jsonPath: '.status.imageID', priority: 1 },
      { name: 'ID', type: 'string', jsonPath: '.status.providerID', priority: 1 },
      { name: 'NodePool', type: 'string', jsonPath: '.metadata.labels.karpenter\\.sh/nodepool', priority: 1 },
      { name: 'NodeClass', type: 'string', jsonPath: '.spec.nodeClassRef.name', priority: 1 },
      {
        name: 'Drifted',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Drifted")].status',
        priority: 1,
      },
    ],
    spec: spec([karpenterDomain, ...providerDomains]),
    specRequired: true,
    status,
  });
}

export type NodeClaim = ResourceOf<ReturnType<typeof nodeClaimKind>>;
export type NodeClaimSpec = NodeClaim['spec'];
export type NodeClaimStatus = NonNullable<NodeClaim['status']>;
