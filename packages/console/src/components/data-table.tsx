import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { useSomeRows } from './some-rows.tsx';

/** One column: figures go `end`. On a phone every cell stands under its header's name. */
export interface Column<Row> {
  key: string;
  header: string;
  align?: 'end';
  /** the header is read out but not drawn, for columns of buttons */
  quiet?: boolean;
  /** on a phone it stands in the entry's upper corner, beside its name */
  corner?: boolean;
  /** the column that names the row: on a phone it stands first */
  primary?: boolean;
  /** on a phone it takes the whole width */
  wide?: boolean;
  cell: (row: Row) => ReactNode;
}

/** The one table. @param label what it lists, for screen readers */
export function DataTable<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  onRowClick?: (row: Row) => void;
  dimmed?: (row: Row) => boolean;
}) {
  const { shown, foot } = useSomeRows(props.rows);
  return (
    <>
      <table className={classes.table} aria-label={props.label}>
        <thead className={classes.head}>
          <tr>
            {props.columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align}>
                {column.quiet ? <span className="visually-hidden">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={props.rowKey(row)}
              data-clickable={props.onRowClick ? true : undefined}
              data-dimmed={props.dimmed?.(row) || undefined}
              onClick={props.onRowClick ? () => props.onRowClick?.(row) : undefined}
            >
              {props.columns.map((column) => (
                <td
                  key={column.key}
                  data-align={column.align}
                  data-label={column.quiet ? undefined : column.header}
                  data-primary={column.primary || undefined}
                  data-wide={column.wide || undefined}
                  data-corner={column.corner || undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {foot}
    </>
  );
}
