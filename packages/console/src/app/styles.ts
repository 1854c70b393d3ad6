// Order matters: Mantine's own layers first, then our palette over its variables.
import './theme/mantine-parts.ts';
import '@mantine/core/styles/default-css-variables.css';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/palette.css';
import './theme/mantine.css';
import './theme/base.css';
