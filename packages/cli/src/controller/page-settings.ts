import { integerSetting, type Settings, textSetting } from '@karpenter/core/api';

const maxPorts = 65_535;

/** Settings of the page that the controller serves, which Karpenter does not have. */
export const pageSettings = {
  uiPort: integerSetting('ui-port', {
    default: 0,
    description: 'Port that the web page is served on; 0 for no page',
    check: (port) => (port >= 0 && port <= maxPorts ? undefined : `ui-port must be from 0 to ${maxPorts}`),
  }),
  uiHost: textSetting('ui-host', {
    default: '127.0.0.1',
    description:
      'Address that the web page is served on; it has no login, so whoever reaches the address can read it',
  }),
  uiAllowedHosts: textSetting('ui-allowed-hosts', {
    default: '',
    description: 'Further host names under which the web page answers, separated by commas',
  }),
} as const;

export type PageSettings = Settings<typeof pageSettings>;

/** Where the page listens, and under which names it answers. */
export function pageHosts({
  uiHost,
  uiAllowedHosts,
}: Pick<PageSettings, 'uiHost' | 'uiAllowedHosts'>): PageHosts {
  const names = uiAllowedHosts.split(',').map((name) => name.trim());
  return { host: uiHost, allowedHosts: names.filter((name) => name !== '') };
}

interface PageHosts {
  readonly host: string;
  readonly allowedHosts: readonly string[];
}
