/**
 * The saved part of a run: exact numbers unchanged, speed as a multiple of the yardstick, which is comparable
 * across machines.
 */
export function baselineOf({ yardstick, exact, perSecond, bytes }) {
  const relativeSpeed = mapValues(perSecond, (rate) => Number((rate / yardstick).toPrecision(4)));
  return { exact, relativeSpeed, bytes: mapValues(bytes, round1) };
}

/** Rows of [what, now, baseline, verdict], and whether an exact number differs. */
export function compare(now, baseline) {
  const rows = [
    ...rowsOf(now.exact, baseline?.exact, (value, old) => [
      String(value),
      text(old),
      exactVerdict(value, old),
    ]),
    ...rowsOf(now.perSecond, baseline?.relativeSpeed, (value, old) => {
      const expected = old === undefined ? undefined : old * now.yardstick;
      return [perSecond(value), perSecond(expected), ratio(value, expected)];
    }),
    ...rowsOf(now.bytes, baseline?.bytes, (value, old) => [bytes(value), bytes(old), '']),
  ];
  return { rows, differs: rows.some((row) => row.at(-1) === 'DIFFERENT') };
}

/** Aligned columns, with numbers right-aligned. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

function rowsOf(now, baseline, cells) {
  const names = [...new Set([...Object.keys(now), ...Object.keys(baseline ?? {})])];
  return names.map((name) => [name, ...cells(now[name], baseline?.[name])]);
}

function exactVerdict(value, old) {
  if (old === undefined) return 'new';
  return value === old ? 'same' : 'DIFFERENT';
}

const text = (value) => (value === undefined ? '-' : String(value));
const round1 = (value) => Math.round(value * 10) / 10;
const bytes = (value) => (value === undefined ? '-' : `${value.toFixed(1)} B`);
const ratio = (value, old) =>
  value === undefined || old === undefined ? '-' : `${(value / old).toFixed(2)}×`;
const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

function perSecond(rate) {
  if (rate === undefined) return '-';
  return rate >= 1e6 ? `${(rate / 1e6).toFixed(1)} M/s` : `${(rate / 1e3).toFixed(1)} k/s`;
}
