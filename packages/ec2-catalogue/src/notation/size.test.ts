import { describe, expect, it } from 'vitest';
import { listedSize, metalSize, virtualSize } from './size.ts';

describe('a size', () => {
  it.each([
    ['m', 'medium', 1],
    ['l', 'large', 2],
    ['x', 'xlarge', 4],
    ['12', '12xlarge', 48],
  ])('%s is %s with %i vCPUs', (code, name, vcpus) => {
    expect(virtualSize(code)).toEqual({ name, code, vcpus, metal: false });
  });

  it('of bare metal has the shape of its virtual size', () => {
    expect(metalSize('metal=24')).toEqual({ name: 'metal', code: '24', vcpus: 96, metal: true });
    expect(metalSize('metal-48xl')).toEqual({ name: 'metal-48xl', code: '48', vcpus: 192, metal: true });
  });

  it('may be listed with its vCPUs', () => {
    expect(listedSize('nano', 2)).toEqual({ name: 'nano', code: 'nano', vcpus: 2, metal: false });
    expect(listedSize('96', 192).name).toBe('96xlarge');
    expect(listedSize('metal', 72).metal).toBe(true);
  });
});
