// Assembles the root file system of the controller image: Node with its shared libraries, the bundled controllers and
// termination handler, and what says where they come from. The last stage of deploy/image/Dockerfile is this directory
// and nothing else.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleProgram, currentCommit, rootManifest } from '../distribution.mjs';
import { root as checkout } from '../prepare.mjs';
import { debianPackages } from './debian-packages.mjs';
import { readElf } from './elf.mjs';
import { billOfMaterials } from './sbom.mjs';
import { sharedLibraries } from './shared-libraries.mjs';

/** Also in the charts: the pod runs as this user and group. */
export const userId = 65532;

/** Where container runtimes mount; a read-only root file system must have the directories. */
const mountPoints = ['dev', 'proc', 'sys', 'tmp'];
const home = 'home/nonroot';
/** Also in the chart of the termination handler, which runs it from this directory of /app. */
const agent = 'node-termination-handler';

/**
 * @param {object} options
 * @param {string} options.directory where to write; emptied first
 * @param {string} options.sysroot the root file system that has the libraries
 * @param {string} options.node the program, by its path on this machine
 * @param {string} [options.commit] defaults to that of the checkout
 */
export async function assembleRoot({ directory, sysroot, node, commit = currentCommit() }) {
  rmSync(directory, { recursive: true, force: true });
  const { packages } = await bundleProgram({ name: 'controller', directory: join(directory, 'app'), commit });
  const handler = join(directory, 'app', agent);
  const { packages: handlerPackages } = await bundleProgram({ name: agent, directory: handler, commit });
  removeUnused(join(directory, 'app'));
  const libraries = sharedLibraries(sysroot, node);
  for (const [path, file] of [['/usr/local/bin/node', node], ...libraries])
    copy(file, join(directory, path), 0o755);
  const debian = debianPackages(sysroot, [...libraries.keys()]);
  copyLicences({ directory, node, debian });
  const { version } = rootManifest();
  const built = {
    version,
    commit,
    nodeVersion: nodeVersionOf(node),
    architecture: readElf(node).architecture,
  };
  writeJson(join(directory, 'app', 'build-info.json'), built);
  writeJson(
    join(directory, 'app', 'sbom.cdx.json'),
    billOfMaterials({ ...built, packages: [...new Set([...packages, ...handlerPackages])].sort(), debian }),
  );
  writeSystemFiles(directory);
  normalizeModes(directory);
  return built;
}

/** The image has no shell for the launcher, and source maps would be three quarters of the code. */
function removeUnused(app) {
  rmSync(join(app, 'controller'));
  rmSync(join(app, agent, agent));
  for (const path of readdirSync(app, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.map')) rmSync(join(app, path));
}

function copyLicences({ directory, node, debian }) {
  copy(join(checkout, 'LICENSE'), join(directory, 'app', 'LICENSE'));
  const docs = join(directory, 'usr', 'share', 'doc');
  copy(join(dirname(dirname(node)), 'LICENSE'), join(docs, 'node', 'LICENSE'));
  for (const { name, copyright } of debian)
    if (copyright !== undefined) copy(copyright, join(docs, name, 'copyright'));
}

function writeSystemFiles(directory) {
  for (const path of [...mountPoints, home, 'etc']) mkdirSync(join(directory, path), { recursive: true });
  const users = `root:x:0:0:root:/:/sbin/nologin\nnonroot:x:${userId}:${userId}:nonroot:/${home}:/sbin/nologin\n`;
  writeFileSync(join(directory, 'etc', 'passwd'), users);
  writeFileSync(join(directory, 'etc', 'group'), `root:x:0:\nnonroot:x:${userId}:\n`);
}

/** From the header beside the program, because the program may be for another architecture. */
function nodeVersionOf(node) {
  const header = join(dirname(dirname(node)), 'include', 'node', 'node_version.h');
  const text = readFileSync(header, 'utf8');
  const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  return [part('MAJOR'), part('MINOR'), part('PATCH')].join('.');
}

function copy(from, to, mode = 0o644) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
  chmodSync(to, mode);
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Whatever the umask of the user is, the user of the image reads everything and owns nothing. */
function normalizeModes(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isProgram = /\/usr\/local\/bin\/node$|\.so(\.\d+)*$/.test(path);
    chmodSync(path, entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
  chmodSync(join(directory, 'tmp'), 0o1777);
}
