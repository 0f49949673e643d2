import { isIpv4, isIpv6, isMac } from './address-formats.ts';

type Accepts = (text: string) => boolean;

const matching =
  (pattern: RegExp): Accepts =>
  (text) =>
    pattern.test(text);

/** Formats that the API server checks, without dashes; any other format is documentation only. */
const known: Readonly<Record<string, Accepts>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  cidr: isCidr,
  creditcard: (text) => isCardNumber(text.replace(/[^0-9]/g, '')),
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: matching(/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)\s*$/u),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (text) => text.length <= 253 && text.split('.').every(isDnsLabel),
  k8sshortname: (text) => text.length <= 63 && isDnsLabel(text),
  mac: isMac,
  password: () => true,
  rgbcolor: isRgbColor,
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  uri: isUri,
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
};

/** The check for a string format; undefined if the API server does not check it. */
export function stringFormat(name: string | undefined): Accepts | undefined {
  const plain = name?.replaceAll('-', '');
  return plain !== undefined && Object.hasOwn(known, plain) ? known[plain] : undefined;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDateTime(text: string): boolean {
  const [date = '', time = '', ...rest] = text.split(/t/i);
  const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(z|[+-]\d{2}:\d{2})$/i;
  return rest.length === 0 && isDate(date) && clock.test(time);
}

const shortUnits = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', 'w']);
const longUnit = /^(?:nano|micro|milli|sec|min|hour|hr|day|week|wk)/;

/** A Go duration, or free text such as `2 days` in which every number is followed by a unit of time. */
function isDuration(text: string): boolean {
  if (/^[+-]?0$/.test(text)) return true;
  // Numbers without a unit match too and are left out: otherwise each of their digits would be tried as a start.
  const units = [...text.toLowerCase().matchAll(/\d+(?:\s*([a-zµ]+))?/g)].flatMap(([, unit]) => unit ?? []);
  return units.length > 0 && units.every((unit) => shortUnits.has(unit) || longUnit.test(unit));
}

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

const letter = '[a-zA-Z0-9\\p{S}\\p{L}]';
const inner = '[a-zA-Z0-9\\p{S}\\p{L}-]';
const hostname = new RegExp(
  `^(?:${letter}(?:-?${letter}{0,62})|(?:${letter}(?:${inner}{0,61}${letter})?\\.)+[a-zA-Z0-9\\p{L}-]{2,63})$`,
  'u',
);

function isHostname(text: string): boolean {
  return text.length <= 255 && hostname.test(text);
}

/** An absolute URI, or an absolute path. */
function isUri(text: string): boolean {
  const [, scheme] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):|\/)/.exec(text) ?? [];
  if (scheme === undefined && !text.startsWith('/')) return false;
  const [host = ''] = /^[^/]*\/\/[^/]*/.exec(text) ?? [];
  return !host.includes(' ') && !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isDnsLabel(text: string): boolean {
  return /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

function isRgbColor(text: string): boolean {
  const [, ...parts] = /^rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text) ?? [];
  return parts.length === 3 && parts.every((part) => Number(part) <= 255 && !/^0\d/.test(part));
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, i) => total + (10 - i) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return (
    [...digits].reduce((sum, digit, index) => sum + (index % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0
  );
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11})$/;

function isCardNumber(digits: string): boolean {
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
