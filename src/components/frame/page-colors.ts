/** Page colors for browsers and home screens: `--shallow` and `--deep` in src/styles/tokens.css. */
export const pageColors = {
  header: { light: '#deedf2', dark: '#12262f' },
  ground: { light: '#fafcfc', dark: '#0c1a21' },
} as const;
