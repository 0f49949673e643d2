/** What a log line may carry: anything that JSON can say. */
export type LogValue =
  | string
  | number
  | boolean
  | readonly LogValue[]
  | { readonly [key: string]: LogValue | undefined };

export type LogFields = Readonly<Record<string, LogValue | undefined>>;

/** Where people are told what is done: a constant message, and fields that differ. Fields that are undefined are left out. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
