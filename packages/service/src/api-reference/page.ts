import { componentOf, type FieldRow, fieldRows, notesOf, type Type, typeOf } from './describe-schema.ts';
import { type Html, html } from './html.ts';
import type { Json } from './schemas.ts';

interface Content {
  readonly schema?: Json;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { content: Record<string, Content & { schema: Json }> };
  readonly responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** What the page reads of an OpenAPI document. */
export interface ReferencedDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** One error code of the API. */
export interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

const typeCell = ({ text, component }: Type) =>
  component === undefined
    ? html`<code>${text}</code>`
    : html`<a href="#schema-${component}"><code>${text}</code></a>`;

function fieldTable(caption: string, rows: readonly FieldRow[]): Html {
  if (rows.length === 0) return html``;
  const lines = rows.map(
    ({ path, type, required, notes }) =>
      html`<tr><th scope="row"><code>${path}</code></th><td>${typeCell(type)}</td><td>${required ? 'required' : 'optional'}</td><td>${notes}</td></tr>`,
  );
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Needed</th><th scope="col">Notes</th></tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

/** A body: a reference as a link, an object field by field, anything else by its type. */
function body(caption: string, schema: Json): Html {
  if (componentOf(schema) === undefined && schema['properties'])
    return fieldTable(caption, fieldRows(schema));
  return html`<p>${caption}: ${typeCell(typeOf(schema))}</p>`;
}

function example(caption: string, { example: shown }: Content): Html {
  if (shown === undefined) return html``;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown, undefined, 2);
  return html`<details><summary>${caption}</summary><pre tabindex="0">${text}</pre></details>`;
}

function answers({ responses }: Operation): Html[] {
  return Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { content }]) => {
      if (!content) return html`<p>Answer ${status}, without a body</p>`;
      return html`${Object.entries(content).map(([type, content]) =>
        content.schema
          ? html`${body(`Answer ${status}`, content.schema)}${example(`Example of answer ${status}`, content)}`
          : html`<p>Answer ${status}: <code>${type}</code></p>`,
      )}`;
    });
}

const places: Readonly<Record<string, string>> = {
  path: 'in the path',
  query: 'in the query',
  header: 'in a header line',
};

function callSection({ method, path, operation }: Call): Html {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const rows = parameters.map(({ name, in: place, required, schema }) => ({
    path: name,
    type: typeOf(schema),
    required,
    notes: [places[place] ?? '', notesOf(schema)].filter(Boolean).join(', '),
  }));
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  const sent =
    content &&
    (type === 'application/json' ? body('Body', content.schema) : html`<p>Body: <code>${type}</code></p>`);
  return html`<article id="${operationId}"><h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p>${summary}</p><p class="access">${description}</p>
${fieldTable('Parameters', rows)}${sent}${content && example('Example of the body', content)}${answers(operation)}</article>`;
}

function callsOf(document: ReferencedDocument, tag: string): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function navigation(document: ReferencedDocument): Html {
  const groups = document.tags.map(({ name }) => {
    const links = callsOf(document, name).map(
      ({ method, path, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> ${path}</a></li>`,
    );
    return html`<li><a href="#tag-${name}">${name}</a><ul>${links}</ul></li>`;
  });
  return html`<nav aria-label="Calls"><ul>${groups}<li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>`;
}

function errorSection(errors: readonly ErrorRow[]): Html {
  const lines = errors.map(
    ({ code, status, message }) =>
      html`<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${message}</td></tr>`,
  );
  return html`<section id="errors"><h2>Errors</h2>
<p>Every refusal is an <a href="#schema-Error"><code>Error</code></a>: the sentence for a person in <code>error</code> and <code>message</code>, the code for a program, and with bad input all issues at once.</p>
<div class="table" role="region" aria-label="Error codes" tabindex="0"><table><caption>Error codes</caption><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${lines}</tbody></table></div></section>`;
}

function schemaSection({ components }: ReferencedDocument): Html {
  const parts = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3><code>${name}</code></h3>${body('Fields', schema)}</article>`,
  );
  return html`<section id="schemas"><h2>Schemas</h2>${parts}</section>`;
}

/** The API reference as one page without a script, from the document that describes the API. */
export function referencePage(document: ReferencedDocument, errors: readonly ErrorRow[]): string {
  const sections = document.tags.map(
    ({ name }) =>
      html`<section id="tag-${name}"><h2>${name}</h2>${callsOf(document, name).map(callSection)}</section>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API</title><link rel="stylesheet" href="docs/style.css"></head>
<body><a class="skip" href="#calls">Skip to the calls</a>
<header><h1>${document.info.title} API</h1>
<p>Version ${document.info.version}. Calls are below <code>/api</code>, take and answer JSON, and need an <code>Authorization: Bearer</code> header with the token of a sign-in or an API token, unless they say that anyone may call.
The same as <a href="openapi.json">OpenAPI 3.1</a>. <a href="/">Back to the console</a></p></header>
<div class="columns">${navigation(document)}<main id="calls">${sections}${errorSection(errors)}${schemaSection(document)}</main></div>
</body></html>`;
  return page.text;
}
