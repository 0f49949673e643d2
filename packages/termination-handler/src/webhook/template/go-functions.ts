import { type GoValue, isList, isMap, isTrue, printed } from './go-value.ts';
import { templateError } from './template-error.ts';

export type TemplateFunction = (...args: readonly GoValue[]) => GoValue;

/** The functions that text/template has without Sprig. */
export const goFunctions: Readonly<Record<string, TemplateFunction>> = {
  and: (...args) => args.find((each) => !isTrue(each)) ?? args.at(-1) ?? null,
  or: (...args) => args.find(isTrue) ?? args.at(-1) ?? null,
  not: (value = null) => !isTrue(value),
  eq: (first = null, ...others) => others.some((each) => isEqual(first, each)),
  ne: (first = null, second = null) => !isEqual(first, second),
  lt: (a = null, b = null) => compare(a, b) < 0,
  le: (a = null, b = null) => compare(a, b) <= 0,
  gt: (a = null, b = null) => compare(a, b) > 0,
  ge: (a = null, b = null) => compare(a, b) >= 0,
  len: (value = null) => sizeOf(value),
  index: (value = null, ...keys) => keys.reduce<GoValue>(itemOf, value),
  print: (...args) => args.map(printed).join(''),
  println: (...args) => `${args.map(printed).join(' ')}\n`,
  printf: (format = '', ...args) => formatted(printed(format), args),
  html: (value = '') => escapedHtml(printed(value)),
  urlquery: (value = '') => encodeURIComponent(printed(value)).replaceAll('%20', '+'),
};

function isEqual(a: GoValue, b: GoValue): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

function compare(a: GoValue, b: GoValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  throw templateError('only two numbers or two texts can be compared');
}

function sizeOf(value: GoValue): number {
  if (isList(value)) return value.length;
  if (isMap(value)) return value.size;
  if (typeof value === 'string') return Buffer.byteLength(value);
  throw templateError(`len has no meaning for ${printed(value)}`);
}

function itemOf(value: GoValue, key: GoValue): GoValue {
  if (isMap(value)) return value.get(printed(key)) ?? '';
  if (!isList(value) || typeof key !== 'number')
    throw templateError(`index has no meaning for ${printed(value)}`);
  const item = value[key];
  if (item === undefined) throw templateError(`index ${key} is beyond the end of a list of ${value.length}`);
  return item;
}

const verb = /%(?<minus>-?)(?<zero>0?)(?<width>\d*)(?:\.(?<precision>\d+))?(?<type>[svdqtfxX%])/g;

function formatted(format: string, args: readonly GoValue[]): string {
  const rest = args.values();
  return format.replace(verb, (...match) => {
    const groups: Readonly<Record<string, string>> = match.at(-1);
    const { minus, zero, width = '', precision, type = 'v' } = groups;
    if (type === '%') return '%';
    const text = verbText(type, rest.next().value ?? null, precision);
    const size = Number(width);
    return minus === '-' ? text.padEnd(size) : text.padStart(size, zero === '0' ? '0' : ' ');
  });
}

function verbText(type: string, value: GoValue, precision: string | undefined): string {
  if (type === 'q') return JSON.stringify(printed(value));
  if (type === 'f') return Number(value).toFixed(Number(precision ?? 6));
  if (type === 'x' || type === 'X') {
    const text = typeof value === 'number' ? value.toString(16) : Buffer.from(printed(value)).toString('hex');
    return type === 'X' ? text.toUpperCase() : text;
  }
  const text = printed(value);
  return precision === undefined ? text : text.slice(0, Number(precision));
}

function escapedHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '<': '&lt;',
    '>': '&gt;',
    '&': '&amp;',
    '"': '&#34;',
    "'": '&#39;',
  };
  return text.replace(/[<>&"']/g, (sign) => names[sign] ?? sign);
}
