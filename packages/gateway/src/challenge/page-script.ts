import { solverSource } from './solver.ts';

/**
 * Runs on the challenge page. It works in short slices so that the page stays alive for a screen reader, tells its
 * progress in words, sends the answer to this site alone, and stops where a browser that keeps no cookies would go
 * round in circles.
 */
const glue = `
const form = document.getElementById('proof');
const status = document.getElementById('status');
const bar = document.getElementById('progress');
const say = (text) => { status.textContent = text; };
const { salt, bits, pieces, token, method, endpoint, to } = form.dataset;
const pause = () => new Promise((resolve) => setTimeout(resolve));
async function solvePiece(piece) {
  let from = 0;
  for (;;) {
    const until = performance.now() + 30;
    while (performance.now() < until) {
      const nonce = searchNonce(salt + '.' + piece + '.', Number(bits), from, 2000);
      if (nonce >= 0) return nonce;
      from += 2000;
    }
    await pause();
  }
}
function goesRound() {
  const key = 'portcullis-rounds';
  const now = Date.now();
  const rounds = JSON.parse(sessionStorage.getItem(key) || '[]').filter((at) => now - at < 30000);
  sessionStorage.setItem(key, JSON.stringify([...rounds, now]));
  return rounds.length >= 3;
}
async function run() {
  if (!navigator.cookieEnabled) return say('Cookies are switched off. Allow them for this site and load the page again.');
  bar.hidden = false;
  say('Checking your browser…');
  const nonces = [];
  for (let piece = 0; piece < Number(pieces); piece++) {
    nonces.push(await solvePiece(piece));
    bar.value = piece + 1;
  }
  const body = new URLSearchParams({ token, nonces: nonces.join(',') });
  const answer = await fetch(endpoint, { method: 'POST', body, credentials: 'same-origin' });
  if (!answer.ok) return say('The check did not succeed. Load the page again to repeat it.');
  if (goesRound()) return say('The check succeeded, but this browser does not keep the result. Allow cookies for this site.');
  if (method !== 'GET') return say('Done. Go back and send your form again.');
  say('Done. Loading the page…');
  // A page that answered a form would send it again on a reload.
  if (to) location.assign(to);
  else location.reload();
}
const start = () => run().catch(() => say('The check could not be completed. Load the page again to repeat it.'));
const button = document.getElementById('start');
if (button) button.addEventListener('click', () => { button.disabled = true; start(); });
else start();
`;

/** The script of the challenge page: the solver and what drives it. Holds no `</script`. */
export const pageScript = `'use strict';(()=>{${solverSource()}\n${glue}})();`;
