import { describe, expect, it } from 'vitest';
import { parseResourceList } from '../../values/index.ts';
import { SharedRequests } from './shared-requests.ts';

describe('requests of many pods', () => {
  it('are one list where they are equal', () => {
    const shared = new SharedRequests();
    const first = shared.of(parseResourceList({ cpu: '500m', memory: '1Gi' }));
    expect(shared.of(parseResourceList({ cpu: '0.5', memory: '1024Mi' }))).toBe(first);
  });

  it.each([
    { cpu: '501m', memory: '1Gi' },
    { cpu: '500m' },
    { cpu: '500m', memory: '1073741824' },
    { cpu: '500m', storage: '1Gi' },
  ])('stay apart where they differ, as %o from 500m and 1Gi', (texts) => {
    const shared = new SharedRequests();
    shared.of(parseResourceList({ cpu: '500m', memory: '1Gi' }));
    const requests = parseResourceList(texts);
    expect(shared.of(requests)).toBe(requests);
  });

  it('are forgotten when there are too many sizes', () => {
    const shared = new SharedRequests();
    const first = shared.of(parseResourceList({ cpu: '1' }));
    for (let size = 2; size <= 1_001; size += 1) shared.of(parseResourceList({ cpu: String(size) }));
    const again = parseResourceList({ cpu: '1' });
    expect(shared.of(again)).toBe(again);
    expect(again).toEqual(first);
  });
});
