// Takes the picture of the web page for the README, of a `karpenter dev` with forty pods:
//   node scripts/page-picture.mjs docs/images/page.png
// Needs Chromium, as the browser tests do.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { chromiumProgram } from './chromium.mjs';
import { fail, root } from './prepare.mjs';

const [picture] = process.argv.slice(2);
if (picture === undefined) fail('name the file of the picture: node scripts/page-picture.mjs FILE');
const directory = mkdtempSync(join(tmpdir(), 'karpenter-picture-'));
const flags = ['--port', '0', '--ui-port', '0', '--kubeconfig', join(directory, 'kubeconfig')];
const dev = spawn(join(root, 'bin', 'karpenter'), ['dev', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await takePicture(await pageAddress());
} finally {
  dev.kill('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}

/** The first line that the command prints has it. */
function pageAddress() {
  return new Promise((resolve) => {
    createInterface({ input: dev.stdout }).once('line', (line) => resolve(line.split(' ').at(-1)));
  });
}

async function takePicture(url) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const executablePath = execFileSync('which', [chromiumProgram()], { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(url);
  for (const replicas of [18, 40]) await scaleAndWait(page, replicas);
  await page.getByText('Live', { exact: true }).waitFor();
  // Until pods have flown to their nodes.
  await page.waitForTimeout(3_000);
  await page.screenshot({ path: picture });
  await browser.close();
}

async function scaleAndWait(page, replicas) {
  const action = { action: 'scale', deployment: 'inflate', replicas };
  await page.evaluate(async (body) => {
    const headers = { 'Content-Type': 'application/json' };
    await fetch('api/demo', { method: 'POST', headers, body: JSON.stringify(body) });
  }, action);
  await page.waitForFunction(isSettled, replicas, { timeout: 300_000 });
}

/** Whether so many pods run, besides those of DaemonSets, and none is on its way. Runs in the page. */
function isSettled(count) {
  const numberOf = (state) => Number(new RegExp(`${state}\\s*(\\d+)`).exec(document.body.textContent)?.[1]);
  return numberOf('running') >= count && numberOf('starting') === 0 && numberOf('pending') === 0;
}
