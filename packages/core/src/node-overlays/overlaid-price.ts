/** The price after an overlay: replaced (`0.5`), changed (`+0.05`) or scaled (`-25%`); never negative. */
export function overlaidPrice(price: number, change: string): number {
  if (!change.startsWith('+') && !change.startsWith('-')) return Number(change);
  const adjusted = change.endsWith('%')
    ? price * (1 + Number(change.slice(0, -1)) / 100)
    : price + Number(change);
  return Math.max(0, adjusted);
}
