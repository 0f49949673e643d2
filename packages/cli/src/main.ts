import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { StartSimulatedRun } from './commands/controller.ts';
import { addHelpCommand } from './help-command.ts';
import { newProgram, runProgram } from './program.ts';
import { stopSignal } from './stop-signals.ts';
import { type Terminal, terminalOf } from './terminal.ts';

/** Runs one command line of `karpenter` and returns its exit code. Help shows the program under the given name. */
export async function main(
  args: readonly string[],
  terminal: Terminal = terminalOf(process),
  name = 'karpenter',
): Promise<number> {
  const program = newProgram(name, terminal).description(
    'The node autoscaler for Kubernetes on AWS, and the tools around it.',
  );
  for (const add of commandsFor(args)) await add(program, terminal);
  addHelpCommand(program);
  return runProgram(program, await goStyle(args), terminal);
}

/** `view` takes flags with one dash too, as eks-node-viewer does. */
async function goStyle(args: readonly string[]): Promise<readonly string[]> {
  if (args[0] !== 'view') return args;
  const { viewFlagNames } = await import('./commands/view.ts');
  const { withDoubleDashes } = await import('./view/index.ts');
  return withDoubleDashes(args, viewFlagNames);
}

type AddCommand = (program: Command, terminal: Terminal) => Promise<void>;

const readStdin = () => text(process.stdin);

/** In the order of the help. Each is imported when it is needed: `simulate` must not wait for the controllers to load. */
const commands: Readonly<Record<string, AddCommand>> = {
  completion: async (program, terminal) => {
    const { addCompletionCommand } = await import('./commands/completion.ts');
    addCompletionCommand(program, terminal);
  },
  controller: async (program, terminal) => {
    const { addControllerCommand } = await import('./commands/controller.ts');
    addControllerCommand(program, terminal, { stopRequest: stopSignal, startSimulatedRun });
  },
  convert: async (program, terminal) => {
    const { addConvertCommand } = await import('./commands/convert.ts');
    addConvertCommand(program, terminal, readStdin);
  },
  cost: async (program, terminal) => {
    const { addCostCommand } = await import('./commands/cost.ts');
    const { systemClock } = await import('@karpenter/kube/runtime');
    addCostCommand(program, terminal, systemClock);
  },
  crds: async (program, terminal) => {
    const { addCrdsCommand } = await import('./commands/crds.ts');
    addCrdsCommand(program, terminal);
  },
  dev: async (program, terminal) => {
    const { addDevCommand } = await import('./commands/dev.ts');
    const { pageDirectory } = await import('./page-server/index.ts');
    addDevCommand(program, terminal, { stopRequest: stopSignal, pageDirectory });
  },
  explain: async (program, terminal) => {
    const { addExplainCommand } = await import('./commands/explain.ts');
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    addExplainCommand(program, terminal, { clock, env: process.env });
  },
  faults: async (program, terminal) => {
    const { addFaultsCommand } = await import('./commands/faults.ts');
    const { systemClock } = await import('@karpenter/kube/runtime');
    addFaultsCommand(program, terminal, { clock: systemClock, readStdin });
  },
  'instance-types': async (program, terminal) => {
    const { addInstanceTypesCommand } = await import('./commands/instance-types.ts');
    addInstanceTypesCommand(program, terminal, readStdin);
  },
  lint: async (program, terminal) => {
    const { addLintCommand } = await import('./commands/lint.ts');
    const objectCheck = async () => (await import('@karpenter/sim/object-checks')).creationProblem;
    addLintCommand(program, terminal, { readStdin, now: () => Date.now(), objectCheck });
  },
  migrate: async (program, terminal) => {
    const { accountOfAws, addMigrateCommand } = await import('./commands/migrate.ts');
    const { simulateWiring } = await import('./simulate-wiring.ts');
    const { systemClock } = await import('@karpenter/kube/runtime');
    addMigrateCommand(program, terminal, {
      accountOf: accountOfAws,
      clock: systemClock,
      planning: simulateWiring,
      readStdin,
      stopRequest: stopSignal,
    });
  },
  preflight: async (program, terminal) => {
    const { addPreflightCommand } = await import('./commands/preflight.ts');
    addPreflightCommand(program, terminal);
  },
  render: async (program, terminal) => {
    const { addRenderCommand } = await import('./commands/render.ts');
    addRenderCommand(program, terminal, readStdin);
  },
  replay: async (program, terminal) => {
    const { addReplayCommand } = await import('./commands/replay.ts');
    addReplayCommand(program, terminal, readStdin);
  },
  simulate: async (program, terminal) => {
    const { addSimulateCommand } = await import('./commands/simulate.ts');
    const { simulateWiring } = await import('./simulate-wiring.ts');
    addSimulateCommand(program, terminal, { ...simulateWiring, readStdin });
  },
  ui: async (program, terminal) => {
    const { addUiCommand } = await import('./commands/ui.ts');
    const { pageDirectory } = await import('./page-server/index.ts');
    const { systemClock } = await import('@karpenter/kube/runtime');
    addUiCommand(program, terminal, { clock: systemClock, stopRequest: stopSignal, pageDirectory });
  },
  version: async (program, terminal) => {
    const { addVersionCommand } = await import('./commands/version.ts');
    addVersionCommand(program, terminal);
  },
  view: async (program, terminal) => {
    const { addViewCommand } = await import('./commands/view.ts');
    const { processTerminal } = await import('./view/index.ts');
    const { systemClock } = await import('@karpenter/kube/runtime');
    const screen = () => processTerminal(process);
    addViewCommand(program, terminal, { clock: systemClock, stopRequest: stopSignal, screen });
  },
};

/** The named command alone, none for the version, and all of them for help, for completion and for unknown names. */
function commandsFor([first = '']: readonly string[]): readonly AddCommand[] {
  if (first === '-V' || first === '--version') return [];
  const named = first !== 'completion' && Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

const startSimulatedRun: StartSimulatedRun = async (options) => {
  const simulated = await import('./simulated-account/index.ts');
  return simulated.startSimulatedRun(options);
};
