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
  /** `facts` are for readers of a terminal; JSON lines leave them out, because they have exactly Karpenter's fields. */
  info(message: string, fields?: LogFields, facts?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
