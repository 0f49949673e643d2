import { addFaultsCommand, newProgram, runProgram } from '@karpenter/cli/embedded';
import { systemClock } from '@karpenter/kube/runtime';
import { expect } from 'vitest';

/** Runs `karpenter faults` on a cluster and expects it to succeed. */
export async function faultsCommand(kubeconfig: string, args: readonly string[]): Promise<void> {
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const terminal = { out: write, err: write };
  const program = newProgram('karpenter', terminal);
  addFaultsCommand(program, terminal, { clock: systemClock, readStdin: async () => '' });
  const status = await runProgram(program, ['faults', '--kubeconfig', kubeconfig, ...args], terminal);
  expect(status, printed).toBe(0);
}
