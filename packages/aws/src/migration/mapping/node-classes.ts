import { isRestrictedTag } from '../../names/index.ts';
import { aliasFamilies, type EC2NodeClass, type EC2NodeClassSpec } from '../../node-class/index.ts';
import type { FindingList } from '../finding.ts';
import type { SourceGroup } from '../source/source-group.ts';
import { objectName } from './object-name.ts';

/** An EC2NodeClass without its status. */
export type NewNodeClass = Pick<EC2NodeClass, 'apiVersion' | 'kind' | 'metadata' | 'spec'>;

/** Two hops let pods reach the metadata service, as on EKS nodes; the default of an EC2NodeClass is one. */
const defaultMetadata = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 2,
  httpTokens: 'required',
} as const;

/** Limit of the CRD for selector terms. */
const maxTerms = 30;

export function nodeClassOf(group: SourceGroup, clusterName: string, findings: FindingList): NewNodeClass {
  const spec: EC2NodeClassSpec = {
    ...imageTerms(group, findings),
    ...network(group, clusterName, findings),
    ...identity(group, clusterName, findings),
    ...tags(group, findings),
    metadataOptions: defaultMetadata,
    ...group.nodeClass,
  };
  reportFields(group, findings);
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: objectName(group.name) },
    spec,
  };
}

function imageTerms(
  { image }: SourceGroup,
  findings: FindingList,
): Pick<EC2NodeClassSpec, 'amiFamily' | 'amiSelectorTerms'> {
  const { family, id, version } = image;
  if (id !== undefined) {
    findings.mapped(`image ${id}`, `EC2NodeClass spec.amiSelectorTerms by id, with amiFamily ${family}`);
    return { amiFamily: family, amiSelectorTerms: [{ id }] };
  }
  const [alias] = Object.entries(aliasFamilies).find(([, name]) => name === family) ?? [];
  if (alias === undefined) {
    findings.unmapped('image', 'amiFamily Custom needs an image: write spec.amiSelectorTerms yourself');
    return { amiFamily: 'Custom', amiSelectorTerms: [{ tags: { Name: 'REPLACE-WITH-YOUR-IMAGE' } }] };
  }
  const term = `${alias}@${version ?? 'latest'}`;
  if (version === undefined && !family.startsWith('Windows'))
    findings.approximate(
      `amiFamily: ${family}`,
      `EC2NodeClass alias ${term}: pin a version, or nodes are replaced with each new image`,
    );
  else findings.mapped(`amiFamily: ${family}`, `EC2NodeClass alias ${term}`);
  return { amiSelectorTerms: [{ alias: term }] };
}

function network(
  { subnetIds, securityGroupIds }: SourceGroup,
  clusterName: string,
  findings: FindingList,
): Pick<EC2NodeClassSpec, 'subnetSelectorTerms' | 'securityGroupSelectorTerms'> {
  const byTag = [{ tags: { 'karpenter.sh/discovery': clusterName } }];
  const terms = (what: string, field: string, ids: readonly string[]) => {
    if (ids.length > 0 && ids.length <= maxTerms) {
      findings.mapped(`${what}: ${ids.join(', ')}`, `EC2NodeClass spec.${field} by id`);
      return ids.map((id) => ({ id }));
    }
    findings.approximate(
      `${what}: ${ids.length === 0 ? 'those of the cluster' : `${ids.length} ids`}`,
      `EC2NodeClass spec.${field} by the tag karpenter.sh/discovery: ${clusterName}; tag them`,
    );
    return byTag;
  };
  return {
    subnetSelectorTerms: terms('subnets', 'subnetSelectorTerms', subnetIds),
    securityGroupSelectorTerms: terms('security groups', 'securityGroupSelectorTerms', securityGroupIds),
  };
}

function identity(
  { role, instanceProfile }: SourceGroup,
  clusterName: string,
  findings: FindingList,
): Pick<EC2NodeClassSpec, 'role' | 'instanceProfile'> {
  if (role !== undefined) {
    findings.mapped(`node role ${role}`, 'EC2NodeClass spec.role');
    return { role };
  }
  if (instanceProfile !== undefined) {
    findings.mapped(`instance profile ${instanceProfile}`, 'EC2NodeClass spec.instanceProfile');
    return { instanceProfile };
  }
  const assumed = `KarpenterNodeRole-${clusterName}`;
  findings.approximate('no node role', `EC2NodeClass spec.role ${assumed}: create it, or write another`);
  return { role: assumed };
}

/** Tags that Karpenter, EKS, eksctl or Auto Scaling set themselves. */
const foreignTags =
  /^(aws:|eks:|k8s\.io\/cluster-autoscaler\/|alpha\.eksctl\.io\/|eksctl\.|kubernetes\.io\/cluster\/)/;

function tags(group: SourceGroup, findings: FindingList): Pick<EC2NodeClassSpec, 'tags'> {
  const kept = Object.entries(group.tags).filter(
    ([key]) => key !== '' && !foreignTags.test(key) && !isRestrictedTag(key) && key !== 'Name',
  );
  if (kept.length === 0) return {};
  findings.mapped(`tags: ${kept.map(([key]) => key).join(', ')}`, 'EC2NodeClass spec.tags');
  return { tags: Object.fromEntries(kept) };
}

function reportFields({ nodeClass }: SourceGroup, findings: FindingList): void {
  if (nodeClass.metadataOptions === undefined)
    findings.approximate(
      'no metadata options',
      'EC2NodeClass spec.metadataOptions with tokens required and two hops, as images of EKS have them; one hop keeps pods out',
    );
  for (const field of Object.keys(nodeClass)) findings.mapped(field, `EC2NodeClass spec.${field}`);
}
