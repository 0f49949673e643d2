import { formatAddress, parseAddress, type ViewAddress } from '../address/index.ts';

/** A change of the address; `undefined` removes what the address may lack. */
export type AddressChange = { readonly [K in keyof ViewAddress]?: ViewAddress[K] | undefined };

/**
 * The address bar of the browser as a store. Opening something adds to the history, so that "back" closes it; typing
 * a filter does not.
 */
export class AddressBar {
  #address: ViewAddress;
  readonly #listeners = new Set<() => void>();
  readonly #window: Window;

  constructor(page: Window) {
    this.#window = page;
    this.#address = parseAddress(page.location.search);
    page.addEventListener('popstate', () => this.#set(parseAddress(page.location.search)));
  }

  get address(): ViewAddress {
    return this.#address;
  }

  change(change: AddressChange): void {
    const { selected, language, theme, ...rest } = { ...this.#address, ...change };
    const next = {
      ...rest,
      ...(selected !== undefined && { selected }),
      ...(language !== undefined && { language }),
      ...(theme !== undefined && { theme }),
    } as ViewAddress;
    const query = formatAddress(next);
    if (query === formatAddress(this.#address)) return;
    const { history, location } = this.#window;
    const isStep = 'tab' in change || 'selected' in change;
    history[isStep ? 'pushState' : 'replaceState'](null, '', `${location.pathname}${query}${location.hash}`);
    this.#set(next);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(address: ViewAddress): void {
    this.#address = address;
    for (const listener of this.#listeners) listener();
  }
}
