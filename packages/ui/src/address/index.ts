/**
 * The address of the page as data: tab, grouping, filter, selection, language, theme. Pure parsing and
 * formatting; `../session` reads and sets the address of the browser. Start with `view-address.ts`.
 */

export {
  formatAddress,
  type PageLanguage,
  type PageTab,
  type PageTheme,
  pageTabs,
  parseAddress,
  type SelectedObject,
  type ViewAddress,
} from './view-address.ts';
