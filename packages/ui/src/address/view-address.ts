/** What the address of the page says, so that a link shows another person the same. */
export interface ViewAddress {
  readonly tab: PageTab;
  /** The map, or the same nodes and pods as tables. */
  readonly form: 'map' | 'list';
  /** `nodepool`, `zone`, `capacity-type`, `instance-type`, `none` or the key of a label. */
  readonly groupBy: string;
  readonly filter: string;
  readonly selected?: SelectedObject;
  readonly language?: PageLanguage;
  readonly theme?: PageTheme;
  /** For a screen on the wall: no controls, larger figures. */
  readonly isWall: boolean;
}

export const pageTabs = ['map', 'timeline', 'cost', 'nodepools', 'demo'] as const;
export type PageTab = (typeof pageTabs)[number];
export type PageLanguage = 'en' | 'ko';
export type PageTheme = 'light' | 'dark';

/** Names rather than uids: a link stays valid when the page or the server starts again. */
export interface SelectedObject {
  readonly kind: 'node' | 'pod' | 'nodepool' | 'decision';
  /** `namespace/name` for a pod, the id of a decision. */
  readonly name: string;
}

export const startAddress: ViewAddress = {
  tab: 'map',
  form: 'map',
  groupBy: 'nodepool',
  filter: '',
  isWall: false,
};

const selectedKinds = ['node', 'pod', 'nodepool', 'decision'] as const;

/** Unknown values are read as absent: an old link still opens the page. */
export function parseAddress(search: string): ViewAddress {
  const params = new URLSearchParams(search);
  const selected = parseSelected(params.get('select'));
  const language = oneOf(['en', 'ko'] as const, params.get('lang'));
  const theme = oneOf(['light', 'dark'] as const, params.get('theme'));
  return {
    tab: oneOf(pageTabs, params.get('tab')) ?? startAddress.tab,
    form: oneOf(['map', 'list'] as const, params.get('view')) ?? startAddress.form,
    groupBy: params.get('group') || startAddress.groupBy,
    filter: params.get('q') ?? '',
    isWall: params.has('wall') && params.get('wall') !== '0',
    ...(selected !== undefined && { selected }),
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
  };
}

/** The query of the address with its question mark, or nothing for the view that the page starts with. */
export function formatAddress(address: ViewAddress): string {
  const { tab, form, groupBy, filter, selected, language, theme, isWall } = address;
  const params = new URLSearchParams();
  if (tab !== startAddress.tab) params.set('tab', tab);
  if (form !== startAddress.form) params.set('view', form);
  if (groupBy !== startAddress.groupBy) params.set('group', groupBy);
  if (filter !== '') params.set('q', filter);
  if (selected !== undefined) params.set('select', `${selected.kind}:${selected.name}`);
  if (language !== undefined) params.set('lang', language);
  if (theme !== undefined) params.set('theme', theme);
  if (isWall) params.set('wall', '1');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function parseSelected(text: string | null): SelectedObject | undefined {
  const colon = text?.indexOf(':') ?? -1;
  if (text === null || colon < 0) return undefined;
  const kind = oneOf(selectedKinds, text.slice(0, colon));
  const name = text.slice(colon + 1);
  return kind === undefined || name === '' ? undefined : { kind, name };
}

function oneOf<T extends string>(known: readonly T[], text: string | null): T | undefined {
  return known.find((value) => value === text);
}
