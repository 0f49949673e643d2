import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PageTestServer } from '@karpenter/testkit/page-server';
import { chromium } from 'playwright-core';
import { chromiumProgram } from '../scripts/chromium.mjs';
import { root } from '../scripts/prepare.mjs';
import { table } from './harness/compare.mjs';

// What the page costs a browser on 1,000 nodes with 20,000 pods of which 200 change in a second: until it shows
// something, until it shows all nodes, frames per second, and memory of the tab. Chromium draws without a graphics card
// here, which is the slowest that people have.

const nodes = 1_000;
const pods = 20_000;
const podsPerSecond = 200;
const seconds = 15;
const directory = join(root, 'packages', 'ui', 'dist-page');

export async function run() {
  const program = chromiumProgram();
  if (program === undefined) return { skipped: 'there is no Chromium; install the package chromium' };
  buildPage();
  const server = await PageTestServer.start({ directory, nodes, pods, podsPerSecond, isDemo: false });
  const browser = await chromium.launch({
    executablePath: pathOf(program),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    return resultOf(await measure(browser, server.url));
  } finally {
    await browser.close();
    await server.stop();
  }
}

function buildPage() {
  const vite = join(root, 'node_modules', '.bin', 'vite');
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(root, 'packages', 'ui'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`cannot build the page: ${stderr}`);
}

function pathOf(program) {
  const folder = process.env.PATH.split(delimiter).find((path) => existsSync(join(path, program)));
  return join(folder, program);
}

async function measure(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.addInitScript(watchFirstFrames);
  await page.goto(url);
  // Functions rather than text: the page's security policy allows no evaluation of text. They run in the page, whose
  // globals Node does not have.
  await page.waitForFunction(() => globalThis['shownAt'] !== undefined);
  const first = await page.evaluate(
    `({ paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime, shown: window.shownAt })`,
  );
  const map = await page.evaluate(`(${countFrames})(${seconds})`);
  const memory = await rendererBytes(browser);
  await page.goto(`${url}?view=list`);
  await page.waitForFunction(() => globalThis['document'].querySelectorAll('tbody tr').length > 20);
  const list = await page.evaluate(`(${countFrames})(${seconds})`);
  return { first, map, list, memory };
}

/** Notes when the figures and the map of all nodes are there. Runs in the page, so it is text here. */
const watchFirstFrames = `(() => {
  const look = (now) => {
    const figures = document.querySelector('.figures')?.textContent ?? '';
    const canvas = document.querySelector('.map-canvas');
    if (figures.includes('1,000') && canvas !== null && canvas.width > 300) window.shownAt = now;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

const countFrames = `(seconds) => new Promise((resolve) => {
  const gaps = [];
  let last = performance.now();
  const end = last + seconds * 1000;
  const count = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(count);
    else {
      gaps.sort((a, b) => a - b);
      resolve({ perSecond: gaps.length / seconds, slow: gaps[Math.floor(gaps.length * 0.95)], slowest: gaps.at(-1) });
    }
  };
  requestAnimationFrame(count);
})`;

/** Memory that the processes of tabs have to themselves, with their part of what they share. */
async function rendererBytes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => proportionalBytes(id));
  return Math.max(...sizes);
}

function proportionalBytes(pid) {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function resultOf({ first, map, list, memory }) {
  const ms = (value) => `${value.toFixed(0)} ms`;
  const frames = ({ perSecond, slow, slowest }) =>
    `${perSecond.toFixed(1)}, ${slow.toFixed(0)}, ${slowest.toFixed(0)}`;
  return {
    exact: { nodes },
    bytes: {},
    perSecond: {},
    report: table([
      [`${nodes} nodes, ${pods} pods, ${podsPerSecond} pods/s, 1920 x 1080`, 'measured', 'goal'],
      ['first contentful paint', ms(first.paint), '< 2000 ms'],
      ['all nodes and figures shown', ms(first.shown), '< 2000 ms'],
      ['map: frames/s, 95th percentile and longest ms', frames(map), '> 30'],
      ['list: frames/s, 95th percentile and longest ms', frames(list), '> 30'],
      ['memory of the tab', `${(memory / 2 ** 20).toFixed(0)} MiB`, '< 500 MiB'],
      ['files of the page, gzip', `${(pageBytes() / 1000).toFixed(0)} kB`, '< 150 kB'],
    ]),
  };
}

function pageBytes() {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'THIRD-PARTY-LICENSES')
    .reduce((sum, { parentPath, name }) => sum + gzipSync(readFileSync(join(parentPath, name))).length, 0);
}
