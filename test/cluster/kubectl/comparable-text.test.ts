import { describe, expect, it } from 'vitest';
import { comparable } from './comparable-text.ts';

describe('output compared between two servers', () => {
  it.each(['45s', '5m30s', '13m', '179m', '3h', '3h20m', '2d', '2d3h'])('hides the age %s', (age) => {
    expect(comparable(`NAME  STATUS  AGE\ndefault   Active   ${age}\n`)).toBe(
      'NAME  STATUS  AGE\ndefault  Active  <age>\n',
    );
  });

  it.each(['cpu:  100m', 'cpu  100m (5%)  200m (10%)', 'cpu=100m'])('keeps the quantity of %s', (line) => {
    expect(comparable(`  ${line}\n`)).toBe(`  ${line}\n`);
  });
});
