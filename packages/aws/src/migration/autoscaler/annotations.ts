import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import type { MigrationFinding } from '../finding.ts';

const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const scaleDownDisabled = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
const prefix = 'cluster-autoscaler.kubernetes.io/';
const protection = 'karpenter.sh/do-not-disrupt: "true"';

/** Whether Cluster Autoscaler may not evict the pod. */
export function isUnsafeToEvict({ metadata }: Pod): boolean {
  return metadata?.annotations?.[safeToEvict] === 'false';
}

/** Findings on annotations of Cluster Autoscaler on pods and nodes. Pods of one owner are reported once. */
export function annotationFindings(
  pods: readonly Pod[],
  nodes: readonly Node[],
): readonly MigrationFinding[] {
  const findings = [...pods.flatMap(podFindings), ...nodes.flatMap(nodeFindings)];
  const seen = new Map(findings.map((finding) => [`${finding.subject} ${finding.setting}`, finding]));
  return [...seen.values()];
}

function podFindings({ metadata }: Pod): readonly MigrationFinding[] {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  const place = `${metadata?.namespace ?? 'default'}/${owner?.name ?? metadata?.name}`;
  const subject = `${owner?.kind ?? 'Pod'} ${place}`;
  return own(metadata?.annotations).map(([key, value]) => {
    const setting = `pod annotation ${key}: "${value}"`;
    if (key === safeToEvict && value === 'false')
      return {
        subject,
        setting,
        verdict: 'mapped',
        outcome: `pod annotation ${protection}; add it to the template`,
      };
    if (key === safeToEvict)
      return {
        subject,
        setting,
        verdict: 'not-needed',
        outcome: 'Karpenter evicts every pod that nothing protects',
      };
    return { subject, setting, verdict: 'unmapped', outcome: 'Karpenter has no such annotation' };
  });
}

function nodeFindings({ metadata }: Node): readonly MigrationFinding[] {
  const subject = `Node ${metadata?.name}`;
  return own(metadata?.annotations).map(([key, value]) => {
    const setting = `node annotation ${key}: "${value}"`;
    return key === scaleDownDisabled && value === 'true'
      ? {
          subject,
          setting,
          verdict: 'mapped',
          outcome: `node annotation ${protection}, in NodePool spec.template.metadata.annotations`,
        }
      : { subject, setting, verdict: 'unmapped', outcome: 'Karpenter has no such annotation' };
  });
}

function own(
  annotations: Readonly<Record<string, string>> | undefined,
): readonly (readonly [string, string])[] {
  return Object.entries(annotations ?? {}).filter(([key]) => key.startsWith(prefix));
}
