import type { Page } from 'playwright-core';

/** A figure of the top bar by its English label. */
export async function figure(page: Page, label: string): Promise<number> {
  const text = await page
    .locator('.figure')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .textContent();
  return Number((text ?? '').replaceAll(/[^\d.]/g, ''));
}

/** How many pixels of the map have the colour of a state, within a small difference. */
export function pixelsOf(page: Page, state: string): Promise<number> {
  return page.evaluate<number>(`(${countPixels})(${JSON.stringify(state)})`);
}

/** Runs in the page, so it is text here: the tests know no types of the browser. */
const countPixels = `(state) => {
  const canvas = document.querySelector('.map-canvas');
  const context = canvas?.getContext('2d');
  if (!context || canvas.width === 0) return 0;
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--pod-' + state).trim();
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (wanted.every((value, channel) => Math.abs(value - data[at + channel]) < 6)) count += 1;
  return count;
}`;
