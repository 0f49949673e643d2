import type { PageLanguage } from '../address/index.ts';

const gib = 2 ** 30;
const mib = 2 ** 20;

/** Numbers, money and times in the language of the page. */
export class Formats {
  readonly #count: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #clock: Intl.DateTimeFormat;
  readonly #dateTime: Intl.DateTimeFormat;
  readonly #money = new Map<number, Intl.NumberFormat>();
  readonly #language: PageLanguage;

  constructor(language: PageLanguage) {
    this.#language = language;
    this.#count = new Intl.NumberFormat(language);
    this.#percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
    this.#clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
    this.#dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  }

  count(count: number): string {
    return this.#count.format(count);
  }

  percent(share: number): string {
    return this.#percent.format(share);
  }

  /** Four digits after the point below a dollar: prices of instances differ there. */
  money(dollars: number): string {
    return this.moneyLike(dollars, dollars);
  }

  /** With as many digits as `largest` has, so that the labels of an axis are alike. */
  moneyLike(dollars: number, largest: number): string {
    const digits = Math.abs(largest) < 1 ? 4 : Math.abs(largest) < 1000 ? 2 : 0;
    const known = this.#money.get(digits) ?? this.#moneyFormat(digits);
    this.#money.set(digits, known);
    return known.format(dollars);
  }

  cores(cores: number): string {
    return cores < 1 && cores > 0 ? `${Math.round(cores * 1000)}m` : this.#count.format(round(cores));
  }

  bytes(bytes: number): string {
    return bytes >= gib ? `${this.#count.format(round(bytes / gib))} GiB` : `${Math.round(bytes / mib)} MiB`;
  }

  amount(resource: string, amount: number): string {
    if (resource === 'cpu') return this.cores(amount);
    if (resource === 'memory' || resource.endsWith('storage')) return this.bytes(amount);
    return this.count(round(amount));
  }

  clock(at: number): string {
    return this.#clock.format(at);
  }

  dateTime(at: number): string {
    return this.#dateTime.format(at);
  }

  /** As kubectl prints ages: `3m20s`, `5h`, `12d`. */
  duration(ms: number): string {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 120) return `${seconds}s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 10) return `${minutes}m${seconds % 60}s`;
    if (minutes < 180) return `${minutes}m`;
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
  }

  #moneyFormat(digits: number): Intl.NumberFormat {
    return new Intl.NumberFormat(this.#language, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
