const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const two = (value: number): string => String(value).padStart(2, '0');

const elements: Readonly<Record<string, (time: Date) => string>> = {
  '2006': (time) => String(time.getUTCFullYear()),
  '06': (time) => two(time.getUTCFullYear() % 100),
  January: (time) => months[time.getUTCMonth()] ?? '',
  Jan: (time) => (months[time.getUTCMonth()] ?? '').slice(0, 3),
  '01': (time) => two(time.getUTCMonth() + 1),
  Monday: (time) => days[time.getUTCDay()] ?? '',
  Mon: (time) => (days[time.getUTCDay()] ?? '').slice(0, 3),
  '02': (time) => two(time.getUTCDate()),
  '15': (time) => two(time.getUTCHours()),
  '03': (time) => two(time.getUTCHours() % 12 || 12),
  '04': (time) => two(time.getUTCMinutes()),
  '05': (time) => two(time.getUTCSeconds()),
  PM: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  MST: () => 'UTC',
  'Z07:00': () => 'Z',
  '-0700': () => '+0000',
};

const element = /2006|January|Jan|Monday|Mon|MST|Z07:00|-0700|PM|0[1-6]|15/g;

/** Formats a time by Go's reference layout, in UTC. */
export function goDate(layout: string, time: Date): string {
  return layout.replace(element, (name) => elements[name]?.(time) ?? name);
}
