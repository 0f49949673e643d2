import { describe, expect, it } from 'vitest';
import { quantityText, shareText } from './quantity-text.ts';

describe('quantityText', () => {
  it.each([
    ['2.147483648e+09', '2.147483648e+09'],
    ['4.74e+10', '47400e6'],
    ['4.5e+12', '4500e9'],
    ['3e+10', '30e9'],
    ['5.36870912e+09', '5368709120'],
    ['45000G', '45T'],
    ['474G', '474G'],
    ['1024Mi', '1Gi'],
    ['893Mi', '893Mi'],
    ['0.2', '200m'],
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['200m', '200m'],
    ['1000', '1k'],
    ['58', '58'],
    ['0', '0'],
    ['0Mi', '0'],
    ['1.500', '1.500'],
  ])('prints %s as Kubernetes does: %s', (written, printed) => {
    expect(quantityText(written)).toBe(printed);
  });
});

describe('shareText', () => {
  it.each([
    [20 * 2 ** 30, 10, '2.147483648e+09'],
    [15096 * 2 ** 20, 5, '7.91465165e+08'],
    [474e9, 10, '47400e6'],
    [1000, 0.05, '1'],
    [9_999_990, 10, '999999'],
    [10_000_000, 10, '1e+06'],
    [60e12, 10, '6e+12'],
    [0, 10, '0'],
  ])(
    'a share of %d bytes is written as Go and Kubernetes do (%d of a hundred, %s)',
    (bytes, percent, text) => {
      expect(shareText(bytes, percent)).toBe(text);
    },
  );
});
