import type { english } from './english.ts';

export type MessageKey = keyof typeof english;

/** Values for the placeholders of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Puts values in the place of `{name}`. A value that is missing stays visible as its name. */
export function fillMessage(template: string, values: MessageValues = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
