import { describe, expect, it } from 'vitest';
import { GoTemplate } from './index.ts';

const data = {
  Name: 'node-a',
  Empty: '',
  Count: 3,
  IsSpot: true,
  Time: new Date('2026-01-02T03:04:05Z'),
  Pods: ['web', 'db'],
  None: [],
  Labels: new Map([
    ['zone', 'a'],
    ['arch', 'arm64'],
  ]),
};
const render = (template: string) => new GoTemplate(template).render(data);

it.each([
  ['plain text', 'plain text'],
  ['{{ .Name }}', 'node-a'],
  ['{{.Name}}', 'node-a'],
  ['{{ $.Name }}', 'node-a'],
  ['a {{- .Name -}} b', 'anode-ab'],
  ['a {{/* note */}} b', 'a  b'],
  ['a {{- /* note */ -}} b', 'ab'],
  ['{{ "}}" }}', '}}'],
  ['{{ `a"b` }}', 'a"b'],
  ['{{ "tab\\tq\\"" }}', 'tab\tq"'],
  [
    '{{ .Pods }} {{ .Labels }} {{ .Count }} {{ .IsSpot }} {{ nil }}',
    '[web db] map[arch:arm64 zone:a] 3 true <no value>',
  ],
  ['{{ .Time }}', '2026-01-02 03:04:05 +0000 UTC'],
  ['{{ .Labels.zone }}{{ .Labels.missing }}', 'a'],
  ['{{ if .IsSpot }}spot{{ else }}other{{ end }}', 'spot'],
  ['{{ if .Empty }}a{{ else if .None }}b{{ else }}c{{ end }}', 'c'],
  ['{{ if and .IsSpot (eq .Count 3) }}yes{{ end }}', 'yes'],
  ['{{ if or .Empty (not .None) }}yes{{ end }}', 'yes'],
  ['{{ range .Pods }}<{{ . }}>{{ end }}', '<web><db>'],
  ['{{ range $i, $pod := .Pods }}{{ if $i }},{{ end }}{{ $pod }}{{ end }}', 'web,db'],
  ['{{ range $key, $value := .Labels }}{{ $key }}={{ $value }};{{ end }}', 'arch=arm64;zone=a;'],
  ['{{ range .None }}x{{ else }}none{{ end }}', 'none'],
  ['{{ range .Pods }}{{ $.Count }}{{ end }}', '33'],
  ['{{ with .Name }}{{ . | upper }}{{ end }}{{ with .Empty }}x{{ else }}-{{ end }}', 'NODE-A-'],
  ['{{ $n := .Count }}{{ if true }}{{ $n = add $n 1 }}{{ end }}{{ $n }}', '4'],
  ['{{ index .Pods 1 }}{{ index .Labels "zone" }}', 'dba'],
  ['{{ len .Pods }}', '2'],
  [
    '{{ printf "%s-%d-%05.1f-%q-%%-%-4s|%4d" .Name .Count 2.55 .Name "x" 7 }}',
    'node-a-3-002.5-"node-a"-%-x   |   7',
  ],
  ['{{ .Pods | join "," | quote }}', '"web,db"'],
  ['{{ .Empty | default "none" }}', 'none'],
  ['{{ .Pods | toJson }} {{ .Labels | toJson }}', '["web","db"] {"arch":"arm64","zone":"a"}'],
  ['{{ .Name | replace "-" "_" | trunc 4 | title }}', 'Node'],
  ['{{ trunc -1 .Name }}{{ trimSuffix "-a" .Name }}{{ trimPrefix "node" .Name }}', 'anode-a'],
  ['{{ ternary "a" "b" .IsSpot }}{{ coalesce .Empty .Name }}', 'anode-a'],
  ['{{ (dict "a" 1).a }}{{ (index (list 1 2) 0) }}', '11'],
  ['{{ date "2006-01-02T15:04:05Z07:00" .Time }}', '2026-01-02T03:04:05Z'],
  ['{{ .Name | b64enc | b64dec }}', 'node-a'],
  ['{{ html "<a>" }}{{ urlquery "a b&c" }}', '&lt;a&gt;a+b%26c'],
])('renders %s', (template, text) => {
  expect(render(template)).toBe(text);
});

describe('refuses by a sentence', () => {
  it.each([
    ['{{ .Nam }}', /no field Nam; there are Name, Empty/],
    ['{{ .Name.First }}', /no field First/],
    ['{{ exec "x" }}', /the function "exec" is not supported; there are abbrev, add/],
    ['{{ constructor }}', /the function "constructor" is not supported/],
    ['{{ .Name', /is not closed/],
    ['{{ if .Name }}', /\{\{ if \}\} has no \{\{ end \}\}/],
    ['{{ if .Name }}a{{ else }}', /has no \{\{ end \}\}/],
    ['{{ end }}', /has no beginning/],
    ['{{ else }}', /has no beginning/],
    ['{{ }}', /is empty/],
    ['{{ .Name | }}', /is empty/],
    ['{{ ( .Name }}', /parenthesis is not closed/],
    ['{{ .Name .Count }}', /only functions take arguments/],
    ['{{ upper .Name | .Count }}', /not a function/],
    ['{{ $x }}', /\$x is not declared/],
    ['{{ define "a" }}{{ end }}', /define \}\} is not supported/],
    ['{{ .Name ; }}', /something unknown/],
    ['{{ index .Pods 9 }}', /beyond the end/],
    ['{{ lt .Name 3 }}', /can be compared/],
    ['{{ range .Count }}{{ end }}', /range has no meaning/],
  ])('%s', (template, problem) => {
    expect(() => render(template)).toThrow(problem);
    expect(() => render(template)).toThrow(/^cannot use the webhook template: /);
  });
});
