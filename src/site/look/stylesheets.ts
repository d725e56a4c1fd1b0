import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseColor } from './color.ts'
import { paletteOf } from './palette.ts'

/** A file that is served with a digest in its name. */
export type File = {
  path: string
  type: string
  content: Buffer | string
  headers?: Record<string, string>
}

export const digestOf = (content: Buffer | string) => hash('sha256', content, 'base64url').slice(0, 20)
const css = 'text/css; charset=utf-8'
/** Reads a file of the site as text. */
export const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** Without comments and indentation: a fifth less to load. */
const compact = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/\n\s*/g, '')

const font = (name: string): File => {
  const content = readFileSync(new URL(`fonts/${name}.woff2`, import.meta.url))
  return { path: `/site/${digestOf(content)}.woff2`, type: 'font/woff2', content }
}
const [headings, letters] = [font('young-serif'), font('atkinson')]
export const fonts: readonly File[] = [headings, letters]

/** Never swapped while somebody reads: a first visit by a slow line stays in the letters of the device. */
const fontFaces = [
  { family: 'Young Serif', weight: '400', file: headings },
  { family: 'Atkinson Hyperlegible Next', weight: '400 700', file: letters },
]
  .map(
    ({ family, weight, file }) =>
      `@font-face{font-family:"${family}";src:url(${file.path}) format("woff2");font-weight:${weight};font-display:optional}`,
  )
  .join('')

export const stylesheet = compact(read('look/site.css'))

/** Returns the stylesheet of the site, in its colour. */
export function siteStyles(color: string): File {
  // Its own variables stand after those of the stylesheet, some of which the dark scheme replaces.
  const content = `${fontFaces}${stylesheet}${variablesOf(color)}\n`
  return { path: `/site/${digestOf(content)}.css`, type: css, content }
}

/** Returns the additional stylesheet of the pages of a commune: its colours. Made from its colour alone. */
export function colorStyles(color: string): File {
  const content = `${variablesOf(color)}\n`
  return { path: `/site/couleur-${color.slice(1)}-${digestOf(content)}.css`, type: css, content }
}

/** Finds the stylesheet of a colour by its name; undefined if another version of the service has made it. */
export function findColorStyles(name: string): File | undefined {
  const [, hex] = /^couleur-([\da-f]{6})-/.exec(name) ?? []
  if (hex === undefined) return undefined
  const file = colorStyles(`#${hex}`)
  return file.path === `/site/${name}` ? file : undefined
}

function variablesOf(color: string): string {
  const { light, dark } = paletteOf(parseColor(color) ?? [0, 0, 0])
  const declared = (shades: Record<string, string>) =>
    `:root{${Object.entries(shades)
      .map(([name, shade]) => `--${name}:${shade}`)
      .join(';')}}`
  return `${declared(light)}@media (prefers-color-scheme:dark){${declared(dark)}}`
}

const screenContent = compact(read('look/screen.css'))
export const screenFile: File = {
  path: `/site/${digestOf(screenContent)}.css`,
  type: css,
  content: screenContent,
}
