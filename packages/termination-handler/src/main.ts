import { renderSettingsHelp } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { type AgentHost, runAgentProcess } from './agent-process.ts';
import { agentSettings, readAgentSettings } from './settings/index.ts';

const usage = `node-termination-handler [settings]

Watches the metadata service of the EC2 instance that it runs on, and cordons and drains the node before the instance is
interrupted. Every setting is a flag or an environment variable.

`;

/** Runs the agent as a program. Returns its exit code: 1 for a failure with an error code. */
export async function agentMain(
  args: readonly string[],
  host: AgentHost & { readonly writeError: (text: string) => void },
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    host.write(`${usage}${renderSettingsHelp(agentSettings)}\n`);
    return 0;
  }
  if (args.includes('--version')) {
    host.write(`${host.version}\n`);
    return 0;
  }
  try {
    const { settings, notices } = readAgentSettings(args, host.env);
    await runAgentProcess(settings, notices, host);
    return 0;
  } catch (error) {
    if (host.signal.aborted) return 0;
    if (!(error instanceof CodedError)) throw error;
    host.writeError(`node-termination-handler: ${error.message}\n`);
    return 1;
  }
}
