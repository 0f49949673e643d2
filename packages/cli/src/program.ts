import { CodedError } from '@karpenter/core/errors';
import { Command, CommanderError } from 'commander';
import { untranslatedFileError } from './file-errors.ts';
import { helpText } from './help-text.ts';
import { type Terminal, widthOf } from './terminal.ts';
import { version } from './version.ts';

/** A command line without commands yet, which writes to the terminal and throws instead of exiting. */
export function newProgram(name: string, terminal: Terminal): Command {
  return new Command(name)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(helpText(text, helpWidth(terminal))),
      getOutHelpWidth: () => helpWidth(terminal),
      getErrHelpWidth: () => helpWidth(terminal),
      writeErr: terminal.err,
      outputError: (text, write) => write(text.replace(/^error: /, 'karpenter: ')),
    });
}

/** For pipes: the width for which the texts after the options are written. */
const usualHelpWidth = 120;

function helpWidth(terminal: Terminal): number {
  return widthOf(terminal) ?? usualHelpWidth;
}

/**
 * Runs one command line and returns its exit code: 0 for success, 1 for a failure with an error code, 2 for a usage
 * error. Errors without a code are bugs; they propagate, so that the stack trace is not lost.
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
}

/** Commander has already printed its own errors; help and version end with a CommanderError of exit code 0. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const failure = error instanceof CodedError ? error : untranslatedFileError(error);
  if (failure === undefined) throw error;
  terminal.err(`karpenter: ${failure.message}\n`);
  return 1;
}
