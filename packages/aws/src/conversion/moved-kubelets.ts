import {
  type ConversionWarning,
  type FieldPath,
  fieldOf,
  ObjectDraft,
  parkingAnnotations,
  sourcesOf,
} from '@karpenter/core/conversion';
import { equalJson, isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { awsGroup, nodeClassKind } from './aws-legacy-provider.ts';
import { type ClassVariant, classVariants } from './class-variants.ts';
import { type ConvertedPart, withParkedKubelet } from './convert-object.ts';
import type { ObjectConversion } from './convert-objects.ts';

const reference = ['spec', 'template', 'spec', 'nodeClassRef'];

/**
 * Moves the kubelet settings of NodePools to the classes that they refer to. Splits a class if its pools disagree. If
 * the class is not among the objects, the settings go into an annotation and the user must move them.
 */
export function moveKubelets(
  conversions: readonly ObjectConversion[],
  classNames: ReadonlySet<string>,
): readonly ObjectConversion[] {
  const moves = new KubeletMoves(conversions, classNames);
  return conversions.map((conversion) => moves.apply(conversion));
}

/** A part with the index of its source among all objects. */
interface PlacedPart extends ConvertedPart {
  readonly source: number;
}

class KubeletMoves {
  readonly #pools: readonly PlacedPart[];
  readonly #variants = new Map<string, readonly ClassVariant[]>();

  constructor(conversions: readonly ObjectConversion[], classNames: ReadonlySet<string>) {
    const parts = conversions.flatMap(({ results }, source) => results.map((part) => ({ ...part, source })));
    this.#pools = parts.filter(({ object }) => refersToClass(object));
    const taken = new Set(classNames);
    for (const { object } of parts.filter(({ object }) => isClass(object))) {
      const variants = this.#variantsOf(object, taken);
      for (const { name } of variants) taken.add(name);
      this.#variants.set(nameOf(object), variants);
    }
  }

  apply({ results, warnings, ...rest }: ObjectConversion): ObjectConversion {
    if (rest.refusal !== undefined) return { results, warnings, ...rest };
    const changed = results.flatMap((part) =>
      isClass(part.object) ? this.#classes(part) : [this.#pool(part)],
    );
    const more = results.flatMap((part) => this.#warnings(part, rest.subject));
    return { ...rest, results: changed, warnings: [...warnings, ...more] };
  }

  #variantsOf(nodeClass: JsonObject, taken: ReadonlySet<string>): readonly ClassVariant[] {
    const name = nameOf(nodeClass);
    const own = fieldOf(nodeClass, ['spec', 'kubelet']);
    const pools = this.#pools
      .filter(({ object }) => classNameOf(object) === name)
      .map(({ object, kubelet }) => ({ pool: nameOf(object), ...settings(kubelet) }));
    return classVariants({ name, pools, taken, ...(isJsonObject(own) && { kubelet: own }) });
  }

  #classes(part: ConvertedPart): readonly ConvertedPart[] {
    const variants = this.#variants.get(nameOf(part.object)) ?? [];
    return variants.map(({ name, kubelet, pools }) => {
      const isSame = equalJson(kubelet ?? {}, fieldOf(part.object, ['spec', 'kubelet']) ?? {});
      if (name === nameOf(part.object) && isSame) return part;
      const draft = new ObjectDraft('', part.object).set(['metadata', 'name'], name);
      if (kubelet !== undefined) draft.set(['spec', 'kubelet'], kubelet);
      return { ...part, object: draft.finish().object, ...this.#imported(pools) };
    });
  }

  #imported(pools: readonly string[]): Pick<ConvertedPart, 'imported'> {
    const pool = this.#pools.find(({ object, kubelet }) => kubelet && pools.includes(nameOf(object)));
    if (pool === undefined) return {};
    return { imported: { source: pool.source, from: sourceOf(pool.moves), to: ['spec', 'kubelet'] } };
  }

  #pool(part: ConvertedPart): ConvertedPart {
    const { kubelet, ...rest } = part;
    const pool =
      kubelet === undefined
        ? rest
        : { ...rest, exported: { field: sourceOf(part.moves), keys: Object.keys(kubelet) } };
    const variants = refersToClass(part.object) ? this.#variants.get(classNameOf(part.object)) : undefined;
    const variant = variants?.find(({ pools }) => pools.includes(nameOf(part.object)));
    if (variant === undefined) {
      return kubelet === undefined ? rest : { ...rest, object: withParkedKubelet(rest.object, kubelet) };
    }
    if (variant.name === classNameOf(part.object)) return pool;
    return {
      ...pool,
      object: new ObjectDraft('', pool.object).set([...reference, 'name'], variant.name).finish().object,
    };
  }

  #warnings({ object, kubelet, moves }: ConvertedPart, subject: string): readonly ConversionWarning[] {
    if (isClass(object)) return this.#splitWarnings(object, subject);
    if (kubelet === undefined) return [];
    const name = classNameOf(object);
    const isKnown = refersToClass(object) && this.#variants.has(name);
    return [{ object: subject, field: sourceOf(moves), ...(isKnown ? moved(name) : parked(name)) }];
  }

  #splitWarnings(nodeClass: JsonObject, subject: string): readonly ConversionWarning[] {
    const [, ...others] = this.#variants.get(nameOf(nodeClass)) ?? [];
    if (others.length === 0) return [];
    const names = others.map(({ name, pools }) => `${name} (${pools.join(', ')})`).join(', ');
    return [
      {
        code: 'class-split',
        object: subject,
        field: [],
        sentence: `its NodePools disagree about the kubelet, so there are more classes now: ${names}; nodes of these pools are replaced`,
        needsReview: true,
      },
    ];
  }
}

type Sentence = Pick<ConversionWarning, 'code' | 'sentence' | 'needsReview'>;

const moved = (name: string): Sentence => ({
  code: 'kubelet-moved',
  sentence: `the kubelet settings are in ${nodeClassKind} ${name} now, where v1 has them`,
  needsReview: false,
});

const parked = (name: string): Sentence => ({
  code: 'kubelet-parked',
  sentence: `the kubelet settings belong to ${nodeClassKind} ${name}, which is not among the objects; convert both together, or copy them from the annotation ${parkingAnnotations.kubelet} to spec.kubelet of the class`,
  needsReview: true,
});

/** Path of the kubelet settings in the NodePool before the first step. */
function sourceOf(moves: ConvertedPart['moves']): FieldPath {
  const path: FieldPath = ['spec', 'template', 'spec', 'kubelet'];
  return moves.reduceRight((field, each) => sourcesOf(each, field)[0] ?? field, path);
}

function settings(kubelet: JsonObject | undefined) {
  return kubelet === undefined || Object.keys(kubelet).length === 0 ? {} : { kubelet };
}

function isClass({ apiVersion, kind }: JsonObject): boolean {
  return apiVersion === `${awsGroup}/v1` && kind === nodeClassKind;
}

function refersToClass(object: JsonObject): boolean {
  return object['kind'] === 'NodePool' && fieldOf(object, [...reference, 'group']) === awsGroup;
}

function classNameOf(pool: JsonObject): string {
  return String(fieldOf(pool, [...reference, 'name']) ?? '');
}

function nameOf(object: JsonObject): string {
  return String(fieldOf(object, ['metadata', 'name']) ?? '');
}
