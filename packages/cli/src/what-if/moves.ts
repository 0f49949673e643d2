import { stateSources } from '@karpenter/controllers/cluster';
import type { Plan } from '@karpenter/core/scheduling';
import type { ObjectLists } from './object-lists.ts';

/** A pod that runs now and would run elsewhere. */
export interface Move {
  /** `namespace/name`. */
  readonly pod: string;
  /** Name of its node now. */
  readonly from: string;
  /** Name of an existing node. */
  readonly to?: string;
  /** Index into the new nodes of the plan, in place of `to`. */
  readonly newNode?: number;
}

/** Pods and their nodes as they are now, by uid. */
export type PodPlaces = ReadonlyMap<string, Pick<Move, 'pod' | 'from'>>;

export function podPlaces(lists: ObjectLists): PodPlaces {
  return new Map(
    lists.of(stateSources.Pod).flatMap(({ metadata, spec }) => {
      const { uid, namespace, name } = metadata;
      const { nodeName = '' } = spec;
      return nodeName === '' ? [] : [[uid, { pod: `${namespace}/${name}`, from: nodeName }] as const];
    }),
  );
}

/** The pods of a plan that have a node now, sorted by that node and name. */
export function movesOf(
  { placements, newNodes }: Pick<Plan, 'placements' | 'newNodes'>,
  places: PodPlaces,
): readonly Move[] {
  const movesTo = (pods: readonly string[], target: Pick<Move, 'to' | 'newNode'>) =>
    pods.flatMap((uid) => {
      const place = places.get(uid);
      return place === undefined ? [] : [{ ...place, ...target }];
    });
  const moves = [
    ...placements.flatMap(({ node, pods }) => movesTo(pods, { to: node })),
    ...newNodes.flatMap(({ pods }, newNode) => movesTo(pods, { newNode })),
  ];
  return moves.sort((a, b) => compareText(a.from, b.from) || compareText(a.pod, b.pod));
}

/** Not by locale: the same cluster gives the same output everywhere. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
