import { type ConversionWarning, fieldOf } from '@karpenter/core/conversion';
import { CodedError } from '@karpenter/core/errors';
import type { JsonObject } from '@karpenter/core/schema';
import { awsGroup, nodeClassKind, templateKind } from './aws-legacy-provider.ts';
import { type ConvertedPart, convertObject, type ObjectContext, unchangedObject } from './convert-object.ts';
import { isGlobalSettings } from './global-settings.ts';
import { moveKubelets } from './moved-kubelets.ts';

export interface ConversionOptions {
  /** Leaves out the requirements that the admission webhook of v1alpha5 would have added. */
  readonly ignoreDefaults: boolean;
}

/** The result of converting one object. */
export interface ObjectConversion {
  /** Kind and name before the conversion. */
  readonly subject: string;
  /** The objects that replace it, the first in its place; the object itself if nothing changed. */
  readonly results: readonly ConvertedPart[];
  /** Fields of warnings are those of the source. */
  readonly warnings: readonly ConversionWarning[];
  /** Why the object cannot be converted. */
  readonly refusal?: CodedError;
}

/**
 * Converts the NodePools, NodeClaims and classes among the objects to v1. Needs all of them together, because kubelet
 * settings move to the class that a NodePool refers to. Other objects stay unchanged. The result has one entry per
 * object.
 */
export function convertObjects(
  objects: readonly JsonObject[],
  options: ConversionOptions,
): readonly ObjectConversion[] {
  const context: ObjectContext = {
    ...options,
    classNames: new Set(objects.filter(isClass).map(nameOf)),
    defaultInstanceProfile: defaultInstanceProfile(objects),
    expiries: new Map(),
  };
  // NodeClaims copy `expireAfter` of their NodePool, so NodePools are converted first.
  const order = objects.map((object, index) => ({ object, index }));
  const claimsLast = order.toSorted((a, b) => Number(isClaim(a.object)) - Number(isClaim(b.object)));
  const converted: ObjectConversion[] = [];
  for (const { object, index } of claimsLast) converted[index] = attempt(object, context);
  return moveKubelets(converted, context.classNames);
}

function attempt(object: JsonObject, context: ObjectContext): ObjectConversion {
  try {
    return convertObject(object, context);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { ...unchangedObject(object), refusal: error };
  }
}

const isClaim = ({ kind }: JsonObject) => kind === 'NodeClaim';

function isClass({ apiVersion, kind }: JsonObject): boolean {
  return String(apiVersion).startsWith(`${awsGroup}/`) && (kind === nodeClassKind || kind === templateKind);
}

function nameOf(object: JsonObject): string {
  return String(fieldOf(object, ['metadata', 'name']) ?? '');
}

function defaultInstanceProfile(objects: readonly JsonObject[]): string {
  const settings = objects.find(isGlobalSettings);
  const profile = settings && fieldOf(settings, ['data', 'aws.defaultInstanceProfile']);
  return typeof profile === 'string' ? profile : '';
}
