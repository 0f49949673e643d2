import type { Instance, InstanceFacts } from '../world/instance.ts';
import type { SavedTags } from '../world/tags.ts';

type ChangingKey = Exclude<keyof Instance, keyof InstanceFacts>;

export interface SavedInstance {
  /** The immutable part. The same object at every save, so that its text is serialized once. */
  readonly facts: InstanceFacts;
  readonly changing: Omit<Pick<Instance, ChangingKey>, 'tags'> & { readonly tags: SavedTags };
}

/** The type makes this fail to compile when a mutable field is missing; add it to `changingOf` too. */
const changingKeys: Readonly<Record<ChangingKey, true>> = {
  tags: true,
  health: true,
  events: true,
  capacityReservationId: true,
  podAddresses: true,
  state: true,
  stateReason: true,
  terminatedAt: true,
  interruptionAt: true,
  rebalanceNoticeAt: true,
};

const factsByInstance = new WeakMap<Instance, InstanceFacts>();

export function saveInstance(instance: Instance): SavedInstance {
  return { facts: factsOf(instance), changing: changingOf(instance) };
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

function factsOf(instance: Instance): InstanceFacts {
  const known = factsByInstance.get(instance);
  if (known !== undefined) return known;
  const facts: Partial<Pick<Instance, ChangingKey>> & InstanceFacts = { ...instance };
  for (const key of Object.keys(changingKeys)) Reflect.deleteProperty(facts, key);
  factsByInstance.set(instance, facts);
  return facts;
}

function changingOf(instance: Instance): SavedInstance['changing'] {
  const { tags, health, events, state } = instance;
  const { capacityReservationId, podAddresses, stateReason, terminatedAt } = instance;
  const { interruptionAt, rebalanceNoticeAt } = instance;
  return {
    tags: [...tags],
    health: { ...health },
    events: [...events],
    state,
    ...(capacityReservationId !== undefined && { capacityReservationId }),
    ...(podAddresses !== undefined && { podAddresses }),
    ...(stateReason !== undefined && { stateReason }),
    ...(terminatedAt !== undefined && { terminatedAt }),
    ...(interruptionAt !== undefined && { interruptionAt }),
    ...(rebalanceNoticeAt !== undefined && { rebalanceNoticeAt }),
  };
}
