import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/promtool.mjs', import.meta.url));

/** Runs the promtool that `npm run promtool` built. Rejects with its output if it fails. */
export async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout: binary } = await run(process.execPath, [script, '--path']);
  const { stdout } = await run(binary.trim(), [...args]);
  return stdout;
}

/** Runs one unit test of rules. JSON is valid YAML, which promtool reads. */
export async function testRules(test: object): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'karpenter-rules-'));
  const file = join(directory, 'test.yaml');
  try {
    await writeFile(file, JSON.stringify(test));
    return await promtool('test', 'rules', file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
