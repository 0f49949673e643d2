import type { Instance, InstanceFacts } from '../world/instance.ts';
import type { SavedTags } from '../world/tags.ts';

type ChangingKey = Exclude<keyof Instance, keyof InstanceFacts>;

export interface SavedInstance {
  /** The same object each time, so that its text is made once. */
  readonly facts: InstanceFacts;
  readonly changing: Omit<Pick<Instance, ChangingKey>, 'tags'> & { readonly tags: SavedTags };
}

const factsByInstance = new WeakMap<Instance, InstanceFacts>();

export function saveInstance(instance: Instance): SavedInstance {
  const { changing, facts } = parted(instance);
  const known = factsByInstance.get(instance);
  if (known === undefined) factsByInstance.set(instance, facts);
  return { facts: known ?? facts, changing: { ...changing, tags: [...instance.tags] } };
}

export function restoreInstance({ facts, changing }: SavedInstance): Instance {
  const { tags, health, events } = changing;
  const instance = {
    ...facts,
    ...changing,
    tags: new Map(tags),
    health: { ...health },
    events: [...events],
  };
  factsByInstance.set(instance, facts);
  return instance;
}

/** What changes and what does not. A new field of either kind does not compile before it has its place here. */
function parted(instance: Instance): { facts: InstanceFacts; changing: Pick<Instance, ChangingKey> } {
  const {
    tags,
    health,
    events,
    capacityReservationId,
    podAddresses,
    state,
    stateReason,
    terminatedAt,
    ...facts
  } = instance;
  // No field is left over among the facts that is none.
  const exact: Record<Exclude<keyof typeof facts, keyof InstanceFacts>, never> = {};
  return {
    facts,
    changing: {
      tags,
      health: { ...health },
      events: [...events],
      state,
      ...(capacityReservationId !== undefined && { capacityReservationId }),
      ...(podAddresses !== undefined && { podAddresses }),
      ...(stateReason !== undefined && { stateReason }),
      ...(terminatedAt !== undefined && { terminatedAt }),
      ...exact,
    },
  };
}
