/** A rule for what is different at each try, and what to read in its place. */
type Rule = readonly [what: RegExp, instead: string];

/** The letters of generated names and hashes. */
const letter = '[bcdfghjklmnpqrstvwxz2456789]';

const rules: readonly Rule[] = [
  [/https:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/\b(resourceVersion"?:\s*)"\d+"/g, '$1"<version>"'],
  [/\b(Resource Version:\s*)\d+/g, '$1<version>'],
  [/\b10\.\d+\.\d+\.\d+\b|\b100\.64\.\d+\.\d+\b/g, '<ip>'],
  [new RegExp(`-${letter}{8,10}-${letter}{5}\\b`, 'g'), '-<hash>-<random>'],
  [new RegExp(`-${letter}{8,10}\\b`, 'g'), '-<hash>'],
  [new RegExp(`(pod-template-hash[=:]\\s*"?)${letter}{8,10}\\b`, 'g'), '$1<hash>'],
  [new RegExp(`\\bkube-api-access-${letter}{5}\\b`, 'g'), 'kube-api-access-<random>'],
  // Ages; tests are over before minutes count.
  [/(?<=\s|\(x\d+ over )(?:\d+m)?\d+s(?= |$|\))/gm, '<age>'],
  [/<invalid>(?= |$)/gm, '<age>'],
  // How often kubectl looks before it is satisfied.
  [/^Waiting for .*\n/gm, ''],
  // Columns are as wide as what was replaced above.
  [/(?<=\S) {2,}/g, '  '],
  [/ +$/gm, ''],
];

/** The text without identities, times, addresses, and the widths of columns. */
export function comparable(text: string): string {
  return rules.reduce((done, [what, instead]) => done.replaceAll(what, instead), text);
}
