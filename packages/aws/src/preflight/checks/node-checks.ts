import { labelKeys } from '@karpenter/core/api';
import { errorText } from '../../aws-errors/index.ts';
import {
  type InspectedNode,
  outcomes,
  type PreflightCheck,
  type PreflightContext,
} from '../preflight-check.ts';

const hosts = outcomes('controller-nodes');
const hops = outcomes('metadata-hop-limit');
const others = outcomes('other-autoscalers');

/** Replicas of the chart, which run on different nodes and never on nodes that Karpenter launched. */
const replicas = 2;

/** Checks that enough nodes outside of NodePools are ready to run the controller. */
export const checkControllerNodes: PreflightCheck = async ({ cluster: { nodes }, clusterName }) => {
  if ('unreadable' in nodes) return [hosts.unknown(nodes.unreadable)];
  const usable = unmanaged(nodes.value).filter(isReady);
  if (usable.length >= replicas)
    return [hosts.passed(`${usable.length} nodes that no NodePool owns can run the controller`)];
  return [
    hosts.failed(
      `${usable.length} ready nodes belong to no NodePool; the ${replicas} replicas of the controller need ${replicas}`,
      `eksctl create nodegroup --cluster ${clusterName} --nodes ${replicas}`,
    ),
  ];
};

function unmanaged(nodes: readonly InspectedNode[]): readonly InspectedNode[] {
  return nodes.filter(({ metadata }) => metadata?.labels?.[labelKeys.nodePool] === undefined);
}

function isReady({ spec, status }: InspectedNode): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && spec?.unschedulable !== true;
}

/**
 * Pods are one network hop further from the metadata service than their node. With a hop limit of 1 the controller gets
 * neither its region nor, without IRSA or Pod Identity, credentials on such a node.
 */
export const checkHopLimit: PreflightCheck = async ({ services, region, cluster: { nodes } }) => {
  if ('unreadable' in nodes) return [hops.unknown(nodes.unreadable)];
  const ids = unmanaged(nodes.value).flatMap(({ spec }) => instanceId(spec?.providerID));
  try {
    const near = (await instancesOf(services, ids)).filter(
      ({ MetadataOptions }) => (MetadataOptions?.HttpPutResponseHopLimit ?? 2) < 2,
    );
    if (near.length === 0) return [hops.passed('pods reach the metadata service')];
    return near.map(({ InstanceId }) =>
      hops.warning(
        `instance ${InstanceId} has a metadata hop limit of 1, so there the controller needs AWS_REGION and IRSA or Pod Identity`,
        `aws ec2 modify-instance-metadata-options --region ${region} --instance-id ${InstanceId} --http-put-response-hop-limit 2`,
      ),
    );
  } catch (error) {
    return [hops.unknown(`instances cannot be read: ${errorText(error)}`)];
  }
};

/** A sample is enough, because the launch template of a node group sets the limit for all of its instances. */
const maxInstances = 100;

/** Uses a filter instead of InstanceIds, so that an instance that is gone is not an error. */
async function instancesOf({ ec2 }: PreflightContext['services'], ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { Reservations = [] } = await ec2.describeInstances({
    Filters: [{ Name: 'instance-id', Values: ids.slice(0, maxInstances) }],
  });
  return Reservations.flatMap(({ Instances = [] }) => Instances);
}

function instanceId(providerId: string | undefined): readonly string[] {
  const id = providerId?.split('/').at(-1);
  return id?.startsWith('i-') === true ? [id] : [];
}

/** Warns of other autoscalers: two of them launch capacity twice for the same pods. */
export const checkOtherAutoscalers: PreflightCheck = async ({ cluster: { deployments } }) => {
  if ('unreadable' in deployments) return [others.unknown(deployments.unreadable)];
  const running = deployments.value.filter(({ spec }) => (spec?.replicas ?? 1) > 0);
  const found = running.filter(({ metadata }) =>
    /^(karpenter|cluster-autoscaler|.*-cluster-autoscaler)$/.test(
      metadata?.labels?.['app.kubernetes.io/name'] ?? metadata?.name ?? '',
    ),
  );
  if (found.length === 0) return [others.passed('no other autoscaler runs')];
  return found.map(({ metadata }) =>
    others.warning(
      `Deployment ${metadata?.namespace}/${metadata?.name} runs already; two autoscalers launch twice for the same pods`,
      `kubectl scale deployment ${metadata?.name} --namespace ${metadata?.namespace} --replicas 0, once this one is to take over`,
    ),
  );
};
