import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/package.mjs', import.meta.url));

/** Packs the command line; returns the path of the archive. */
export async function packArchive(directory: string): Promise<string> {
  const { stdout } = await run(process.execPath, [script, '--directory', directory]);
  return stdout.slice(0, stdout.indexOf(': '));
}

/** The package, installed in a directory of its own, with one version of Node. */
export class InstalledPackage {
  readonly directory: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(directory: string, node: string) {
    this.directory = directory;
    this.#env = environment(directory, node);
  }

  static async install(archive: string, directory: string, node: string): Promise<InstalledPackage> {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
    const installed = new InstalledPackage(directory, node);
    await installed.command('npm', 'install', '--offline', '--no-audit', '--no-fund', archive);
    return installed;
  }

  /** Runs a program of the package as `npx` does, and returns what it prints. */
  npx(...args: readonly string[]): Promise<string> {
    return this.command('npx', '--offline', ...args);
  }

  async command(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: this.directory, env: this.#env, maxBuffer: 2 ** 26 };
    return (await run(program, args, options)).stdout;
  }

  /** Runs until it has printed the text, then ends it with SIGTERM; returns what it printed and its exit code. */
  async until(text: string, ...args: readonly string[]): Promise<{ printed: string; code: number }> {
    const options: SpawnOptions = {
      cwd: this.directory,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    };
    const child = spawn(join(this.directory, 'node_modules', '.bin', 'karpenter'), args, options);
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      const wasPrinted = printed.includes(text);
      printed += chunk;
      if (!wasPrinted && printed.includes(text)) child.kill('SIGTERM');
    });
    const [code] = await once(child, 'close');
    return { printed, code };
  }
}

/** Nothing of the npm that runs the tests, which would point to this checkout. */
function environment(directory: string, node: string): NodeJS.ProcessEnv {
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  return { PATH: path, HOME: directory, npm_config_cache: join(directory, '.npm') };
}
