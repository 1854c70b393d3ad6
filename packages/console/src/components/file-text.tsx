import { Button, FileButton, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { messages } from '../lib/messages/index.ts';
import classes from './file-text.module.css';
import { toast } from './toast.ts';

const words = messages.common.file;
/** of PEM texts, as the contract bounds them */
const pemBytes = 256 * 1024;
const pemFiles = '.pem,.crt,.cer,.key,.txt';

/** A long text, pasted or read from a file on this computer: PEM, unless told otherwise. */
export function FileText(props: {
  label: string;
  help?: string;
  rows: number;
  /** names of files to choose from */
  accept?: string;
  maxBytes?: number;
  placeholder?: string;
  value?: string;
  error?: ReactNode;
  onChange?: (text: string) => void;
}) {
  const { label, help, onChange, accept = pemFiles, maxBytes = pemBytes, ...rest } = props;
  const id = useId();
  const read = async (file: File | null) => {
    if (!file) return;
    if (file.size > maxBytes) toast.error(words.tooLarge);
    else onChange?.(await file.text());
  };
  return (
    <div>
      <div className={classes.head}>
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
        <FileButton onChange={(file) => void read(file)} accept={accept}>
          {(button) => (
            <Button {...button} variant="default" size="compact-sm" aria-label={words.chooseFor(label)}>
              {words.choose}
            </Button>
          )}
        </FileButton>
      </div>
      <Textarea
        {...rest}
        id={id}
        {...(help === undefined ? {} : { description: help })}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.text ?? '' }}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
    </div>
  );
}
