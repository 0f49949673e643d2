// Run after `npm install` has changed package-lock.json. A registry mirror may lack packages for platforms
// that it does not serve; npm then omits those optional packages from the lock file, and `npm ci` rejects it
// everywhere. This script adds them back, pinned to the version that their parent requires, with the integrity
// hash of the registry. It fails where the registry does not have the version: choose the newest version of the
// parent of which it has all packages.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const operatingSystems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = Object.values(lock.packages)
  .flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  )
  .filter(({ name }) => !(`node_modules/${name}` in lock.packages));

for (const { name, version, dev } of missing) {
  const words = name.split(/[/-]/);
  const cpu = words.filter((word) => processors.includes(word));
  const os = words.filter((word) => operatingSystems.includes(word));
  lock.packages[`node_modules/${name}`] = {
    version,
    ...(cpu.length === 0 ? {} : { cpu }),
    ...(dev ? { dev } : {}),
    optional: true,
    ...(os.length === 0 ? {} : { os }),
  };
}

/** Undefined where the registry does not have the version. */
function integrityOf(name, version) {
  const found = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' });
  return /sha512-\S+/.exec(found.stdout)?.[0];
}

const unverified = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path.startsWith('node_modules/') && !integrity && !link,
);
for (const [path, entry] of unverified) {
  const integrity = integrityOf(path.slice('node_modules/'.length), entry.version);
  if (integrity !== undefined) lock.packages[path] = { version: entry.version, integrity, ...entry };
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
const unknown = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path.startsWith('node_modules/') && !integrity && !link,
);
if (unknown.length > 0) {
  const names = unknown.map(([path, { version }]) => `${path.slice('node_modules/'.length)}@${version}`);
  console.error(`the registry has no integrity hash for ${names.join(', ')}`);
  process.exitCode = 1;
}
console.log(
  `${missing.length} optional packages written back: ${missing.map(({ name }) => name).join(', ')}`,
);
