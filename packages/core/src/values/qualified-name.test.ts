import { describe, expect, it } from 'vitest';
import { labelValueProblems, qualifiedNameProblems, subdomainProblems } from './qualified-name.ts';

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('qualifiedNameProblems', () => {
  it.each(['a', 'A.b_c-1', 'example.com/a', `${'a'.repeat(253)}/${'b'.repeat(63)}`])('accepts %s', (name) => {
    expect(qualifiedNameProblems(name)).toEqual([]);
  });

  it.each([
    ['', ['name part must be non-empty', `name part ${nameRule}`]],
    ['-a', [`name part ${nameRule}`]],
    ['/a', ['prefix part must be non-empty']],
    ['a/', ['name part must be non-empty', `name part ${nameRule}`]],
    ['A/b', [`prefix part ${subdomainRule}`]],
    ['a..b/c', [`prefix part ${subdomainRule}`]],
    [
      'a/b/c',
      [
        `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
    [
      `${'a'.repeat(254)}/${'b'.repeat(64)}`,
      ['prefix part must be no more than 253 bytes', 'name part must be no more than 63 bytes'],
    ],
  ])('returns the problems of %j', (name, problems) => {
    expect(qualifiedNameProblems(name)).toEqual(problems);
  });
});

describe('labelValueProblems', () => {
  it.each(['', 'a', 'A.b_c-1', '0'.repeat(63)])('accepts %j', (value) => {
    expect(labelValueProblems(value)).toEqual([]);
  });

  it('returns the problems of an invalid value', () => {
    expect(labelValueProblems('a b')).toEqual([valueRule]);
    expect(labelValueProblems('a\n')).toEqual([valueRule]);
    expect(labelValueProblems('a'.repeat(64))).toEqual(['must be no more than 63 bytes']);
  });

  it('measures in bytes', () => {
    expect(labelValueProblems('é'.repeat(31))).toEqual([valueRule]);
    expect(labelValueProblems('é'.repeat(32))).toEqual(['must be no more than 63 bytes', valueRule]);
    expect(labelValueProblems('日'.repeat(22))).toEqual(['must be no more than 63 bytes', valueRule]);
    expect(labelValueProblems('😀'.repeat(16))).toEqual(['must be no more than 63 bytes', valueRule]);
  });
});

describe('subdomainProblems', () => {
  it('accepts only lower-case names between dots', () => {
    expect(subdomainProblems('karpenter.sh')).toEqual([]);
    expect(subdomainProblems('Karpenter.sh')).toEqual([subdomainRule]);
  });
});
