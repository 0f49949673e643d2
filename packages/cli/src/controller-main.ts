import { defineController } from './commands/controller.ts';
import { newProgram, runProgram } from './program.ts';
import { stopSignal } from './stop-signals.ts';
import { type Terminal, terminalOf } from './terminal.ts';

/** Runs `karpenter controller` as a program of its own, which has no simulated cloud. Returns its exit code. */
export async function controllerMain(
  args: readonly string[],
  terminal: Terminal = terminalOf(process),
): Promise<number> {
  const program = newProgram('controller', terminal);
  defineController(program, terminal, { stopRequest: stopSignal });
  return runProgram(program, args, terminal);
}
