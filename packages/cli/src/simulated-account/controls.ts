/** How a simulated cloud is told what to do, by whoever may write to the cluster; the simulator is not needed for that. */

/** Where faults of the simulated cloud are set while it runs. */
export const faultConfig = { namespace: 'kube-system', name: 'simulated-cloud', key: 'faults.yaml' } as const;

/** What can be done to the machine behind a node, by a word in this annotation. */
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

/** The annotation carries a time after the word, so that the same can be done again: `interrupt@2026-11-15T10:00:00Z`. */
export function actText(act: Act, at: number): string {
  return `${act}@${new Date(at).toISOString()}`;
}
