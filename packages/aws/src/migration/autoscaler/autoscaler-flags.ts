import type { Deployment } from 'kubernetes-types/apps/v1.js';

/** Flags of a command line, each with all of its values; a flag without a value counts as `true`. */
export type AutoscalerFlags = ReadonlyMap<string, readonly string[]>;

export function parseFlags(words: readonly string[]): AutoscalerFlags {
  const flags = new Map<string, string[]>();
  for (const [index, word] of words.entries()) {
    const [, name, , value] = /^--?([a-z0-9-]+)(=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    const next = words[index + 1];
    const given = value ?? (next === undefined || next.startsWith('-') ? 'true' : next);
    flags.set(name, [...(flags.get(name) ?? []), given]);
  }
  return flags;
}

/** Reads flags from `command` and `args` of all containers: charts use the former, other manifests the latter. */
export function flagsOf({ spec }: Deployment): AutoscalerFlags {
  const containers = spec?.template.spec?.containers ?? [];
  return parseFlags(containers.flatMap(({ command = [], args = [] }) => [...command, ...args]));
}

/** Recognizes it by its program, image or label, because charts name the Deployment after their release. */
export function isClusterAutoscaler({ metadata, spec }: Deployment): boolean {
  const containers = spec?.template.spec?.containers ?? [];
  return containers.some(
    ({ command = [], image = '' }) =>
      command.some((word) => word.endsWith('cluster-autoscaler')) ||
      /(^|\/)cluster-autoscaler(?=[:@]|$)/.test(image) ||
      metadata?.labels?.['app.kubernetes.io/name'] === 'aws-cluster-autoscaler',
  );
}
