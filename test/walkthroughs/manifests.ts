import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Kind, KubeClient, KubeObject } from '@karpenter/kube/client';
import { parseAllDocuments } from 'yaml';

const walkthroughs = fileURLToPath(new URL('../../docs/walkthroughs', import.meta.url));

export interface Manifest extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The objects of a file under docs/walkthroughs. */
export function manifests(file: string): readonly Manifest[] {
  return manifestsIn(readFileSync(`${walkthroughs}/${file}`, 'utf8'));
}

export function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document): Manifest => document.toJS());
}

/** Like `kubectl apply --server-side -f` with a file under docs/walkthroughs. */
export function applyFile(client: KubeClient, file: string): Promise<void> {
  return applyObjects(client, manifests(file));
}

/** Like `kubectl apply --server-side -f`. */
export async function applyObjects(client: KubeClient, objects: readonly Manifest[]): Promise<void> {
  for (const object of objects) {
    await client.apply(kindOfManifest(object), object, { fieldManager: 'walkthrough', force: true });
  }
}

const plurals: Readonly<Record<string, string>> = { EC2NodeClass: 'ec2nodeclasses' };
const clusterWide = new Set(['Namespace', 'NodePool', 'EC2NodeClass', 'NodeClaim', 'PriorityClass']);

function kindOfManifest({ apiVersion, kind }: Manifest): Kind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  return { group, version, kind, plural, namespaced: !clusterWide.has(kind) };
}
