import { createTheme, defaultVariantColorsResolver, MantineProvider } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { ConfirmProvider } from '../components/confirm.tsx';
import { Toaster } from '../components/toaster.tsx';
import { usePreferences, useScheme } from '../lib/preferences/index.ts';

const theme = createTheme({
  defaultRadius: 'sm',
  cursorType: 'pointer',
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    if (input.variant !== 'filled') return colors;
    // The accent is light in the dark theme, so what stands on it is dark; red carries white in both.
    return {
      ...colors,
      color: input.color === 'red' ? 'var(--mantine-color-white)' : 'var(--pc-accent-ink)',
    };
  },
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
    // A dialog's header is not the page's banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // A number out of bounds is refused with words; silently made another, it would be saved as nobody meant it.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    // Ten thousand sites are found by typing; the list itself stays short.
    Select: {
      defaultProps: { allowDeselect: false, checkIconPosition: 'right', limit: 200, withScrollArea: false },
    },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Autocomplete: { defaultProps: { withScrollArea: false } },
    // Lists open inside the page's landmark, where who reads by landmarks finds them.
    Combobox: { defaultProps: { portalProps: { target: 'main' } } },
  },
});

/** Everything that all screens stand in: cache, theme, toasts, confirmation. */
export function Providers(props: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={props.queryClient}>
      <Themed>{props.children}</Themed>
    </QueryClientProvider>
  );
}

function Themed(props: { children: ReactNode }) {
  const scheme = useScheme();
  const { display } = usePreferences();
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['density'] = display.compact_mode ? 'compact' : 'normal';
    dataset['tooltips'] = display.show_tooltips ? 'on' : 'off';
    dataset['animations'] = display.animations ? 'on' : 'off';
    dataset['contrast'] = display.high_contrast ? 'high' : 'normal';
  }, [display]);
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
      env="default"
    >
      <Toaster />
      <ConfirmProvider>{props.children}</ConfirmProvider>
    </MantineProvider>
  );
}
