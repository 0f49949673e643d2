import { member } from '@karpenter/core/schema';
import type { InputDocument } from '../input/document.ts';
import { inputError, originText } from '../input/origin.ts';
import { plannedKindsText, unreadKinds, useOfKind } from './kinds.ts';
import { type Manifest, manifestName, manifestsOf, manifestText, type NamedManifest } from './manifest.ts';

export interface Inventory {
  readonly manifests: readonly NamedManifest[];
  /** Number of skipped objects by kind, for kinds that could matter but are not supported. */
  readonly unread: ReadonlyMap<string, number>;
}

/** Collects the objects of all documents. Throws on an unknown kind and on an object that occurs twice. */
export function inventoryOf(documents: readonly InputDocument[]): Inventory {
  return inventoryOfManifests(documents.flatMap(manifestsOf));
}

export function inventoryOfManifests(all: readonly Manifest[]): Inventory {
  const manifests = new Map<string, NamedManifest>();
  const unread = new Map<string, number>();
  for (const manifest of all) {
    const { kind } = manifest;
    const use = useOfKind(kind);
    if (use === 'unknown') throw unknownKind(manifest);
    if (use === 'unread') unread.set(kind, (unread.get(kind) ?? 0) + 1);
    if (use === 'planned') addOnce(manifests, { ...manifest, ...manifestName(manifest) });
  }
  return { manifests: [...manifests.values()], unread };
}

export type ManifestsOfKind = (kind: string) => readonly NamedManifest[];

export function manifestsByKind(manifests: readonly NamedManifest[]): ManifestsOfKind {
  const byKind = new Map<string, NamedManifest[]>();
  for (const manifest of manifests) {
    const known = byKind.get(manifest.kind);
    if (known === undefined) byKind.set(manifest.kind, [manifest]);
    else known.push(manifest);
  }
  return (kind) => byKind.get(kind) ?? [];
}

function unknownKind({ kind, origin, object }: Manifest): Error {
  const version = member(object, 'apiVersion');
  const written = typeof version === 'string' ? `${kind} (${version})` : kind;
  return inputError(
    'unknown-kind',
    origin,
    `cannot plan with kind ${written}; remove it, or use one of ${plannedKindsText}`,
  );
}

function addOnce(manifests: Map<string, NamedManifest>, manifest: NamedManifest): void {
  const key = manifestText(manifest);
  const first = manifests.get(key);
  if (first !== undefined) {
    throw inputError(
      'invalid-object',
      manifest.origin,
      `${key} is already in ${originText(first.origin)}; remove one of them`,
    );
  }
  manifests.set(key, manifest);
}

/** One note for each skipped kind that could change the plan, with the consequence. */
export function unreadNotes(
  { unread }: Inventory,
  consequences: Readonly<Record<string, string>> = unreadKinds,
): readonly string[] {
  return [...unread].map(([kind, count]) => {
    const objects = count === 1 ? `one ${kind} is` : `${count} objects of kind ${kind} are`;
    return `${objects} not looked at: ${consequences[kind] ?? unreadKinds[kind]}`;
  });
}
