// Turns the text of a terminal session into a picture for the README:
//   node scripts/terminal-picture.mjs "title" < session.txt > docs/images/session.svg
import { text } from 'node:stream/consumers';

const [title = ''] = process.argv.slice(2);
const lines = (await text(process.stdin)).replace(/\n$/, '').split('\n');

const cell = { width: 7.8, height: 18 };
const margin = 20;
const header = 34;
const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * cell.width + 2 * margin);
const height = lines.length * cell.height + header + margin;

const escaped = (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const colour = (line) => (line.startsWith('$ ') ? '#7ee787' : '#c9d1d9');
const rows = lines.map(
  (line, index) =>
    `<text x="${margin}" y="${header + (index + 1) * cell.height - 5}" fill="${colour(line)}" xml:space="preserve">${escaped(line)}</text>`,
);

process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<text x="${margin}" y="22" fill="#8b949e">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`);
