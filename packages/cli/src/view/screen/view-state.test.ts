import { describe, expect, it } from 'vitest';
import { defaultColumns } from '../nodes/node-columns.ts';
import { afterKey, initialState, type ViewState } from './view-state.ts';

const start = initialState({ columns: defaultColumns });

/** The state after some keys on three pages. */
function after(keys: readonly string[], state: ViewState = start): ViewState | 'quit' {
  return keys.reduce<ViewState | 'quit'>(
    (each, key) => (each === 'quit' ? each : afterKey(each, key, 3)),
    state,
  );
}

describe('the keys', () => {
  it.each([['q'], ['escape'], ['ctrl-c']])('%s quits', (key) => {
    expect(after([key])).toBe('quit');
  });

  it.each([['right'], ['l'], ['page-down']])('%s goes to the next page and stops at the last', (key) => {
    expect(after([key])).toMatchObject({ page: 1 });
    expect(after([key, key, key, key])).toMatchObject({ page: 2 });
  });

  it.each([['left'], ['h'], ['page-up']])('%s goes to the previous page and stops at the first', (key) => {
    expect(after(['end', key])).toMatchObject({ page: 1 });
    expect(after([key])).toMatchObject({ page: 0 });
  });

  it('g groups by NodePool and back', () => {
    expect(after(['g'])).toMatchObject({ groupBy: 'nodepool' });
    expect(after(['g', 'g'])).toMatchObject({ groupBy: undefined });
  });

  it('/ searches: letters are text, Enter keeps it, Esc clears it before it quits', () => {
    expect(after(['/', 'q', 'l', 'x', 'backspace'])).toMatchObject({ mode: 'search', search: 'ql' });
    expect(after(['/', 'q', 'enter'])).toMatchObject({ mode: 'browse', search: 'q' });
    expect(after(['/', 'q', 'enter', 'escape'])).toMatchObject({ mode: 'browse', search: '' });
    expect(after(['/', 'q', 'enter', 'escape', 'escape'])).toBe('quit');
    expect(after(['/', 'ctrl-c'])).toBe('quit');
  });

  it('c chooses columns by letter and keeps at least one', () => {
    expect(after(['c', 'l', 'h', 'enter'])).toMatchObject({
      mode: 'browse',
      columns: [...defaultColumns, 'kept', 'nodepool'],
    });
    expect(after(['c', 'a'], { ...start, columns: ['name'] })).toMatchObject({ columns: ['name'] });
  });
});
