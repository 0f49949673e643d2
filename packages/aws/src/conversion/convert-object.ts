import {
  type ConversionWarning,
  type ConvertedObject,
  type FieldMove,
  type FieldPath,
  fieldOf,
  nodeClaimToV1,
  nodePoolOfProvisioner,
  nodePoolToV1,
  parkingAnnotations,
  sourcesOf,
  subjectOf,
} from '@karpenter/core/conversion';
import { isJsonArray, isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { awsGroup, awsLegacyProvider, nodeClassKind, templateKind } from './aws-legacy-provider.ts';
import { freeName } from './class-variants.ts';
import type { ObjectConversion } from './convert-objects.ts';
import { nodeClassToV1 } from './node-class.ts';
import { nodeClassOfProvider, nodeClassOfTemplate } from './node-template.ts';

/** A field `to` whose value was in the field `from` of another object. */
interface ImportedField extends FieldMove {
  /** Index of the other object among all converted objects. */
  readonly source: number;
}

/** One object of a result, with the field moves of each conversion step. */
export interface ConvertedPart {
  readonly object: JsonObject;
  readonly moves: readonly (readonly FieldMove[])[];
  /** Kubelet settings of a NodePool that are still to be moved to its class. */
  readonly kubelet?: JsonObject;
  /** A field of the source that was moved to another object, with the keys that were moved. */
  readonly exported?: { readonly field: FieldPath; readonly keys: readonly string[] };
  /** A field that comes from another object. */
  readonly imported?: ImportedField;
}

/** Facts about the other objects that the conversion of one object needs. */
export interface ObjectContext {
  readonly ignoreDefaults: boolean;
  readonly classNames: Set<string>;
  /** Empty if there is none. */
  readonly defaultInstanceProfile: string;
  /** `expireAfter` of NodePools by name. */
  readonly expiries: Map<string, string>;
}

type Conversion = (object: JsonObject, context: ObjectContext) => ObjectConversion;

const conversions: Readonly<Record<string, Conversion>> = {
  'karpenter.sh/v1alpha5 Provisioner': fromProvisioner,
  'karpenter.sh/v1beta1 NodePool': (object, context) => fromPool(chain(object), context),
  'karpenter.sh/v1 NodePool': (object, context) => recordExpiry(unchangedObject(object), object, context),
  'karpenter.sh/v1beta1 NodeClaim': fromClaim,
  [`${awsGroup}/v1alpha1 ${templateKind}`]: (object, context) =>
    fromClass(append(chain(object), (each) => nodeClassOfTemplate(each, context))),
  [`${awsGroup}/v1beta1 ${nodeClassKind}`]: (object) => fromClass(chain(object)),
};

/** Converts one object to v1, step by step. Throws `not-convertible` where v1 has no equivalent. */
export function convertObject(object: JsonObject, context: ObjectContext): ObjectConversion {
  const type = `${object['apiVersion']} ${object['kind']}`;
  const found = Object.hasOwn(conversions, type) ? conversions[type] : undefined;
  return found === undefined ? other(object) : found(object, context);
}

export function unchangedObject(object: JsonObject): ObjectConversion {
  return { subject: subjectOf(object), results: [{ object, moves: [] }], warnings: [] };
}

const oldKinds = new Set(['Provisioner', 'Machine', templateKind]);

function other(object: JsonObject): ObjectConversion {
  const why = reasonToLeave(object);
  if (why === undefined) return unchangedObject(object);
  const warning: ConversionWarning = {
    code: 'not-converted',
    object: subjectOf(object),
    field: [],
    sentence: `left as it is: ${why}`,
    needsReview: true,
  };
  return { ...unchangedObject(object), warnings: [warning] };
}

/** Returns why an old object of Karpenter is left unchanged; undefined for all other objects. */
function reasonToLeave({ apiVersion, kind, items }: JsonObject): string | undefined {
  const [group] = String(apiVersion).split('/');
  if (isJsonArray(items) && String(kind).endsWith('List')) {
    return 'a List inside a List; move its items to the outer one and convert it again';
  }
  if ((group !== 'karpenter.sh' && group !== awsGroup) || !oldKinds.has(String(kind))) return undefined;
  return kind === 'Machine'
    ? 'a Machine has no successor that could take over its instance; new nodes replace the old ones'
    : `${apiVersion} is too old to be converted; convert it to karpenter.sh/v1alpha5 first`;
}

/** An object with the moves and warnings of the steps so far. */
interface Chain {
  readonly subject: string;
  readonly part: ConvertedPart;
  readonly warnings: readonly ConversionWarning[];
}

const chain = (object: JsonObject): Chain => ({
  subject: subjectOf(object),
  part: { object, moves: [] },
  warnings: [],
});

type Step = (object: JsonObject) => ConvertedObject & Pick<ConvertedPart, 'kubelet'>;

/** Applies one more step. Its warnings refer to fields before the step, which are traced back to the source. */
function append({ subject, part, warnings }: Chain, step: Step): Chain {
  const { object, moves, warnings: more, kubelet } = step(part.object);
  const traced = more.map((warning) => ({
    ...warning,
    object: subject,
    field: part.moves.reduceRight((field, each) => sourcesOf(each, field)[0] ?? field, warning.field),
  }));
  return {
    subject,
    part: { object, moves: [...part.moves, moves], ...(kubelet !== undefined && { kubelet }) },
    warnings: [...warnings, ...traced],
  };
}

const finished = ({ subject, part, warnings }: Chain): ObjectConversion => ({
  subject,
  results: [part],
  warnings,
});

function fromProvisioner(object: JsonObject, context: ObjectContext): ObjectConversion {
  const isInline =
    isJsonObject(fieldOf(object, ['spec', 'provider'])) &&
    fieldOf(object, ['spec', 'providerRef']) === undefined;
  const inlineClass = isInline
    ? freeName(String(fieldOf(object, ['metadata', 'name']) ?? ''), context.classNames)
    : '';
  const options = { provider: awsLegacyProvider, ignoreDefaults: context.ignoreDefaults, inlineClass };
  const pool = fromPool(
    append(chain(object), (each) => nodePoolOfProvisioner(each, options)),
    context,
  );
  if (!isInline) return pool;
  const nodeClass = fromClass(
    append(chain(object), (each) => nodeClassOfProvider(each, inlineClass, context)),
  );
  return {
    subject: pool.subject,
    results: [...pool.results, ...nodeClass.results],
    warnings: [...pool.warnings, ...nodeClass.warnings],
  };
}

function fromPool(earlier: Chain, context: ObjectContext): ObjectConversion {
  const pool = append(earlier, (each) => nodePoolToV1(each, awsLegacyProvider));
  return recordExpiry(finished(pool), pool.part.object, context);
}

function recordExpiry<T>(result: T, pool: JsonObject, { expiries }: ObjectContext): T {
  const expireAfter = fieldOf(pool, ['spec', 'template', 'spec', 'expireAfter']) ?? '720h';
  expiries.set(String(fieldOf(pool, ['metadata', 'name'])), String(expireAfter));
  return result;
}

const fromClass = (earlier: Chain) => finished(append(earlier, (each) => nodeClassToV1(each)));

/** The kubelet settings of a NodeClaim only record how its node was launched, so no class needs them. */
function fromClaim(object: JsonObject, { expiries }: ObjectContext): ObjectConversion {
  const pool = fieldOf(object, ['metadata', 'labels', 'karpenter.sh/nodepool']);
  const step = (each: JsonObject) => {
    const { kubelet, ...converted } = nodeClaimToV1(each, awsLegacyProvider, expiries.get(String(pool)));
    return kubelet === undefined
      ? converted
      : { ...converted, object: withParkedKubelet(converted.object, kubelet) };
  };
  return finished(append(chain(object), step));
}

/** Stores kubelet settings in the annotation that the conversion webhook uses too. */
export function withParkedKubelet(object: JsonObject, kubelet: JsonObject): JsonObject {
  const metadata = object['metadata'];
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return {
    ...object,
    metadata: {
      ...(isJsonObject(metadata) && metadata),
      annotations: {
        ...(isJsonObject(annotations) && annotations),
        [parkingAnnotations.kubelet]: JSON.stringify(kubelet),
      },
    },
  };
}
