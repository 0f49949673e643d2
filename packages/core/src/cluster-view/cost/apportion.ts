/**
 * Divides a whole number in proportion to the weights, into whole numbers that add up to it exactly: each gets
 * its share rounded down, and the largest remainders get one more. All zeros if the weights are.
 */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum <= 0) return weights.map(() => 0);
  const shares = weights.map((weight) => total * (weight / sum));
  const parts = shares.map(Math.floor);
  let left = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder);
  // Floating point may leave one too many or too few, so this counts instead of trusting the remainders.
  for (let at = 0; left !== 0 && byRemainder.length > 0; at = (at + 1) % byRemainder.length) {
    const index = byRemainder[at]?.index ?? 0;
    const step = Math.sign(left);
    if ((parts[index] ?? 0) + step < 0) continue;
    parts[index] = (parts[index] ?? 0) + step;
    left -= step;
  }
  return parts;
}
