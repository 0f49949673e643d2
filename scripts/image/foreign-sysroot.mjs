// What the image of another architecture is assembled from: its Node, from npm, and its shared libraries, from Debian.
// Once per machine, into the user's cache directory. Nothing of it runs, so no emulator and no container engine is needed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canRun } from '../apt-packages.mjs';
import { buildOnce, cacheDirectory } from '../go-programs.mjs';
import { nodeVersion } from '../other-node.mjs';

const libraries = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** The architecture of this machine, in Debian's words. */
export const ownArchitecture = process.arch === 'x64' ? 'amd64' : process.arch;
/** The other architecture that the image is for. */
export const foreignArchitecture = ownArchitecture === 'amd64' ? 'arm64' : 'amd64';

/** @returns {{ path: string, exists: boolean, canBeProvided: boolean }} the root file system of the other architecture */
export function foreignSysroot() {
  const path = join(cacheDirectory(), `sysroot-${foreignArchitecture}-node-${nodeVersion}`);
  return { path, exists: existsSync(path), canBeProvided: isDebian() && canRun('apt-get') };
}

/** Others have packages of other architectures elsewhere, or none. */
function isDebian() {
  const release = '/etc/os-release';
  return existsSync(release) && /^ID="?debian"?$/m.test(readFileSync(release, 'utf8'));
}

/** @returns {Promise<string>} the directory */
export async function provideForeignSysroot() {
  const { path, exists, canBeProvided } = foreignSysroot();
  if (exists) return path;
  if (!canBeProvided)
    throw new Error(
      `libraries for ${foreignArchitecture} come from Debian, and this is another system; name --sysroot and --node`,
    );
  await buildOnce(path, async (unfinished) => {
    mkdirSync(unfinished);
    addNode(unfinished);
    addLibraries(unfinished);
    rmSync(join(unfinished, 'tmp'), { recursive: true });
  });
  return path;
}

/** The files of the npm package, where the base image has them. */
function addNode(sysroot) {
  const work = join(sysroot, 'tmp', 'node');
  mkdirSync(work, { recursive: true });
  const name = `node-linux-${foreignArchitecture === 'amd64' ? 'x64' : foreignArchitecture}@${nodeVersion}`;
  run('npm', ['pack', '--silent', name], work);
  run('tar', ['-xzf', ...readdirSync(work)], work);
  cpSync(join(work, 'package'), join(sysroot, 'usr', 'local'), { recursive: true });
}

function addLibraries(sysroot) {
  const work = join(sysroot, 'tmp', 'packages');
  mkdirSync(join(work, 'lists', 'partial'), { recursive: true });
  const apt = [...aptOptions(work), '--quiet=2'];
  run('apt-get', [...apt, 'update'], work);
  run('apt-get', [...apt, 'download', ...libraries], work);
  // Its package has the licence of the other two; the name has the version of the compiler.
  const [base] = /gcc-\d+-base/.exec(field(join(work, archiveOf(work, 'libgcc-s1')), 'Depends')) ?? [];
  if (base !== undefined) run('apt-get', [...apt, 'download', base], work);
  for (const archive of archivesIn(work)) unpack(sysroot, join(work, archive));
}

/** Directories of its own, so that neither root nor a change of this machine is needed. */
function aptOptions(work) {
  const options = {
    'APT::Architecture': foreignArchitecture,
    'APT::Architectures': foreignArchitecture,
    'Dir::State::lists': join(work, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': work,
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

const archivesIn = (work) => readdirSync(work).filter((file) => file.endsWith('.deb'));
const archiveOf = (work, name) => archivesIn(work).find((file) => file.startsWith(`${name}_`)) ?? '';
const field = (archive, name) => run('dpkg-deb', ['--field', archive, name], '/').trim();

/** Unpacks the files and records them as dpkg does; the scripts of the package would need the other architecture. */
function unpack(sysroot, archive) {
  run('dpkg-deb', ['--extract', archive, sysroot], '/');
  const name = field(archive, 'Package');
  const database = join(sysroot, 'var', 'lib', 'dpkg');
  mkdirSync(join(database, 'info'), { recursive: true });
  const listed = run('dpkg-deb', ['--contents', archive], '/').matchAll(/ \.(\/\S*?)\/?(?: -> .*)?$/gm);
  writeFileSync(
    join(database, 'info', `${name}.list`),
    `${[...listed].map(([, path]) => path).join('\n')}\n`,
  );
  const entry = `Package: ${name}\nVersion: ${field(archive, 'Version')}\n\n`;
  writeFileSync(join(database, 'status'), entry, { flag: 'a' });
}

function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.at(-1)} failed: ${stderr?.trim() || error}`);
}
