import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { root } from '../workspace/architecture/workspace.ts';

export const pageDirectory = join(root, 'packages', 'ui', 'dist-page');
const screenshots = join(root, 'test', 'browser', 'screenshots');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The system's Chromium. As root it only starts without its sandbox. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: programPath(),
    args: [...(isRoot ? ['--no-sandbox'] : []), ...args],
  });
}

/** As `scripts/chromium.mjs` looks for it. */
function programPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('there is no Chromium; install the package chromium');
  return found;
}

export interface OpenedPage {
  readonly page: Page;
  /** Messages of errors in the page, also of the content security policy. */
  readonly problems: readonly string[];
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    // A stream that ends is reported there too, which tests do on purpose.
    if (message.type() === 'error' && !message.text().includes('net::ERR')) problems.push(message.text());
  });
  return { page, problems };
}

/** What axe finds that matters, as `rule: selector`. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

/** Kept for people to look at. */
export function keepScreenshot(page: Page, name: string): Promise<unknown> {
  return page.screenshot({ path: join(screenshots, `${name}.png`) });
}
