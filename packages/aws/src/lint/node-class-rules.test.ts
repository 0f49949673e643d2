import { expect, it } from 'vitest';
import type { EC2NodeClass } from '../node-class/index.ts';
import { lintNodeClasses } from './index.ts';

const classOf = (term: object) =>
  ({
    metadata: { name: 'default' },
    spec: { amiSelectorTerms: [{ id: 'ami-1' }, term] },
  }) as unknown as EC2NodeClass;
const fieldsOf = (term: object) =>
  lintNodeClasses([classOf(term)], { isProduction: false }).map(({ field }) => field);

it.each([
  [{ alias: 'al2023@latest' }, 'alias'],
  [{ name: 'my-image-*' }, 'name'],
  [{ tags: { team: 'x' } }, 'tags'],
  [
    {
      ssmParameter:
        '/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id',
    },
    'ssmParameter',
  ],
])('KL010 finds %j, which selects newer images by itself', (term, field) => {
  expect(fieldsOf(term)).toEqual([`spec.amiSelectorTerms[1].${field}`]);
});

it.each([
  [{ alias: 'al2023@v20260101' }],
  [{ id: 'ami-2' }],
  [{ name: 'my-image-7' }],
  [{ ssmParameter: '/my/image' }],
])('KL010 does not find %j, which always selects the same', (term) => {
  expect(fieldsOf(term)).toEqual([]);
});

it('KL010 is an error in production and information elsewhere', () => {
  const severity = (isProduction: boolean) =>
    lintNodeClasses([classOf({ alias: 'al2023@latest' })], { isProduction })[0]?.severity;
  expect([severity(false), severity(true)]).toEqual(['info', 'error']);
});

it.each([
  ['al2023@latest', 'alias: al2023@v20260101'],
  ['bottlerocket@latest', 'alias: bottlerocket@v1.50.0'],
  ['windows2022@latest', 'name an image by its id'],
])('KL010 advises for %s what its family can have', (alias, advice) => {
  expect(lintNodeClasses([classOf({ alias })], { isProduction: false })[0]?.fix).toContain(advice);
});
