// What cannot wait for the bundle. A file of its own because the Content-Security-Policy allows no inline script.

// Before the first paint, so that a light theme does not flash dark.
const root = document.documentElement;
let token = null;
try {
  const theme = localStorage.getItem('theme');
  const dark = theme !== 'light' && (theme !== 'auto' || matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light';
  token = localStorage.getItem('token');
} catch {
  root.dataset.mantineColorScheme = 'dark';
}

// The calls of the first screen leave while the bundle is on its way; src/lib/api/early.ts takes their answers up.
if (token !== null) {
  const ofDashboard = ['/metrics', '/monitoring/traffic/hourly', '/sites'];
  const paths = ['/auth/me', '/users/preferences', ...(location.pathname === '/' ? ofDashboard : [])];
  const init = { headers: { accept: 'application/json', authorization: `Bearer ${token}` } };
  const answerOf = async (url) => {
    const response = await fetch(url, { ...init, credentials: 'same-origin' });
    return { response, text: await response.text() };
  };
  const calls = paths.map((path) => [`/api${path}`, answerOf(`/api${path}`)]);
  // One that fails is made again by who needs it.
  for (const [, answer] of calls) answer.catch(() => undefined);
  globalThis.earlyCalls = { token, answers: new Map(calls) };
}
