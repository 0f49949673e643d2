/** A price as an overlay changes it: replaced (`0.5`), moved (`+0.05`) or scaled (`-25%`); never below 0. */
export function overlaidPrice(price: number, change: string): number {
  if (!change.startsWith('+') && !change.startsWith('-')) return Number(change);
  const adjusted = change.endsWith('%')
    ? price * (1 + Number(change.slice(0, -1)) / 100)
    : price + Number(change);
  return Math.max(0, adjusted);
}
