const extensions = new Set(
  [
    'avif bmp gif ico jpeg jpg png svg webp tif tiff', // images
    'css js mjs map wasm', // styles and scripts
    'eot otf ttf woff woff2', // fonts
    'aac flac m4a m4v mov mp3 mp4 oga ogg ogv opus wav weba webm', // media
  ].flatMap((line) => line.split(' ')),
);

/** What runs a program whatever stands behind it: `/index.php/a.css` is answered by index.php. */
const program = /\.(?:php\d?|phtml|aspx?|ashx|jspx?|cfm|cgi|fcgi|pl|py|rb|do|action)[/;]/i;

/**
 * Whether a request fetches a static file, by method and extension: images, styles, scripts, fonts and media.
 * Such requests come by the dozen with every page and spend no token.
 * @param target origin form; a query does not change the answer
 */
export function isStaticAsset(method: string, target: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const query = target.indexOf('?');
  const end = query === -1 ? target.length : query;
  const dot = target.lastIndexOf('.', end - 1);
  if (dot === -1 || end - dot > 6) return false;
  return extensions.has(target.slice(dot + 1, end).toLowerCase()) && !program.test(target.slice(0, end));
}
