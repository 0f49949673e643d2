import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CodedError } from '@karpenter/core/errors';
import { plan } from '@karpenter/core/scheduling';
import { systemClock } from '@karpenter/kube/runtime';
import { Command, CommanderError } from 'commander';
import { addControllerCommand } from './commands/controller.ts';
import { addCostCommand } from './commands/cost.ts';
import { addCrdsCommand } from './commands/crds.ts';
import { addDevCommand } from './commands/dev.ts';
import { addFaultsCommand } from './commands/faults.ts';
import { addInstanceTypesCommand } from './commands/instance-types.ts';
import { addRenderCommand } from './commands/render.ts';
import { addSimulateCommand, type SimulateWiring } from './commands/simulate.ts';
import { addViewCommand, viewFlagNames } from './commands/view.ts';
import { catalogueInstanceTypes } from './instance-types/index.ts';
import { type Terminal, terminalOf } from './terminal.ts';
import { version } from './version.ts';
import { processTerminal, withDoubleDashes } from './view/index.ts';

/**
 * Runs one command line and returns its exit code: 0 for success, 1 for a failure with an error code, 2 for a usage
 * error. Errors without a code are bugs; they propagate, so that the stack trace is not lost.
 */
export async function main(
  args: readonly string[],
  terminal: Terminal = terminalOf(process),
): Promise<number> {
  const program = programFor(terminal);
  try {
    await program.parseAsync([...goStyle(args)], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
}

/** `view` takes flags with one dash too, as eks-node-viewer does. */
function goStyle(args: readonly string[]): readonly string[] {
  return args[0] === 'view' ? withDoubleDashes(args, viewFlagNames) : args;
}

const simulateWiring: SimulateWiring = {
  plan,
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  instanceTypes: catalogueInstanceTypes,
  readStdin: () => text(process.stdin),
};

/**
 * Resolves on SIGINT or SIGTERM. Each listener fires once, so a second Ctrl-C gets Node's default handling and ends
 * the process at once, even while the first one still shuts things down.
 */
function interruption(): Promise<unknown> {
  return Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal)));
}

function programFor(terminal: Terminal): Command {
  const program = new Command('karpenter')
    .description('The node autoscaler for Kubernetes on AWS, and the tools around it.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => write(text.replace(/^error: /, 'karpenter: ')),
    });
  addControllerCommand(program, terminal, interruption);
  addCostCommand(program, terminal, systemClock);
  addCrdsCommand(program, terminal);
  addDevCommand(program, terminal, interruption);
  addFaultsCommand(program, terminal);
  addInstanceTypesCommand(program, terminal, simulateWiring.readStdin);
  addRenderCommand(program, terminal, simulateWiring.readStdin);
  addSimulateCommand(program, terminal, simulateWiring);
  addViewCommand(program, terminal, {
    clock: systemClock,
    stopRequest: interruption,
    screen: () => processTerminal(process),
  });
  return program;
}

/** Commander has already printed its own errors; help and version end with a CommanderError of exit code 0. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof CodedError)) throw error;
  terminal.err(`karpenter: ${error.message}\n`);
  return 1;
}
