import { describe, expect, it } from 'vitest';
import { ladder, rung } from './ladder.ts';
import { metalSize, virtualSize } from './size.ts';

const at = (text: string, code: string) => rung(ladder(text), virtualSize(code));

describe('a ladder', () => {
  it('grows with the vCPUs from a minimum', () => {
    expect(at('312.5/vCPU >=10000', 'l')).toBe(10000);
    expect(at('312.5/vCPU >=10000', '16')).toBe(20000);
  });

  it('rounds down', () => {
    expect(at('390.625/vCPU', 'l')).toBe(781);
  });

  it('has values for single sizes', () => {
    expect(at('312.5/vCPU 48:40000', '48')).toBe(40000);
    expect(at('312.5/vCPU 48:40000', '32')).toBe(40000);
  });

  it('has values up to a size', () => {
    expect(at('<=4:4750 8:6800', 'm')).toBe(4750);
    expect(at('<=4:4750 8:6800', '4')).toBe(4750);
    expect(at('<=4:4750 8:6800', '8')).toBe(6800);
  });

  it('gives bare metal the value of its virtual size unless it has its own', () => {
    expect(rung(ladder('24:107'), metalSize('metal=24'))).toBe(107);
    expect(rung(ladder('24:107 metal:120'), metalSize('metal=24'))).toBe(120);
  });

  it('is undefined beyond its last limit', () => {
    expect(at('l:9', '96')).toBeUndefined();
  });
});
