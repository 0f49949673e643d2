/** Values of log fields: anything that JSON can represent. */
type LogValue =
  | string
  | number
  | boolean
  | readonly LogValue[]
  | { readonly [key: string]: LogValue | undefined };

export type LogFields = Readonly<Record<string, LogValue | undefined>>;

/** Structured log: a constant message and variable fields. Undefined fields are left out. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
