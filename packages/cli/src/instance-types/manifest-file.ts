import type { EC2NodeClass } from '@karpenter/aws';
import type { NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { JsonObject } from '@karpenter/core/schema';
import { isJsonObject, member } from '@karpenter/core/schema';
import type { PlacedObject } from '../region/index.ts';
import {
  admittedEc2NodeClass,
  admittedNodePool,
  documentsOf,
  type InputFile,
  type Manifest,
  manifestsOf,
  placedManifest,
} from '../simulate/index.ts';

/** The only NodePool of a file. Throws if the file has none or several, or if an API server would reject it. */
export function nodePoolOf(file: InputFile): NodePool {
  const { object, origin } = onlyOfKind(file, 'NodePool');
  return admittedNodePool(object, origin);
}

/**
 * The only EC2NodeClass of a file. Fields that an API server requires but that do not affect instance types (role,
 * selectors, name) may be missing; `completed` fills in values that pass validation.
 */
export function nodeClassOf(file: InputFile): EC2NodeClass {
  const { object, origin } = onlyOfKind(file, 'EC2NodeClass');
  return admittedEc2NodeClass({ ...object, metadata: metadataOf(object), spec: completed(object) }, origin);
}

/** The objects of a file, as far as they say where their cluster is. */
export function placedObjects(file: InputFile): readonly PlacedObject[] {
  return documentsOf(file).flatMap(manifestsOf).map(placedManifest);
}

function metadataOf(object: JsonObject): JsonObject {
  const written = member(object, 'metadata');
  return { name: 'default', ...(isJsonObject(written) && written) };
}

function completed(object: JsonObject): JsonObject {
  const written = member(object, 'spec');
  const spec = isJsonObject(written) ? written : {};
  const hasIdentity = 'role' in spec || 'instanceProfile' in spec;
  const anything = [{ tags: { any: '*' } }];
  return {
    subnetSelectorTerms: anything,
    securityGroupSelectorTerms: anything,
    amiSelectorTerms: 'amiFamily' in spec ? anything : [{ alias: 'al2023@latest' }],
    ...(!hasIdentity && { role: 'any' }),
    ...spec,
  };
}

function onlyOfKind(file: InputFile, kind: string): Manifest {
  const all = documentsOf(file).flatMap(manifestsOf);
  const [found, second] = all.filter((manifest) => manifest.kind === kind);
  if (found !== undefined && second === undefined) return found;
  const problem = found === undefined ? `has no ${kind} in it` : `has more than one ${kind} in it`;
  throw new CodedError('unknown-kind', `${file.name} ${problem}; name a file with exactly one`, {
    details: { file: file.name, kind },
  });
}
