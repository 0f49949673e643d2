import { describe, expect, it } from 'vitest';
import { english } from './english.ts';
import { Formats } from './formats.ts';
import { korean } from './korean.ts';
import { fillMessage, type MessageKey } from './messages.ts';
import { preferredLanguage, translatorOf } from './translator.ts';

const keys = Object.keys(english) as MessageKey[];
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the languages of the page', () => {
  it('have the same messages', () => {
    expect(Object.keys(korean).sort()).toEqual([...keys].sort());
  });

  it.each(keys)('have the same placeholders in %s', (key) => {
    expect(placeholders(korean[key])).toEqual(placeholders(english[key]));
  });

  it('are Korean in Korean, except for names that stay as they are', () => {
    const names = new Set<MessageKey>([
      'tab.nodepools',
      'top.language',
      'group.nodepool',
      'field.nodePool',
      'field.nodeClaim',
      'field.cpu',
      'field.protectedAlways',
      'capacity.fargate',
    ]);
    const foreign = keys.filter((key) => !names.has(key) && !/[가-힣]/.test(korean[key]));
    expect(foreign).toEqual([]);
  });

  it('fill in values and show the name of one that is missing', () => {
    expect(fillMessage('{a} of {b}', { a: 1 })).toBe('1 of {b}');
    expect(translatorOf('ko').text('top.stale', { seconds: 30 })).toBe('30초 동안 소식 없음');
  });

  it('are chosen by the browser, and English where it knows neither', () => {
    expect(preferredLanguage(['de-DE', 'ko-KR', 'en'])).toBe('ko');
    expect(preferredLanguage(['de', 'fr'])).toBe('en');
  });
});

describe('formats', () => {
  const format = new Formats('en');

  it.each([
    [0.0123, '$0.0123'],
    [-0.5, '-$0.5000'],
    [12.345, '$12.35'],
    [123_456.7, '$123,457'],
  ])('write %d dollars as %s', (dollars, text) => {
    expect(format.money(dollars)).toBe(text);
  });

  it('write ages as kubectl does', () => {
    const ages = [5_000, 119_000, 200_000, 1_800_000, 20_000_000, 400_000_000].map((ms) =>
      format.duration(ms),
    );
    expect(ages).toEqual(['5s', '119s', '3m20s', '30m', '5h', '4d']);
  });

  it('write amounts in the unit of their resource', () => {
    expect(format.amount('cpu', 0.25)).toBe('250m');
    expect(format.amount('cpu', 3.92)).toBe('3.9');
    expect(format.amount('memory', 1.5 * 2 ** 30)).toBe('1.5 GiB');
    expect(format.amount('nvidia.com/gpu', 2)).toBe('2');
  });
});
