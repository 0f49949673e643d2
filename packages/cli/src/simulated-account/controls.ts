// The controls of a simulated cloud: objects that anyone with write access to the cluster can change. Free of imports
// from the simulator, so that `karpenter faults` works in installations without it.

/** The ConfigMap that sets the faults of the simulated cloud at runtime. */
export const faultConfig = { namespace: 'kube-system', name: 'simulated-cloud', key: 'faults.yaml' } as const;

/** The annotation on a Node that requests one of the `acts` on its instance. */
export const actAnnotation = 'simulated-cloud/act';

export const acts = {
  interrupt: 'takes a spot instance back: a warning on the queue, and the end two minutes later',
  rebalance: 'recommends to move off a spot instance',
  maintenance: 'announces maintenance of the machine',
  impair: 'lets the status check of the instance fail',
  terminate: 'ends the instance behind the back of the cluster',
} as const;

export type Act = keyof typeof acts;

export function isAct(word: string): word is Act {
  return Object.hasOwn(acts, word);
}

/** The value of the annotation: `interrupt@2026-11-15T10:00:00Z`. The time makes a repeated act a change. */
export function actText(act: Act, at: number): string {
  return `${act}@${new Date(at).toISOString()}`;
}
