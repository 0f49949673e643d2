import { parseYamlDocuments } from '@karpenter/kube/yaml';
import { type JoinRequest, UnusableUserData } from './join-request.ts';
import { kubeletArguments, taintOf } from './kubelet-arguments.ts';
import { mimeParts } from './mime.ts';
import { isTree, listAt, merged, numberAt, type Tree, textAt, textsAt } from './tree.ts';

const contentType = 'application/node.eks.aws';

/**
 * Reads the user data of Amazon Linux 2023: NodeConfigs, merged field by field; a later one wins, as in
 * nodeadm.
 */
export function readNodeConfig(text: string): JoinRequest {
  const configs = configsOf(text);
  if (configs.length === 0) throw new UnusableUserData('the user data holds no NodeConfig');
  const config = configs.reduce(merged, {});
  const cluster = ['spec', 'cluster'];
  const kubelet = ['spec', 'kubelet', 'config'];
  const flags = kubeletArguments(listAt(config, 'spec', 'kubelet', 'flags').join(' '));
  const maxPods = numberAt(config, ...kubelet, 'maxPods') ?? flags.kubelet.maxPods;
  const podsPerCore = numberAt(config, ...kubelet, 'podsPerCore') ?? flags.kubelet.podsPerCore;
  const serviceCidr = textAt(config, ...cluster, 'cidr');
  if (serviceCidr === '')
    throw new UnusableUserData('Invalid NodeConfig: cidr is missing in cluster configuration');
  return {
    clusterName: textAt(config, ...cluster, 'name'),
    endpoint: textAt(config, ...cluster, 'apiServerEndpoint'),
    certificateAuthority: textAt(config, ...cluster, 'certificateAuthority'),
    serviceCidr,
    labels: flags.labels,
    taints: [...flags.taints, ...listAt(config, ...kubelet, 'registerWithTaints').map(taintFrom)],
    kubelet: {
      ...(maxPods !== undefined && { maxPods }),
      ...(podsPerCore !== undefined && { podsPerCore }),
      systemReserved: { ...flags.kubelet.systemReserved, ...textsAt(config, ...kubelet, 'systemReserved') },
      kubeReserved: { ...flags.kubelet.kubeReserved, ...textsAt(config, ...kubelet, 'kubeReserved') },
      evictionHard: { ...flags.kubelet.evictionHard, ...textsAt(config, ...kubelet, 'evictionHard') },
    },
    usesInstanceStorage: /^RAID(0|10)$/.test(textAt(config, 'spec', 'instance', 'localStorage', 'strategy')),
  };
}

function configsOf(text: string): readonly Tree[] {
  const parts = mimeParts(text) ?? [{ contentType, body: text }];
  return parts.filter((part) => part.contentType === contentType).flatMap(({ body }) => documentsOf(body));
}

/** A MIME part may hold several YAML documents. */
function documentsOf(body: string): readonly Tree[] {
  return yamlOf(body).map(checkedConfig);
}

function yamlOf(body: string): readonly unknown[] {
  try {
    return parseYamlDocuments(body);
  } catch {
    throw new UnusableUserData('a part of the user data is not YAML');
  }
}

function checkedConfig(config: unknown): Tree {
  if (
    isTree(config) &&
    config['kind'] === 'NodeConfig' &&
    textAt(config, 'apiVersion').startsWith('node.eks.aws/')
  ) {
    return config;
  }
  throw new UnusableUserData('a part of the user data is not a NodeConfig');
}

function taintFrom(item: unknown) {
  const taint = isTree(item) ? item : {};
  return taintOf(`${textAt(taint, 'key')}=${textAt(taint, 'value')}:${textAt(taint, 'effect')}`);
}
