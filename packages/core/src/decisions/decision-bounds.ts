/**
 * How much one decision and the whole log may hold. A plan for 10,000 pods is shortened to some dozen kilobytes;
 * the whole plan is kept beside the saved cluster only.
 */
export const decisionBounds = {
  newNodes: 40,
  placements: 40,
  rejected: 40,
  /** Of each node. */
  pods: 20,
  /** Of each node. */
  instanceTypes: 5,
  /** Of each node. */
  upcomingOwners: 5,
  disruptedNodes: 40,
  /** Characters of a summary, a message or a failure. */
  text: 1_000,
  /** Characters of JSON that the log holds. */
  logLength: 4 * 1024 * 1024,
} as const;

/** The first items, and how many there are if some were left out. */
export function shortened<T>(items: readonly T[], most: number): { items: readonly T[]; count?: number } {
  return items.length <= most ? { items } : { items: items.slice(0, most), count: items.length };
}

export function shortText(text: string): string {
  const most = decisionBounds.text;
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
