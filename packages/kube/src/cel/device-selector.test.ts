import { describe, expect, it } from 'vitest';
import { readDeviceSelector } from './device-selector.ts';

const gpu = {
  driver: 'gpu.example.com',
  attributes: {
    model: { string: 'a100' },
    index: { int: 3 },
    healthy: { bool: true },
    driverVersion: { version: '1.10.2' },
    links: { strings: ['nvlink', 'pcie'] },
    'pci.example.com/root': { string: 'r0' },
  },
  capacity: { memory: { value: '40Gi' } },
};
const own = 'device.attributes["gpu.example.com"]';

describe('a device selector', () => {
  it.each([
    'device.driver == "gpu.example.com"',
    `${own}.model == 'a100'`,
    `${own}.index > 2 && ${own}.healthy`,
    'device.attributes["pci.example.com"].root.startsWith("r")',
    'device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("39Gi"))',
    'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) == 0',
    'device.capacity["gpu.example.com"].memory == quantity("40960Mi")',
    `${own}.driverVersion.isGreaterThan(semver('1.9.0'))`,
    `${own}.driverVersion.compareTo(semver('1.10.2')) == 0 && ${own}.driverVersion.major() == 1`,
    `${own}.driverVersion == semver('1.10.2+build')`,
    `semver('1.0.0-rc.1').isLessThan(semver('1.0.0')) && !isSemver('1.0')`,
    "semver('v1.01', true) == semver('1.1.0')",
    `cel.bind(gpu, ${own}, gpu.model == 'a100' && gpu.index == 3)`,
    `'nvlink' in ${own}.links`,
    `has(${own}.model) && !has(${own}.color)`,
    '!has(device.attributes["other.example.com"].model)',
    '"gpu.example.com" in device.attributes && !("other.example.com" in device.attributes)',
    '!device.allowMultipleAllocations',
    `${own}.model in ['h100', 'a100']`,
  ])('matches: %s', (expression) => {
    expect(readDeviceSelector(expression)(gpu)).toBe(true);
  });

  it('does not match other devices', () => {
    const selector = readDeviceSelector(`${own}.model == 'h100'`);
    expect(selector(gpu)).toBe(false);
  });

  it.each([
    [`${own}.color == 'red'`, 'CEL runtime error: no such key: color'],
    ['device.attributes["other.example.com"].model == "x"', 'CEL runtime error: no such key: model'],
    [`${own}.model`, 'CEL result must be a boolean'],
  ])('returns an error: %s', (expression, error) => {
    expect(readDeviceSelector(expression)(gpu)).toEqual({ error });
  });

  it('returns an error for every device when it is not valid CEL', () => {
    const answer = readDeviceSelector('device.driver ==')(gpu);
    expect(answer).toEqual({ error: expect.stringMatching(/^CEL compile error: /) });
  });
});
