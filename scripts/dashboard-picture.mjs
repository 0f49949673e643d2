// Draws a dashboard with the data of a running controller, to look at without Grafana (needs Go):
//   node scripts/dashboard-picture.mjs dashboards/karpenter-cost.json http://127.0.0.1:PORT/metrics 120 > cost.svg
// It scrapes for so many seconds, and Prometheus' own engine evaluates the queries (test/rules/promtool/dashboard-picture).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [file, url, seconds = '120'] = process.argv.slice(2);
if (file === undefined || url === undefined)
  throw new Error('usage: dashboard-picture.mjs DASHBOARD METRICS-URL [SECONDS]');

const scrapeEveryMs = 2_000;
const cell = { width: 50, height: 30 };
const colours = ['#7eb26d', '#eab839', '#6ed0e0', '#ef843c', '#e24d42', '#1f78c1', '#ba43a9', '#705da0'];

const { title, panels } = JSON.parse(readFileSync(file, 'utf8'));
const start = Date.now();
const samples = await scrape();
const end = Date.now();
const results = evaluate(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => withValues(expr))));
process.stdout.write(picture());

async function scrape() {
  const all = [];
  let last = [];
  while (Date.now() < start + Number(seconds) * 1000) {
    const now = samplesOf(await (await fetch(url)).text(), Date.now());
    all.push(...now, ...endedSeries(last, now));
    last = now;
    await sleep(scrapeEveryMs);
  }
  return all;
}

/** As Prometheus does, marks series that are gone; otherwise their last value would stay for five minutes. */
function endedSeries(last, now) {
  const keyOf = ({ labels }) => JSON.stringify(labels);
  const present = new Set(now.map(keyOf));
  const t = Date.now();
  return last
    .filter((sample) => !present.has(keyOf(sample)))
    .map(({ labels }) => ({ labels, t, v: 0, isStale: true }));
}

/** @returns {{ labels: Record<string, string>, t: number, v: number }[]} */
function samplesOf(exposition, t) {
  return [...exposition.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, pairs = '', value]) => {
    const own = [...pairs.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
    const labels = {
      __name__: name,
      job: 'karpenter',
      instance: new URL(url).host,
      ...Object.fromEntries(own),
    };
    return { labels, t, v: Number(value.replace('+Inf', 'Infinity')) };
  });
}

function withValues(expr) {
  return expr.replaceAll('$__rate_interval', '20s').replaceAll('$nodepool', '.*');
}

function evaluate(queries) {
  const finite = samples.filter(({ v }) => Number.isFinite(v));
  const input = JSON.stringify({ samples: finite, queries, start, end, step: scrapeEveryMs });
  const args = ['run', '-tags=remove_all_sd', '-trimpath', '-ldflags=-s -w', './dashboard-picture'];
  const { status, stdout, stderr } = spawnSync('go', args, {
    cwd: fileURLToPath(new URL('../test/rules/promtool/', import.meta.url)),
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  });
  if (status !== 0) throw new Error(`cannot evaluate the queries of ${file}: ${stderr}`);
  return JSON.parse(stdout);
}

function picture() {
  const bottom = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  const [width, height] = [24 * cell.width, bottom * cell.height + 40];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#111217"/><text x="10" y="26" fill="#fff" font-size="18">${escaped(title)}</text>
<g transform="translate(0,40)">${panels.map(panelPicture).join('\n')}</g></svg>\n`;
}

function panelPicture(panel) {
  const { type, title: name, gridPos, targets = [], fieldConfig } = panel;
  const [x, y] = [gridPos.x * cell.width, gridPos.y * cell.height];
  const [w, h] = [gridPos.w * cell.width - 6, gridPos.h * cell.height - 6];
  if (type === 'row')
    return `<text x="${x + 8}" y="${y + 20}" fill="#ccc" font-size="14">▾ ${escaped(name)}</text>`;
  const series = targets.flatMap(({ legendFormat }) =>
    results.shift().map(({ labels, points }) => ({
      legend: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? ''),
      points,
    })),
  );
  const draw = type === 'stat' ? numberPicture : linesPicture;
  const unit = fieldConfig.defaults.unit;
  return `<g transform="translate(${x + 3},${y + 3})"><rect width="${w}" height="${h}" fill="#181b1f" stroke="#333"/><text x="8" y="16" fill="#ddd">${escaped(name)}</text>${draw(series, { w, h, unit })}</g>`;
}

function numberPicture(series, { w, h, unit }) {
  const value = series[0]?.points.at(-1)?.[1];
  const text = value === undefined ? 'no data' : shown(value, unit);
  return `<text x="${w / 2}" y="${h / 2 + 20}" fill="#7eb26d" font-size="26" text-anchor="middle">${text}</text>`;
}

function linesPicture(series, { w, h, unit }) {
  const values = series.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  if (values.length === 0)
    return `<text x="${w / 2}" y="${h / 2}" fill="#888" text-anchor="middle">no data</text>`;
  const top = Math.max(...values) || 1;
  const [left, bottom, plotHeight] = [52, h - 34, h - 60];
  const px = (t) => left + ((t - start) / (end - start)) * (w - left - 8);
  const py = (value) => bottom - (value / top) * plotHeight;
  const lines = series.map(({ points }, index) => {
    const path = points
      .filter(([, value]) => Number.isFinite(value))
      .map(([t, value]) => `${px(t).toFixed(1)},${py(value).toFixed(1)}`);
    return `<polyline fill="none" stroke="${colours[index % colours.length]}" points="${path.join(' ')}"/>`;
  });
  const legends = series
    .slice(0, 5)
    .map(
      ({ legend }, index) =>
        `<tspan fill="${colours[index % colours.length]}">■ ${escaped(legend.trim() || 'other')}  </tspan>`,
    );
  const axis = [0, top].map(
    (v) => `<text x="46" y="${py(v) + 4}" fill="#888" text-anchor="end">${shown(v, unit)}</text>`,
  );
  return `<line x1="${left}" y1="${bottom}" x2="${w - 8}" y2="${bottom}" stroke="#333"/>${axis.join('')}${lines.join('')}<text x="8" y="${h - 10}" xml:space="preserve">${legends.join('')}</text>`;
}

function shown(value, unit) {
  if (unit === 'percentunit') return `${(value * 100).toFixed(0)} %`;
  if (unit === 'currencyUSD') return `$${value.toFixed(3)}`;
  if (unit === 's') return `${value.toPrecision(3)} s`;
  if (unit === 'bytes') return `${(value / 2 ** 30).toFixed(1)} GiB`;
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
