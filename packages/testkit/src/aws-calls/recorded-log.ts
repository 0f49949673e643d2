type Fields = Readonly<Record<string, string | number | boolean>>;

/** Records log lines as `level message`. */
export class RecordedLogText {
  readonly lines: string[] = [];
  readonly fields: (Fields | undefined)[] = [];

  debug(message: string, fields?: Fields): void {
    this.#keep('debug', message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#keep('info', message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#keep('error', message, fields);
  }

  #keep(level: string, message: string, fields: Fields | undefined): void {
    this.lines.push(`${level} ${message}`);
    this.fields.push(fields);
  }
}
