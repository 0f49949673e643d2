/** A pattern for text that differs on each run, and its replacement. */
type Rule = readonly [what: RegExp, instead: string];

/** The characters of generated names and hashes. */
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
  // Ages of what a scenario makes.
  [/(?<=\s|\(x\d+ over )(?:\d+m)?\d+s(?= |$|\))/gm, '<age>'],
  // Ages of namespaces and other objects as old as the control plane, which serves for the whole run. CPU quantities
  // such as `cpu: 100m` and `100m (5%)` stay.
  [/(?<=\S {2,})(?<!: +)\d+(?:m|h(?:\d+m)?|d(?:\d+h)?)(?= {2}|$)/gm, '<age>'],
  [/<invalid>(?= |$)/gm, '<age>'],
  // The number of attempts of kubectl.
  [/^Waiting for .*\n/gm, ''],
  // The width of a column depends on the text replaced above.
  [/(?<=\S) {2,}/g, '  '],
  [/ +$/gm, ''],
];

/** The text without uids, times, addresses, and column widths. */
export function comparable(text: string): string {
  return rules.reduce((done, [what, instead]) => done.replaceAll(what, instead), text);
}
