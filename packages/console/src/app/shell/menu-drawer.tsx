import { Drawer } from '@mantine/core';
import { messages } from '../../lib/messages/index.ts';
import classes from './shell.module.css';
import { Brand, Sidebar } from './sidebar.tsx';

/** The main menu on a narrow screen. */
export function MenuDrawer(props: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      size={272}
      title={<Brand />}
      lockScroll={false}
      padding={0}
      closeButtonProps={{ 'aria-label': messages.shell.closeMenu }}
      classNames={{ header: classes.drawerHeader ?? '' }}
    >
      <Sidebar collapsed={false} inDrawer />
    </Drawer>
  );
}
