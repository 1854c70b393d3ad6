import type { Fleet, FleetMember } from '@portcullis/contract/fleet';

const header = [
  'NAME',
  'KIND',
  'STATE',
  'VERSION',
  'CONFIG',
  'LOAD',
  'CPU',
  'MEMORY',
  'WAITING',
  'CLOCK',
  'SEEN',
];
/** Columns of figures, which stand at the right. */
const figures = new Set(['CONFIG', 'LOAD', 'CPU', 'MEMORY', 'WAITING', 'CLOCK', 'SEEN']);

/** The fleet as a table for a terminal, and beneath it what asks for attention. @returns lines */
export function fleetLines({ members, configVersion, asOf }: Fleet): string[] {
  const rows = [header, ...members.map((member) => rowOf(member, Date.parse(asOf)))].map((row) =>
    row.map(plain),
  );
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => aligned(cell, column, widths))
      .join('  ')
      .trimEnd(),
  );
  const warnings = members.flatMap(({ id, warnings: all }) =>
    all.map(({ text }) => `! ${plain(id)}: ${plain(text)}`),
  );
  const newest = `Newest configuration: ${configVersion}`;
  return [...table, '', newest, ...(warnings.length === 0 ? ['Nothing asks for attention.'] : warnings)];
}

function aligned(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return figures.has(header[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
}

function rowOf(member: FleetMember, asOf: number): string[] {
  const { id, kind, onDuty, state, productVersion, configVersion, behindBy, requestsPerSecond } = member;
  const { cpuPercent, memoryBytes, spoolBytes, clockOffsetMs, lastSeen } = member;
  const config = configVersion === undefined ? 'none' : String(configVersion);
  return [
    id,
    onDuty ? `${kind}, on duty` : kind,
    state,
    productVersion,
    behindBy > 0 && configVersion !== undefined ? `${config} (-${behindBy})` : config,
    requestsPerSecond === undefined ? '' : `${requestsPerSecond.toFixed(0)}/s`,
    `${cpuPercent.toFixed(0)}%`,
    megabytes(memoryBytes),
    spoolBytes === undefined ? '' : megabytes(spoolBytes),
    clockOffsetMs === undefined ? '' : `${Math.round(clockOffsetMs / 1000)} s`,
    `${Math.max(0, Math.round((asOf - Date.parse(lastSeen)) / 1000))} s ago`,
  ];
}

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;

/** What another process said of itself is never an escape sequence on this terminal. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ');
