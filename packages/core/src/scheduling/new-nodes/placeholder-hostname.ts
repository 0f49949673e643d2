/** The hostname of a planned node, in Karpenter's format; it shows in messages about topology. */
export function placeholderHostname(number: number): string {
  return `hostname-placeholder-${String(number).padStart(4, '0')}`;
}
