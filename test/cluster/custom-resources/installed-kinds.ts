import { customResources } from '@karpenter/aws';
import type { CustomResourceDefinition, JsonObject } from '@karpenter/core/schema';
import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expectSuccess } from '../shared-control-plane.ts';

/** Installs our definitions unless they exist, and waits until the server serves them. */
export async function installCustomResources(plane: ControlPlaneClient): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: customResources.map(({ definition }) => definition) };
  const names = customResources.map(({ definition }) => `crd/${definition.metadata.name}`);
  await expectSuccess(
    plane.kubectl(['apply', '--server-side', '--filename=-'], { input: JSON.stringify(list) }),
  );
  await expectSuccess(plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names]));
}

export const definitions = customResources.map(({ definition }) => definition);

export function definitionOf(object: JsonObject): CustomResourceDefinition {
  const found = definitions.find(({ spec }) => spec.names.kind === object['kind']);
  if (found === undefined) throw new RangeError(`no definition of kind ${object['kind']}`);
  return found;
}

/** The path to create objects of the kind; namespaced ones go to `default`. */
export function collectionPath({ spec }: CustomResourceDefinition): string {
  const namespace = spec.scope === 'Namespaced' ? 'namespaces/default/' : '';
  return `/apis/${spec.group}/${spec.versions[0]?.name}/${namespace}${spec.names.plural}`;
}

/** Creates the object unless it exists, writes its status, and returns the stored object. */
export async function storeWithStatus(plane: ControlPlaneClient, object: JsonObject): Promise<JsonObject> {
  const collection = collectionPath(definitionOf(object));
  const path = `${collection}/${(object['metadata'] as JsonObject)['name']}`;
  await plane.request('POST', collection, object);
  const { body } = await plane.request('GET', path);
  const { metadata } = body as { readonly metadata: JsonObject };
  const written = await plane.request('PUT', `${path}/status`, { ...object, metadata });
  if (written.status !== 200)
    throw new RangeError(`${path}/status was refused: ${JSON.stringify(written.body)}`);
  return written.body as JsonObject;
}
