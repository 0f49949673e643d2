import type { ImageSystem } from '../../world/image.ts';
import { readBootstrapScript } from './bootstrap-script.ts';
import { readBottlerocketSettings } from './bottlerocket-settings.ts';
import { type JoinRequest, UnusableUserData } from './join-request.ts';
import { readNodeConfig } from './node-config.ts';
import { readWindowsScript } from './windows-script.ts';

const readers: Readonly<Record<Exclude<ImageSystem, 'other'>, (text: string) => JoinRequest>> = {
  al2: readBootstrapScript,
  al2023: readNodeConfig,
  bottlerocket: readBottlerocketSettings,
  windows: readWindowsScript,
};

/**
 * Parses user data in the format of the operating system. A custom image may use any format, so all are
 * tried. Throws UnusableUserData if the instance could not join with it.
 */
export function readUserData(system: ImageSystem, base64: string): JoinRequest {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  if (text.trim() === '') throw new UnusableUserData('there is no user data');
  return system === 'other' ? readAny(text) : readers[system](text);
}

function readAny(text: string): JoinRequest {
  for (const read of Object.values(readers)) {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UnusableUserData)) throw error;
    }
  }
  throw new UnusableUserData('the user data is of no known form');
}
