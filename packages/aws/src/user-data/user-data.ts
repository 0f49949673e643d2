import type { AmiFamilyName } from '../ami-family/index.ts';
import { amazonLinux2UserData } from './amazon-linux-2.ts';
import { amazonLinux2023UserData } from './amazon-linux-2023.ts';
import type { Bootstrap, UserDataFormats } from './bootstrap.ts';
import { bottlerocketUserData } from './bottlerocket.ts';
import type { UnknownSetting } from './bottlerocket-settings.ts';
import { windowsUserData } from './windows.ts';

const formats: UserDataFormats = {
  AL2: amazonLinux2UserData,
  AL2023: amazonLinux2023UserData,
  Bottlerocket: bottlerocketUserData,
  Custom: ({ customUserData = '' }) => customUserData,
  Windows2019: windowsUserData,
  Windows2022: windowsUserData,
  Windows2025: windowsUserData,
};

/**
 * Renders the user data of an AMI family, not base64-encoded. Removes carriage returns from custom user data,
 * which editors on Windows write and shells and cloud-init do not accept.
 * Throws a CodedError for invalid custom user data.
 */
export function userDataFor(family: AmiFamilyName, bootstrap: Bootstrap, onUnknown?: UnknownSetting): string {
  const customUserData = bootstrap.customUserData?.replaceAll('\r', '');
  return formats[family]({ ...bootstrap, customUserData }, onUnknown);
}
