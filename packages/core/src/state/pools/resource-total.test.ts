import { expect, it } from 'vitest';
import { parseResourceList } from '../../values/index.ts';
import { ResourceTotal } from './resource-total.ts';

const list = parseResourceList;

it('drops a resource with the last list that names it, and keeps one with amount zero', () => {
  const total = new ResourceTotal();
  total.add(list({ cpu: '1', gpu: '0' }));
  total.add(list({ cpu: '2' }));
  total.subtract(list({ cpu: '1', gpu: '0' }));
  expect(total.texts()).toEqual({ cpu: '2' });
  total.add(list({ gpu: '0' }));
  expect(total.texts()).toEqual({ cpu: '2', gpu: '0' });
  total.subtract(list({ cpu: '2' }));
  total.subtract(list({ gpu: '0' }));
  expect(total.texts()).toEqual({});
});

it('prints decimal units again once no part uses binary units', () => {
  const total = new ResourceTotal();
  total.add(list({ memory: '1Gi' }));
  total.add(list({ memory: '1M' }));
  total.subtract(list({ memory: '1Gi' }));
  expect(total.texts()).toEqual({ memory: '1M' });
});

it('returns the same object until something changes', () => {
  const total = new ResourceTotal();
  total.add(list({ cpu: '1' }));
  const texts = total.texts();
  expect(total.texts()).toBe(texts);
  total.add(list({ cpu: '1' }));
  expect([texts, total.texts()]).toEqual([{ cpu: '1' }, { cpu: '2' }]);
});
