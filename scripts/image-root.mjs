// Assembles the root file system of the controller image without a container engine, checks it and runs the
// controllers from it (ADR 0050). deploy/image/Dockerfile calls it too.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { megabytes, missingPage } from './distribution.mjs';
import { provideOtherNode } from './other-node.mjs';
import { ensureInstalled, fail, root } from './prepare.mjs';

const help = `npm run image -- [--directory DIRECTORY] [--arch ARCHITECTURE] [--sysroot DIRECTORY] [--node FILE]
                 [--commit COMMIT] [--assemble-only]

Assembles the root file system of the controller image, checks what is in it, runs the controllers from it until they
are ready, and prints size and start-up time. As root on Linux they run in it as user 65532 with a read-only root.

  --directory      where to write it; defaults to dist-image. An earlier image in it is replaced
  --arch           amd64 or arm64; defaults to that of this machine. For the other one, Node and libraries are downloaded
                   once per machine (on Debian), and the controllers are not run
  --sysroot        the file system to take shared libraries from; defaults to /
  --node           the Node to take; defaults to the one of the images, which is installed once per machine
  --commit         what the controllers name as their source; defaults to that of the checkout
  --assemble-only  check the files, but do not run them: they may be for another architecture
  --help           show this
`;

function options() {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean' });
  try {
    const { values } = parseArgs({
      options: {
        directory: text,
        arch: text,
        sysroot: text,
        node: text,
        commit: text,
        'assemble-only': flag,
        help: flag,
      },
    });
    return values;
  } catch (error) {
    return fail(`${error.message}; run npm run image -- --help`);
  }
}

async function main(chosen) {
  if (process.platform !== 'linux')
    fail('the image can be assembled on Linux only; build deploy/image/Dockerfile');
  ensureInstalled();
  const directory = resolve(chosen.directory ?? join(root, 'dist-image'));
  requireReplaceable(directory);
  const { assembleRoot } = await import('./image/root-files.mjs');
  const { isForeign, ...sources } = await sourcesOf(chosen);
  const built = await assembleRoot({
    directory,
    ...sources,
    ...(chosen.commit ? { commit: chosen.commit } : {}),
  });
  await check(directory);
  reportFiles(directory, built, await filesOf(directory));
  if (isForeign) console.log(`  not run: this machine is not ${built.architecture}`);
  else if (!chosen['assemble-only']) await tryOut(directory, built);
}

/** Where Node and its libraries come from. */
async function sourcesOf({ arch, sysroot, node }) {
  const { foreignArchitecture, ownArchitecture, provideForeignSysroot } = await import(
    './image/foreign-sysroot.mjs'
  );
  if (arch !== undefined && arch !== ownArchitecture && arch !== foreignArchitecture)
    fail(`the image is for amd64 and arm64, not for ${arch}; correct --arch`);
  if (arch === foreignArchitecture && (sysroot === undefined) !== (node === undefined))
    fail(`--arch ${arch} needs --sysroot and --node of that architecture, or neither`);
  const isForeign = arch === foreignArchitecture;
  if (isForeign && sysroot === undefined) {
    const root = await provideForeignSysroot();
    return { isForeign, sysroot: root, node: join(root, 'usr', 'local', 'bin', 'node') };
  }
  return {
    isForeign,
    sysroot: resolve(sysroot ?? '/'),
    node: node === undefined ? await provideOtherNode() : resolve(node),
  };
}

/** A mistyped --directory must not empty a directory of the user. */
function requireReplaceable(directory) {
  if (!existsSync(directory) || readdirSync(directory).length === 0) return;
  if (!existsSync(join(directory, 'app', 'controller.mjs')))
    fail(`${directory} is not empty and holds no image; name another --directory`);
}

async function filesOf(directory) {
  const { filesIn } = await import('./image/checks.mjs');
  return filesIn(directory).map((path) => ({ path, bytes: statSync(join(directory, path)).size }));
}

async function check(directory) {
  const { problemsOf } = await import('./image/checks.mjs');
  const problems = problemsOf(directory);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

function reportFiles(directory, { architecture, nodeVersion, commit }, files) {
  const size = (pattern) =>
    megabytes(files.filter(({ path }) => pattern.test(path)).reduce((sum, { bytes }) => sum + bytes, 0));
  const page = missingPage();
  console.log(`${directory}: ${size(/./)} in ${files.length} files for ${architecture}, commit ${commit}`);
  console.log(
    `  Node ${nodeVersion} ${size(/^usr\/local\/bin/)}, shared libraries ${size(/^(usr\/)?lib/)}, controllers ${size(/^app\/(?!page)/)}`,
  );
  console.log(page === undefined ? `  web page ${size(/^app\/page/)}` : `  ${page}`);
}

async function tryOut(directory, built) {
  const { entrypoint } = await import('./image/entrypoint.mjs');
  const { trialRun } = await import('./image/trial-run.mjs');
  const { isConfined, version, nodeVersion, readyAfterMs } = await trialRun(directory, entrypoint);
  if (version !== built.version || nodeVersion !== built.nodeVersion)
    throw new Error(
      `the image says ${version} on Node ${nodeVersion}, but /app/build-info.json says otherwise`,
    );
  const how = isConfined
    ? 'as user 65532 on a read-only root'
    : 'as this user, outside of the root (needs root)';
  console.log(`  ready after ${(readyAfterMs / 1000).toFixed(2)} s, run ${how}`);
}

const chosen = options();
if (chosen.help) process.stdout.write(help);
else await main(chosen).catch((error) => fail(`cannot assemble the image: ${error.message}`));
