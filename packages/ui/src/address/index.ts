/** The address of the page as data: tab, grouping, filter, selection, language, theme. */

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
