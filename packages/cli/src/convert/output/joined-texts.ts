/** The texts of several files as one stream of documents; a single file stays as it is. */
export function joinedTexts(texts: readonly string[]): string {
  const [first = '', ...others] = texts.length === 1 ? texts : texts.filter((text) => text.trim() !== '');
  return others.reduce((all, text) => {
    const end = all === '' || all.endsWith('\n') ? '' : '\n';
    return `${all}${end}${/^---(?=\s|$)/.test(text) ? '' : '---\n'}${text}`;
  }, first);
}
