/** The value in the middle, and how far the values of all runs lie apart as a share of it. */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
  const range = sorted.at(-1) - sorted[0];
  return { median, least: sorted[0], most: sorted.at(-1), share: median === 0 ? 0 : range / median };
}

/** `44.3 s`, or with several runs `44.3 s (42.0 to 51.1)`. */
export function spreadText(values, { unit = '', digits = 1 } = {}) {
  const { median, least, most } = spreadOf(values);
  const text = `${median.toFixed(digits)}${unit && ` ${unit}`}`;
  if (values.length === 1) return text;
  return `${text} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
