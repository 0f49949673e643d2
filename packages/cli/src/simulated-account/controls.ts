// The controls of a simulated cloud: objects that anyone with write access to the cluster can change. Free of imports
// from the simulator, so that `karpenter faults` works in installations without it.

/** The ConfigMap that sets the faults of the simulated cloud at runtime. */
export const faultConfig = { namespace: 'kube-system', name: 'simulated-cloud', key: 'faults.yaml' } as const;

/** The annotation on a Node that requests one of the acts on its instance. */
export const actAnnotation = 'simulated-cloud/act';

interface ActDefinition {
  /** Names of the arguments; those in brackets may be left out. */
  readonly parameters: readonly string[];
  readonly meaning: string;
}

/** What can be done to the instance of a node. */
export const nodeActs = {
  interrupt: {
    parameters: ['NODE'],
    meaning: 'take a spot instance back: a warning on the queue, and the end two minutes later',
  },
  rebalance: { parameters: ['NODE'], meaning: 'recommend to move off a spot instance' },
  maintenance: { parameters: ['NODE'], meaning: 'announce maintenance of the host' },
  impair: { parameters: ['NODE'], meaning: 'let the status check of the instance fail' },
  recover: { parameters: ['NODE'], meaning: 'let the status check of the instance pass again' },
  terminate: { parameters: ['NODE'], meaning: 'terminate the instance, as a user at the console would' },
} as const satisfies Readonly<Record<string, ActDefinition>>;

/** What can be done to the account. */
export const accountActs = {
  'release-images': { parameters: [], meaning: 'publish new images; the aliases @latest then name them' },
  'upgrade-cluster': {
    parameters: ['VERSION'],
    meaning: 'change the version of the EKS cluster and publish its images',
  },
  'add-reservation': {
    parameters: ['TYPE', 'ZONE', 'COUNT'],
    meaning: 'add an open capacity reservation; prints its id',
  },
  'cancel-reservation': { parameters: ['ID'], meaning: 'cancel a capacity reservation' },
  'add-placement-group': {
    parameters: ['NAME', '[STRATEGY]'],
    meaning: 'add a placement group: cluster, partition or spread, the last by default',
  },
  'add-instance-profile': {
    parameters: ['NAME'],
    meaning: 'add an instance profile with the role of nodes',
  },
  'drain-pool': {
    parameters: ['TYPE', 'ZONE', 'CAPACITY-TYPE'],
    meaning: 'let a capacity pool (on-demand or spot) refuse launches',
  },
  'refill-pool': {
    parameters: ['TYPE', 'ZONE', 'CAPACITY-TYPE', '[DEPTH]'],
    meaning: 'give a capacity pool so many instances, or its usual number',
  },
  'shift-zone': {
    parameters: ['ZONE', '[DURATION]'],
    meaning: 'start a zonal shift away from a zone, for an hour by default',
  },
  'end-shift': { parameters: ['ZONE'], meaning: 'end the zonal shift away from a zone' },
  'send-message': { parameters: ['TEXT'], meaning: 'send any text to the interruption queue' },
} as const satisfies Readonly<Record<string, ActDefinition>>;

const acts = { ...nodeActs, ...accountActs };

export type NodeAct = keyof typeof nodeActs;
export type Act = keyof typeof acts;

/** One act with its arguments. */
export interface ActRequest {
  readonly act: Act;
  readonly args: readonly string[];
}

export const actNames: readonly string[] = Object.keys(acts);

export function isNodeAct(word: string): word is NodeAct {
  return Object.hasOwn(nodeActs, word);
}

export function isAct(word: string): word is Act {
  return Object.hasOwn(acts, word);
}

/** How an act is written: `drain-pool TYPE ZONE CAPACITY-TYPE`. */
export function actUsage(act: Act): string {
  return [act, ...acts[act].parameters].join(' ');
}

/** Whether an act can be called with so many arguments. */
export function takesArguments(act: Act, count: number): boolean {
  const parameters: readonly string[] = acts[act].parameters;
  const least = parameters.filter((name) => !name.startsWith('[')).length;
  return count >= least && count <= parameters.length;
}
