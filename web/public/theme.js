// Before the first paint, so that a page in the dark never flashes white.
try {
  const theme = localStorage.getItem("recollect.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's choice holds.
}
