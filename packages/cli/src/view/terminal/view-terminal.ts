import type { ScreenSize } from '../screen/frame.ts';

/** The terminal of the user, as a session needs it. */
export interface ViewTerminal {
  readonly size: () => ScreenSize;
  readonly write: (text: string) => void;
  /** Whether the terminal has not taken the last frame yet. */
  readonly isBusy: () => boolean;
  /** Switches line editing and echo off; keys then arrive one by one. */
  readonly setRaw: (isRaw: boolean) => void;
  readonly onInput: (listener: (text: string) => void) => () => void;
  readonly onResize: (listener: () => void) => () => void;
  /** Called before the process ends by an error or by `process.exit`. */
  readonly onCrash: (listener: () => void) => () => void;
}

/** Undefined where nobody could see a screen: output to a pipe, input from one, or a terminal without cursor. */
export function processTerminal(process: NodeJS.Process): ViewTerminal | undefined {
  const { stdin, stdout, env } = process;
  if (!stdin.isTTY || !stdout.isTTY || env['TERM'] === 'dumb') return undefined;
  return {
    // A terminal that does not know its size reports 0.
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    write: (text) => void stdout.write(text),
    isBusy: () => stdout.writableNeedDrain,
    setRaw: (isRaw) => void stdin.setRawMode(isRaw),
    onInput: (listener) => onInput(stdin, listener),
    onResize: (listener) => subscribed(stdout, ['resize'], listener),
    onCrash: (listener) => subscribed(process, ['uncaughtExceptionMonitor', 'exit'], listener),
  };
}

function onInput(stdin: NodeJS.ReadStream, listener: (text: string) => void): () => void {
  const read = (chunk: Buffer | string) => listener(chunk.toString());
  stdin.on('data', read);
  stdin.resume();
  return () => {
    stdin.off('data', read);
    stdin.pause();
  };
}

function subscribed(
  emitter: NodeJS.EventEmitter,
  events: readonly string[],
  listener: () => void,
): () => void {
  for (const event of events) emitter.on(event, listener);
  return () => {
    for (const event of events) emitter.off(event, listener);
  };
}
