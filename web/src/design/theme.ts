export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const NAME = "recollect.theme";

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Light or dark for ever, or as the system has it; `public/theme.js` sets it again at the next visit. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // No storage: it holds until the page is left.
  }
}
