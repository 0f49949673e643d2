import { expect, it } from 'vitest';
import { quotedError } from './quoted-error.ts';

it.each([
  [299, 'x'.repeat(299)],
  [300, `${'x'.repeat(300)}...`],
  [301, `${'x'.repeat(300)}...`],
])('quotes an error of %i characters up to 300 of them, with dots from 300 on', (length, quoted) => {
  expect(quotedError('x'.repeat(length))).toBe(quoted);
});
