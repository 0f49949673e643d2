import { CodedError } from '@karpenter/core/errors';
import type { Taint } from '@karpenter/core/values';
import { isNestedTooDeeply } from '@karpenter/kube/yaml';
import { isMap, isScalar, type ParsedNode, parseAllDocuments } from 'yaml';
import type { KubeletConfiguration } from '../node-class/index.ts';
import type { Bootstrap, ClusterFacts } from './bootstrap.ts';
import { gracePeriods, nodeLabelsArgument } from './kubelet-arguments.ts';
import { contentTypes, formatMime, isMime, type MimePart, parseMime, partOf } from './mime.ts';
import { formatYaml, type Yaml } from './node-config-yaml.ts';

/**
 * MIME message with the generated NodeConfig last: nodeadm
 * merges NodeConfigs and the last value of a field wins.
 */
export function amazonLinux2023UserData(bootstrap: Bootstrap): string {
  return formatMime([
    ...customParts(bootstrap.customUserData ?? ''),
    partOf(contentTypes.nodeConfig, nodeConfigText(bootstrap)),
  ]);
}

function customParts(text: string): readonly MimePart[] {
  if (text === '') return [];
  if (isMime(text)) {
    // Keeps the content type only, as in Karpenter; AL2 keeps all headers.
    return parseMime(text).map(({ headers, body }) => partOf(headers['Content-Type'] ?? '', body));
  }
  return [partOf(isYamlMap(text) ? contentTypes.nodeConfig : contentTypes.shell, text)];
}

/** Whether the first YAML document is a map. An empty document counts as an empty map. */
function isYamlMap(text: string): boolean {
  if (isNestedTooDeeply(text)) return false;
  const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  const [first] = Array.isArray(documents) ? documents : [];
  if (first === undefined) return true;
  const { contents } = first;
  return first.errors.length === 0 && (contents === null || isMap(contents) || isNothing(contents));
}

function isNothing(node: ParsedNode): boolean {
  return isScalar(node) && node.value === null;
}

function nodeConfigText(bootstrap: Bootstrap): string {
  const config: Yaml = {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    metadata: {},
    spec: {
      cluster: clusterConfig(bootstrap.cluster),
      containerd: {},
      instance: {
        localStorage: bootstrap.instanceStorePolicy === 'RAID0' ? { strategy: 'RAID0' } : {},
      },
      kubelet: kubeletConfig(bootstrap),
    },
  };
  return `# Karpenter Generated NodeConfig\n${formatYaml(config)}`;
}

function clusterConfig({ name, endpoint, caBundle, cidr }: ClusterFacts): Yaml {
  if (cidr === undefined) throw missingCidr(name);
  return { apiServerEndpoint: endpoint, certificateAuthority: caBundle, cidr, name };
}

/** Fails the launch instead of starting a node that cannot join. */
function missingCidr(cluster: string): CodedError {
  return new CodedError(
    'unknown-cluster-cidr',
    `cannot make user data for AL2023: the service addresses of cluster ${cluster} are not known yet; see the condition ValidationSucceeded of the EC2NodeClass`,
    { details: { cluster } },
  );
}

function kubeletConfig({ kubelet = {}, labels, taints }: Bootstrap): Yaml {
  const flag = nodeLabelsArgument(labels);
  return {
    config: {
      ...configFields(kubelet),
      registerWithTaints: taints.length === 0 ? undefined : taints.map(taintConfig),
    },
    flags: flag === undefined ? undefined : [flag],
  };
}

/** Leaves out unset and empty fields, as in the recordings of Karpenter. */
function configFields(kubelet: KubeletConfiguration): Record<string, Yaml | undefined> {
  const entries = Object.entries({ ...kubelet, evictionSoftGracePeriod: gracePeriods(kubelet) });
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: Yaml | undefined): boolean {
  return value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}

function taintConfig({ key, value, effect }: Taint): Yaml {
  return { effect, key, value: value === undefined || value === '' ? undefined : value };
}
