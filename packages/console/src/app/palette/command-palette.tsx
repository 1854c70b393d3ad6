import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useLayoutEffect, useMemo, useState } from 'react';
import { messages } from '../../lib/messages/index.ts';
import classes from './command-palette.module.css';
import type { Command } from './commands.ts';
import { findCommands } from './commands.ts';
import { useKnown } from './use-known.ts';

const words = messages.palette;

interface PaletteProps {
  /** what was typed so far, also before it stood here */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

/** Go anywhere by typing: pages, sites, rules, users, and events by request ID or address. */
export function CommandPalette(props: { opened: boolean } & PaletteProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      withCloseButton={false}
      lockScroll={false}
      size={640}
      yOffset="12vh"
      padding={0}
      title={words.title}
      classNames={{ header: 'visually-hidden' }}
    >
      <Palette opened={props.opened} text={props.text} onText={props.onText} onClose={props.onClose} />
    </Modal>
  );
}

function Palette(props: { opened: boolean } & PaletteProps) {
  const { text } = props;
  const [index, setIndex] = useState(0);
  const known = useKnown();
  const commands = useMemo(() => findCommands(known, text), [known, text]);
  const navigate = useNavigate();
  const list = useId();
  const active = Math.min(index, Math.max(0, commands.length - 1));
  const open = (command: Command | undefined) => {
    if (!command) return;
    props.onClose();
    void navigate({ to: command.to, search: command.search });
  };
  useKeys(props.opened, (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setIndex((active + step + commands.length) % commands.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(commands[active]);
    }
  });
  return (
    <div className={classes.palette}>
      <div className={classes.entry}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          className={classes.input}
          data-autofocus
          data-palette
          role="combobox"
          aria-label={words.title}
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={commands[active] ? `${list}-${active}` : undefined}
          placeholder={words.placeholder}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            props.onText(event.currentTarget.value);
            setIndex(0);
          }}
        />
      </div>
      <Results id={list} commands={commands} active={active} onOpen={open} onHover={setIndex} />
      <p className={classes.keys}>{words.keys}</p>
    </div>
  );
}

/** Keys count wherever the focus is: it comes to the field a turn after the palette, and who types fast is ahead of it. */
function useKeys(opened: boolean, onKey: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    // An Enter that ends a composition is the input method's.
    const listener = (event: KeyboardEvent) => event.isComposing || onKey(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, [opened, onKey]);
}

function Results(props: {
  id: string;
  commands: Command[];
  active: number;
  onOpen: (command: Command) => void;
  onHover: (index: number) => void;
}) {
  const { commands, active, id } = props;
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  if (commands.length === 0) return <p className={classes.nothing}>{words.nothing}</p>;
  return (
    <div className={classes.list} id={id} role="listbox" aria-label={words.results}>
      {commands.map((command, index) => (
        <button
          type="button"
          key={command.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.option}
          onClick={() => props.onOpen(command)}
          onPointerMove={() => index === active || props.onHover(index)}
        >
          <span className={classes.label}>{command.label}</span>
          {command.note ? <span className={classes.note}>{command.note}</span> : null}
          {commands[index - 1]?.group === command.group ? null : (
            <span className={classes.group}>{words.groups[command.group]}</span>
          )}
        </button>
      ))}
    </div>
  );
}
