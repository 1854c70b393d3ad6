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

const assetTypes =
  /^\s*(?:image\/|font\/|audio\/|video\/|text\/css|(?:text|application)\/(?:x-)?(?:java|ecma)script|application\/(?:wasm|octet-stream|ogg|mp4|font-|x-font-|vnd\.ms-fontobject))/i;

/**
 * Whether an answer is what a request for a static file asked for.
 * @param contentType of the answer
 * @param target of the request: the source map of a script is JSON
 */
export function isAssetAnswer(status: number, contentType: string | undefined, target: string): boolean {
  if (status === 304 || status === 204) return true;
  if (contentType === undefined) return false;
  return (
    assetTypes.test(contentType) ||
    (/^\s*application\/json/i.test(contentType) && /\.map(?:\?|$)/.test(target))
  );
}
