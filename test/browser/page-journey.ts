import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  keepScreenshot,
  launchChromium,
  type OpenedPage,
  openPage,
  seriousFindings,
} from './chromium-page.ts';
import { figure, pixelsOf } from './page-figures.ts';

export interface JourneyCluster {
  /** The address of a page with the demo. */
  readonly url: () => string;
  /** A pod that stays pending, and a part of what `explain` prints of it. */
  readonly pendingPod: () => { readonly namespace: string; readonly name: string; readonly reason: string };
}

/** What a launch says that did not get spot where it was removed. */
const fallback = /on-demand|insufficient/i;
const patience = { timeout: 90_000, interval: 100 };

/** What a newcomer does on the page of `karpenter dev`, in order, on one cluster. */
export function pageJourney(title: string, cluster: JourneyCluster): void {
  describe(title, () => {
    let browser: Browser;
    let opened: OpenedPage;

    beforeAll(async () => {
      browser = await launchChromium();
      opened = await openPage(browser);
      await opened.page.goto(`${cluster.url()}?tab=demo`);
    });

    afterAll(() => browser.close());

    it('connects and shows the cluster', async () => {
      const { page } = opened;
      await page.getByText('Live', { exact: true }).waitFor();
      await expect.poll(() => figure(page, 'nodes'), patience).toBeGreaterThan(1);
    });

    it('shows nodes and pods appear after scaling up', async () => {
      const { page } = opened;
      const before = await figure(page, 'pods');
      const drawn = await pixelsOf(page, 'running');
      await page.getByRole('button', { name: 'Start the tour' }).click();
      await page.getByRole('button', { name: /^Scale .* to/ }).click();
      await expect.poll(() => figure(page, 'pods'), patience).toBeGreaterThanOrEqual(before + 20);
      await page.getByRole('heading', { name: 'Open a pod or a node' }).waitFor(patience);
      await expect.poll(() => pixelsOf(page, 'running'), patience).not.toBe(drawn);
    });

    it('opens a node by keyboard alone', async () => {
      const { page } = opened;
      await page.getByRole('application').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Details' }).getByText('Explanation', { exact: true }).waitFor();
      expect(page.url()).toContain('select=node');
    });

    it('explains a pending pod as `explain` does', async () => {
      const { page } = opened;
      const { namespace, name, reason } = cluster.pendingPod();
      await page.goto(`${cluster.url()}?view=list&q=${name}`);
      await page.getByRole('button', { name, exact: true }).click();
      const details = page.getByRole('region', { name: 'Details' });
      await details.getByRole('heading', { name: `${namespace}/${name}` }).waitFor();
      await details.getByText(reason).first().waitFor();
      await keepScreenshot(page, 'pending-pod');
    });

    it('keeps the view over a reload', async () => {
      const { page } = opened;
      const { namespace, name } = cluster.pendingPod();
      await page.reload();
      await page.getByRole('heading', { name: `${namespace}/${name}` }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe(name);
      expect(await page.getByRole('button', { name: 'List', exact: true }).getAttribute('aria-pressed')).toBe(
        'true',
      );
    });

    it('shows on the timeline how launches fall back when spot is removed', async () => {
      const { page } = opened;
      await page.goto(`${cluster.url()}?tab=demo`);
      const removal = page.getByRole('button', { name: /Remove spot in .* and scale up/ });
      const zone = /in (\S+) and/.exec((await removal.textContent()) ?? '')?.[1] ?? '';
      await removal.click();
      await page.getByRole('heading', { name: 'Interrupt a node' }).waitFor(patience);
      await page.getByRole('button', { name: 'Timeline', exact: true }).click();
      // The newest is the first: on demand, refused, or on spot in another zone.
      const launch = page.locator('button.decision-launch[aria-expanded]').first();
      await launch.waitFor(patience);
      const text = (await launch.textContent()) ?? '';
      expect(fallback.test(text) || !text.includes(zone)).toBe(true);
      await launch.click();
      await expect.poll(() => page.locator('.plan').textContent(), patience).toMatch(/NodeClaim/);
      await keepScreenshot(page, 'timeline');
    });

    it('opens a decision down to its plan', async () => {
      const { page } = opened;
      await page.locator('button.decision-plan[aria-expanded]').first().click();
      await expect.poll(() => page.locator('.plan').textContent(), patience).toMatch(/New nodes/);
      expect(page.url()).toContain('select=decision');
    });

    it('goes through an interruption and a consolidation by itself', async () => {
      const { page } = opened;
      await page.getByRole('button', { name: 'Demo', exact: true }).click();
      await page.getByRole('button', { name: /^Interrupt ip-|^Interrupt i-/ }).click();
      await page.getByRole('heading', { name: 'Scale down and consolidate' }).waitFor(patience);
      await page.getByRole('button', { name: /^Scale .* to/ }).click();
      await page.getByRole('heading', { name: 'Look at the bill' }).waitFor(patience);
      await page.getByRole('button', { name: 'Open Cost' }).click();
      await page.getByText('That was the tour').waitFor();
      await page.locator('.chart canvas').waitFor();
      await keepScreenshot(page, 'cost');
    });

    it('answers a what-if and changes nothing', async () => {
      const { page } = opened;
      const before = await figure(page, 'nodes');
      await page.getByRole('button', { name: 'Map', exact: true }).first().click();
      await page.getByRole('button', { name: 'What if…' }).click();
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await page.getByText('Choose at least one change.').waitFor();
      await page.getByLabel(/Consolidate as far/).check();
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await page.getByRole('region', { name: 'Answer' }).waitFor(patience);
      await keepScreenshot(page, 'what-if');
      await page.keyboard.press('Escape');
      expect(await figure(page, 'nodes')).toBeLessThanOrEqual(before);
    });

    it('is Korean in Korean', async () => {
      const { page } = opened;
      await page.getByRole('button', { name: '한국어로 보기' }).click();
      await page.getByRole('button', { name: '타임라인' }).waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('ko');
      await page.reload();
      await page.getByText('최근 결정').waitFor();
      await keepScreenshot(page, 'korean');
    });

    it.each(['map', 'timeline', 'cost', 'nodepools', 'demo'])(
      'has no serious accessibility problem on the tab %s, light and dark',
      async (tab) => {
        for (const theme of ['light', 'dark']) {
          await opened.page.goto(`${cluster.url()}?tab=${tab}&theme=${theme}`);
          await opened.page.getByText('Live', { exact: true }).waitFor();
          expect(await seriousFindings(opened.page)).toEqual([]);
        }
      },
    );

    it('has no serious accessibility problem in the list and in the details', async () => {
      const { namespace, name } = cluster.pendingPod();
      await opened.page.goto(`${cluster.url()}?view=list&select=pod:${namespace}/${name}`);
      await opened.page.getByRole('heading', { name: `${namespace}/${name}` }).waitFor();
      expect(await seriousFindings(opened.page)).toEqual([]);
    });

    it('reported no error and broke no security policy on the way', () => {
      expect(opened.problems).toEqual([]);
    });
  });
}
