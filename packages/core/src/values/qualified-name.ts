// The messages are those of Kubernetes, word for word, because validation reports them to users.

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValuePattern = `(${namePattern})?`;
const subdomainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

const alphanumericRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameRule = `${alphanumericRule} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePattern}')`;
const qualifiedNameRule = `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const labelValueRule = `a valid label must be an empty string or ${alphanumericRule.replace('must ', '')} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${labelValuePattern}')`;
const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;

const wholeName = new RegExp(`^${namePattern}$`);
const wholeLabelValue = new RegExp(`^${labelValuePattern}$`);
const wholeSubdomain = new RegExp(`^${subdomainPattern}$`);

const maxNameBytes = 63;
const maxSubdomainBytes = 253;

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) bytes += 1;
    else if (point < 0x800) bytes += 2;
    else bytes += point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function tooLong(text: string, maxBytes: number): readonly string[] {
  return utf8Length(text) > maxBytes ? [`must be no more than ${maxBytes} bytes`] : [];
}

function namePartProblems(name: string): readonly string[] {
  const empty = name === '' ? ['must be non-empty'] : [];
  const malformed = wholeName.test(name) ? [] : [nameRule];
  return [...empty, ...tooLong(name, maxNameBytes), ...malformed].map((problem) => `name part ${problem}`);
}

function prefixPartProblems(prefix: string): readonly string[] {
  const problems = prefix === '' ? ['must be non-empty'] : subdomainProblems(prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

/** Why a text is not a DNS subdomain (RFC 1123), in Kubernetes' words; empty if it is one. */
export function subdomainProblems(text: string): readonly string[] {
  const malformed = wholeSubdomain.test(text) ? [] : [subdomainRule];
  return [...tooLong(text, maxSubdomainBytes), ...malformed];
}

/** Why a text is not a qualified name, such as a label key, in Kubernetes' words; empty if it is one. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const [first = '', second, ...rest] = text.split('/');
  if (rest.length > 0) return [qualifiedNameRule];
  if (second === undefined) return namePartProblems(first);
  return [...prefixPartProblems(first), ...namePartProblems(second)];
}

/** Why a text is not a label value, in Kubernetes' words; empty if it is one. */
export function labelValueProblems(text: string): readonly string[] {
  const malformed = wholeLabelValue.test(text) ? [] : [labelValueRule];
  return [...tooLong(text, maxNameBytes), ...malformed];
}
