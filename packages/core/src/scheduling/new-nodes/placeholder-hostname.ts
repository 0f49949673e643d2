/** Hosts have no names before they are made; people see these in messages. */
export function placeholderHostname(number: number): string {
  return `hostname-placeholder-${String(number).padStart(4, '0')}`;
}
