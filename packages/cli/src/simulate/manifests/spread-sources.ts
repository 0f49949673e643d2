import type { LabelSource, SelectorSource, SpreadSources } from '@karpenter/core/default-spread';
import type { JsonSchema } from '@karpenter/core/schema';
import { serviceShape } from '../input/companion-shapes.ts';
import { selectorShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

const setShape = shape({ spec: shape({ selector: selectorShape }) });

/** What tells which pods belong together. A Deployment stands for the ReplicaSet that it will make. */
export function spreadSources(ofKind: ManifestsOfKind): SpreadSources {
  const labelled = (kind: string) => ofKind(kind).map((each) => source<LabelSource>(each, serviceShape));
  const selecting = (kind: string) => ofKind(kind).map((each) => source<SelectorSource>(each, setShape));
  return {
    services: labelled('Service'),
    replicationControllers: labelled('ReplicationController'),
    replicaSets: [...selecting('Deployment'), ...selecting('ReplicaSet')],
    statefulSets: selecting('StatefulSet'),
  };
}

function source<T extends LabelSource | SelectorSource>(
  manifest: NamedManifest,
  schema: JsonSchema,
): Pick<T, 'spec'> & { readonly metadata: { readonly name: string; readonly namespace: string } } {
  const { name, namespace, object, origin } = manifest;
  const { spec } = readShape<Partial<Pick<T, 'spec'>>>(schema, object, origin, manifestText(manifest));
  return { metadata: { name, namespace }, spec: spec ?? {} };
}
