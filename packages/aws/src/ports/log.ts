export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Where the provider tells what it does: a constant message, and fields that differ. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
