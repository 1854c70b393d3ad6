// Before the first paint, so that a light theme does not flash dark. A file of its own because the
// Content-Security-Policy allows no inline script.
try {
  const stored = localStorage.getItem('theme');
  const dark =
    stored !== 'light' && (stored !== 'auto' || matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
} catch {
  document.documentElement.dataset.mantineColorScheme = 'dark';
}
