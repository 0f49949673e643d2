import { PageTestServer, stuckPod, stuckReason } from '@karpenter/testkit/page-server';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepScreenshot, launchChromium, openPage, pageDirectory } from './chromium-page.ts';
import { figure, pixelsOf } from './page-figures.ts';
import { pageJourney } from './page-journey.ts';

const patience = { timeout: 60_000, interval: 50 };
const start = (nodes: number, pods: number) =>
  PageTestServer.start({ directory: pageDirectory, nodes, pods, podsPerSecond: 0, isDemo: true });

let journeyServer: PageTestServer;
beforeAll(async () => {
  journeyServer = await start(4, 60);
});
afterAll(() => journeyServer.stop());

pageJourney('the page of a sample cluster', {
  url: () => journeyServer.url,
  pendingPod: () => ({ ...stuckPod, reason: stuckReason }),
});

describe('the page', () => {
  let server: PageTestServer;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await start(8, 60);
  });
  afterEach(() => server.stop());

  it('follows the cluster again after the server dropped the connection', async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await page.getByText('Live', { exact: true }).waitFor();
    server.dropStreams();
    await expect.poll(() => server.openStreams, patience).toBe(1);
    const before = await figure(page, 'pods');
    server.act({ action: 'scale', deployment: 'web', replicas: 7 });
    await expect.poll(() => figure(page, 'pods'), patience).toBeGreaterThanOrEqual(before + 7);
    await page.close();
  });

  it('says when its data is stale, and recovers', async () => {
    const { page } = await openPage(browser);
    await page.clock.install();
    await page.goto(server.url);
    await page.clock.runFor(2_000);
    await page.getByText('Live', { exact: true }).waitFor();
    server.isSilent = true;
    await page.clock.runFor(24_000);
    server.dropStreams();
    await page.getByText(/The data is \d+ s old/).waitFor();
    server.isSilent = false;
    await page.clock.runFor(20_000);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.close();
  });

  it('shows what the server cannot read', async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    server.problems = ['pods cannot be listed: forbidden'];
    server.sendStatus();
    await page.getByText('pods cannot be listed: forbidden').waitFor();
    await page.close();
  });

  it('waits for a server that is not there yet', async () => {
    const { page } = await openPage(browser);
    await page.route('**/api/stream', (route) => route.abort());
    await page.goto(server.url);
    await page.getByText('Connecting to the cluster').waitFor();
    await page.unroute('**/api/stream');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.close();
  });

  it('filters by typing anywhere, dims the rest of the map, and lists only matches', async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await expect.poll(() => pixelsOf(page, 'running'), patience).toBeGreaterThan(100);
    const before = await pixelsOf(page, 'running');
    await page.keyboard.type('namespace=nowhere');
    expect(await page.getByRole('searchbox').inputValue()).toBe('namespace=nowhere');
    await expect.poll(() => pixelsOf(page, 'running'), patience).toBeLessThan(before / 10);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    expect(await page.getByText('Nothing matches the filter.').count()).toBe(2);
    await page.close();
  });

  it('groups by any label of the nodes and keeps that in the address', async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('label');
    await page.getByRole('combobox', { name: 'Label key' }).fill('team');
    await expect.poll(() => page.url()).toContain('group=team');
    await page.close();
  });

  it('selects what is clicked, and "back" closes it', async () => {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await page.getByText('Live', { exact: true }).waitFor();
    const map = page.getByRole('application');
    await expect
      .poll(async () => {
        await map.click({ position: { x: 200, y: 60 } });
        return page.url();
      }, patience)
      .toContain('select=');
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('select=');
    await page.close();
  });

  it.each([
    ['light', '?theme=light', { width: 1440, height: 900 }],
    ['dark', '?theme=dark&group=zone', { width: 1440, height: 900 }],
    ['phone', '?theme=light', { width: 360, height: 740 }],
    ['phone-cost', '?theme=dark&tab=cost', { width: 360, height: 740 }],
    ['wall', '?theme=dark&wall', { width: 3840, height: 2160 }],
    ['nodepools', '?tab=nodepools&theme=light', { width: 1440, height: 900 }],
    ['demo', '?tab=demo&theme=light', { width: 1440, height: 900 }],
  ])('fits the window without scrolling sideways (%s)', async (name, search, viewport) => {
    const { page } = await openPage(browser, { viewport });
    server.act({ action: 'scale', deployment: 'web', replicas: 60 });
    await page.goto(`${server.url}${search}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => figure(page, 'pods'), patience).toBeGreaterThan(60);
    const root = 'document.documentElement';
    const overflow = await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
    expect(overflow).toBe(0);
    await keepScreenshot(page, name);
    await page.close();
  });
});

describe('the page of 1,000 nodes', () => {
  it('draws them all', async () => {
    const server = await PageTestServer.start({
      directory: pageDirectory,
      nodes: 1_000,
      pods: 20_000,
      podsPerSecond: 200,
      isDemo: false,
    });
    const browser = await launchChromium();
    const { page, problems } = await openPage(browser);
    await page.goto(server.url);
    await expect.poll(() => figure(page, 'nodes'), patience).toBe(1_000);
    await expect.poll(() => pixelsOf(page, 'running'), patience).toBeGreaterThan(10_000);
    await keepScreenshot(page, '1000-nodes');
    expect(problems).toEqual([]);
    expect(await page.getByRole('button', { name: 'Demo', exact: true }).count()).toBe(0);
    await browser.close();
    await server.stop();
  });
});
