import { type ColumnName, columnNames } from '../nodes/node-columns.ts';
import type { Key } from '../terminal/keys.ts';

/** What the keys of the user have changed. */
export interface ViewState {
  readonly page: number;
  readonly search: string;
  /** What the keys write into: the search, the choice of columns, or neither. */
  readonly mode: 'browse' | 'search' | 'columns';
  readonly groupBy: string | undefined;
  readonly columns: readonly ColumnName[];
}

export function initialState({
  columns,
  groupBy,
}: {
  readonly columns: readonly ColumnName[];
  readonly groupBy?: string;
}): ViewState {
  return { page: 0, search: '', mode: 'browse', groupBy, columns };
}

/** The state after a key, or `quit`. `pages` is the number of pages on the screen. */
export function afterKey(state: ViewState, key: Key, pages: number): ViewState | 'quit' {
  if (key === 'ctrl-c') return 'quit';
  if (state.mode === 'search') return afterSearchKey(state, key);
  if (state.mode === 'columns') return afterColumnKey(state, key);
  return afterBrowseKey(state, key, pages);
}

function afterBrowseKey(state: ViewState, key: Key, pages: number): ViewState | 'quit' {
  const at = (page: number) => ({ ...state, page: Math.max(0, Math.min(page, pages - 1)) });
  const page = Math.min(state.page, Math.max(0, pages - 1));
  switch (key) {
    case 'q':
      return 'quit';
    case 'escape':
      return state.search === '' ? 'quit' : { ...state, search: '', page: 0 };
    case 'right':
    case 'l':
    case 'page-down':
      return at(page + 1);
    case 'left':
    case 'h':
    case 'page-up':
      return at(page - 1);
    case 'home':
      return at(0);
    case 'end':
      return at(pages - 1);
    case 'g':
      return { ...state, page: 0, groupBy: state.groupBy === undefined ? 'nodepool' : undefined };
    case '/':
      return { ...state, mode: 'search' };
    case 'c':
      return { ...state, mode: 'columns' };
    default:
      return state;
  }
}

function afterSearchKey(state: ViewState, key: Key): ViewState {
  if (key === 'escape') return { ...state, mode: 'browse', search: '', page: 0 };
  if (key === 'enter') return { ...state, mode: 'browse' };
  if (key === 'backspace') return { ...state, search: state.search.slice(0, -1), page: 0 };
  return key.length === 1 ? { ...state, search: state.search + key, page: 0 } : state;
}

/** Letters of the columns in the menu, in the order of `columnNames`. */
export const columnKeys = columnNames.map((name, index) => [String.fromCharCode(97 + index), name] as const);

/** The last column stays: an empty table would show nothing to bring it back. */
function afterColumnKey(state: ViewState, key: Key): ViewState {
  const chosen = columnKeys.find(([letter]) => letter === key)?.[1];
  if (chosen === undefined)
    return key === 'escape' || key === 'enter' || key === 'q' ? { ...state, mode: 'browse' } : state;
  const isShown = state.columns.includes(chosen);
  const columns = isShown ? state.columns.filter((name) => name !== chosen) : [...state.columns, chosen];
  return columns.length === 0 ? state : { ...state, columns };
}
