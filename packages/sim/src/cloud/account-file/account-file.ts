import { join } from 'node:path';
import { CodedError, fileReason } from '@karpenter/core/errors';
import {
  checkedJson,
  checkedLine,
  type FileSystem,
  nodeFileSystem,
  partSuffix,
  systemCode,
  writeFileAtomically,
} from '../../durable-files/index.ts';
import { AccountWriter, readAccount } from './account-lines.ts';
import type { SavedAccount } from './saved-account.ts';

export interface AccountFileOptions {
  /** The data directory of the cluster. */
  readonly directory: string;
  readonly clusterName: string;
  /** Moves a damaged file aside and starts with a new account instead of failing. */
  readonly repair?: boolean;
  /** Defaults to the real file system. */
  readonly files?: FileSystem;
}

interface Header {
  readonly format: string;
  readonly version: number;
  readonly clusterName: string;
}

const fileName = 'simulated-account.jsonl';
const format = 'karpenter-simulated-account';
const version = 1;

/** The file that holds the simulated account, in the data directory beside the objects of the cluster. */
export class AccountFile {
  readonly path: string;
  /** The account that `read` found; undefined for a new data directory and for a damaged file. */
  readonly saved: SavedAccount | undefined;
  readonly #options: AccountFileOptions;
  readonly #writer = new AccountWriter();
  readonly #isDamaged: boolean;

  private constructor(options: AccountFileOptions, read: { saved?: SavedAccount; isDamaged: boolean }) {
    this.path = join(options.directory, fileName);
    this.saved = read.saved;
    this.#isDamaged = read.isDamaged;
    this.#options = options;
  }

  /**
   * Reads the file and changes nothing on disk. Throws a CodedError if the file belongs to another cluster,
   * has another format version, or is damaged and `repair` is off.
   */
  static async read(options: AccountFileOptions): Promise<AccountFile> {
    const path = join(options.directory, fileName);
    const text = await textIn(path, options.files ?? nodeFileSystem);
    if (text === undefined) return new AccountFile(options, { isDamaged: false });
    // Check the owner before the content: `repair` must not move aside the file of another cluster.
    const header = headerOf(text);
    if (header !== undefined) checkHeader(header, path, options.clusterName);
    const saved = header === undefined ? undefined : readAccount(text.slice(text.indexOf('\n') + 1));
    if (saved === undefined && options.repair !== true) throw damaged(path);
    return new AccountFile(options, { isDamaged: saved === undefined, ...(saved && { saved }) });
  }

  /**
   * Removes temporary files of writes that never finished and moves a damaged file aside. Returns the
   * sentence to report if it moved one.
   */
  async prepare(now: number): Promise<string | undefined> {
    const { directory, files = nodeFileSystem } = this.#options;
    for (const name of await files.list(directory)) {
      const isPart = name.startsWith(`${fileName}.`) && name.endsWith(partSuffix);
      if (isPart) await files.remove(join(directory, name));
    }
    if (!this.#isDamaged) return undefined;
    const aside = `${this.path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
    await files.rename(this.path, aside);
    await files.syncDirectory(directory);
    return `the simulated account in ${this.path} was damaged and is now in ${aside}; a new account begins`;
  }

  /** Replaces the file. Resolves once the new content would survive a loss of power. */
  async write(account: SavedAccount): Promise<void> {
    const header: Header = { format, version, clusterName: this.#options.clusterName };
    const text = checkedLine(JSON.stringify(header)) + this.#writer.textOf(account);
    await writeFileAtomically(this.path, text, this.#options.files);
  }
}

async function textIn(path: string, files: FileSystem): Promise<string | undefined> {
  try {
    return (await files.read(path)).toString('utf8');
  } catch (error) {
    // A missing directory is not an error here: the API server creates it, or reports why it cannot.
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CodedError(
      'unreadable-file',
      `cannot read the simulated account in ${path}: ${fileReason(error, 'read')}; make it readable or choose another --data-dir`,
      { details: { file: path }, cause: error },
    );
  }
}

function headerOf(text: string): Header | undefined {
  const json = checkedJson(text.slice(0, text.indexOf('\n')));
  if (json === undefined) return undefined;
  const header: Header = JSON.parse(json);
  return header.format === format ? header : undefined;
}

function checkHeader(header: Header, path: string, clusterName: string): void {
  if (header.clusterName !== clusterName) {
    throw new CodedError(
      'other-cluster',
      `the data directory belongs to the cluster ${header.clusterName}, not to ${clusterName}; use --cluster-name ${header.clusterName} or choose another --data-dir`,
      { details: { file: path } },
    );
  }
  if (header.version === version) return;
  throw new CodedError(
    'damaged-data-directory',
    `cannot read the simulated account in ${path}: it has format version ${header.version} and this release reads version ${version}; use the release that wrote it or choose another --data-dir`,
    { details: { file: path } },
  );
}

function damaged(path: string): CodedError {
  return new CodedError(
    'damaged-data-directory',
    `cannot read the simulated account in ${path}: the file is damaged; restore it, start with --repair to begin with a new account, or choose another --data-dir`,
    { details: { file: path } },
  );
}
