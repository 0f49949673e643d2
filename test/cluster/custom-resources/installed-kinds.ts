import { customResources } from '@karpenter/aws';
import type { CustomResourceDefinition, JsonObject } from '@karpenter/core/schema';
import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';

/** Installs our definitions in the control plane, or finds them there, and waits until it serves them. */
export async function installCustomResources(plane: ControlPlaneClient): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: customResources.map(({ definition }) => definition) };
  const names = customResources.map(({ definition }) => `crd/${definition.metadata.name}`);
  await succeed(plane.kubectl(['apply', '--server-side', '--filename=-'], { input: JSON.stringify(list) }));
  await succeed(plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names]));
}

export const definitions = customResources.map(({ definition }) => definition);

export function definitionOf(object: JsonObject): CustomResourceDefinition {
  const found = definitions.find(({ spec }) => spec.names.kind === object['kind']);
  if (found === undefined) throw new RangeError(`no definition of kind ${object['kind']}`);
  return found;
}

/** Where objects of the kind are created; those with a namespace go to `default`. */
export function collectionPath({ spec }: CustomResourceDefinition): string {
  const namespace = spec.scope === 'Namespaced' ? 'namespaces/default/' : '';
  return `/apis/${spec.group}/${spec.versions[0]?.name}/${namespace}${spec.names.plural}`;
}

async function succeed(call: ReturnType<ControlPlaneClient['kubectl']>): Promise<void> {
  const { code, stderr } = await call;
  if (code !== 0) throw new RangeError(`kubectl exited with code ${code}: ${stderr.trim()}`);
}
