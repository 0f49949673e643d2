import type { IncomingHttpHeaders } from 'node:http';
import { conversionHint, type OlderKind, olderKinds } from '@karpenter/core/conversion';
import type { DiscoveredKind } from '../discovery/groups.ts';
import type { ResourceRequest } from '../http/request-info.ts';
import { StatusError } from '../status/status-error.ts';

const manifestCommands = new Set(['apply', 'create', 'delete', 'diff', 'patch', 'replace']);

/**
 * Whether a request comes from a kubectl command that sends manifests. Only these commands discover the older kinds:
 * kubectl fails for a kind that discovery does not have before it sends a request that could get the hint. Helm and
 * other clients must not discover them, because charts choose the version of their objects by discovery.
 */
export function isManifestCommand(headers: IncomingHttpHeaders): boolean {
  return manifestCommands.has(kubectlCommand(headers));
}

function kubectlCommand(headers: IncomingHttpHeaders): string {
  const [program, command = ''] = String(headers['kubectl-command'] ?? '').split(' ');
  return program === 'kubectl' ? command : '';
}

/** The kinds with those of older versions that are not served. Without verbs, kubectl lists them nowhere. */
export function withOlderKinds(kinds: readonly DiscoveredKind[]): readonly DiscoveredKind[] {
  const served = new Set(kinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`));
  const older = olderKinds.filter(
    ({ group, version, plural }) => !served.has(`${group}/${version}/${plural}`),
  );
  return [...kinds, ...older.map(discovered)];
}

function discovered({ group, version, kind, plural }: OlderKind): DiscoveredKind {
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: false,
    verbs: [],
    subresources: [],
    isCustom: true,
  };
}

/** The older kind that a request addresses; undefined for all others. */
export function olderKindOf({ group, version, resource }: ResourceRequest): OlderKind | undefined {
  return olderKinds.find(
    (each) => each.group === group && each.version === version && each.plural === resource,
  );
}

/**
 * The error for a request for an older kind: 404, as for any version that is not served. `kubectl apply` interprets 404
 * as an object that does not exist yet and would report success in a dry run, so it gets 400.
 */
export function olderKindRefused(
  { group, version, kind, plural }: OlderKind,
  { verb, name }: ResourceRequest,
  headers: IncomingHttpHeaders,
): StatusError {
  const hint = conversionHint(`${group}/${version}`, kind) ?? '';
  if (verb === 'get' && kubectlCommand(headers) === 'apply') return new StatusError(400, 'BadRequest', hint);
  return new StatusError(404, 'NotFound', hint, { ...(name !== '' && { name }), group, kind: plural });
}
