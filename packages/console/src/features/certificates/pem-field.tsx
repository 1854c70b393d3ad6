import { Button, FileButton, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { toast } from '../../components/toast.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './certificates.module.css';

const words = messages.certificates.form;
/** as the contract bounds each of the two */
const maxBytes = 256 * 1024;

/** PEM text, pasted or read from a file on this computer. */
export function PemField(props: {
  label: string;
  help: string;
  /** names the file button */
  choose: string;
  rows: number;
  value?: string;
  error?: ReactNode;
  onChange?: (text: string) => void;
}) {
  const { label, help, choose, onChange, ...rest } = props;
  const id = useId();
  const read = async (file: File | null) => {
    if (!file) return;
    if (file.size > maxBytes) toast.error(words.tooLarge);
    else onChange?.(await file.text());
  };
  return (
    <div>
      <div className={classes.pemHead}>
        <div>
          <label className={classes.pemLabel} htmlFor={id}>
            {label}
          </label>
          <p className={classes.pemHelp} id={`${id}-help`}>
            {help}
          </p>
        </div>
        <FileButton onChange={(file) => void read(file)} accept=".pem,.crt,.cer,.key,.txt">
          {(button) => (
            <Button {...button} variant="default" size="compact-sm" aria-label={choose}>
              {words.choose}
            </Button>
          )}
        </FileButton>
      </div>
      <Textarea
        {...rest}
        id={id}
        aria-describedby={`${id}-help`}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.pem ?? '' }}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
    </div>
  );
}
