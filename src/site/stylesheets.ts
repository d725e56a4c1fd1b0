import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseColor, shadesOf } from './color.ts'

/** A file that is served with a digest in its name. */
export type File = {
  path: string
  type: string
  content: Buffer | string
  headers?: Record<string, string>
}

export const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
export const digestOf = (content: Buffer | string) => hash('sha256', content, 'base64url').slice(0, 20)
const css = 'text/css; charset=utf-8'

export const stylesheet = read('site.css')

/** Returns the stylesheet of the site, in its colour. */
export function siteStyles(color: string): File {
  const content = `:root{${accents(color)}}\n${stylesheet}`
  return { path: `/site/${digestOf(content)}.css`, type: css, content }
}

/** Returns the additional stylesheet of the pages of a commune: its colour. Made from the colour alone. */
export function colorStyles(color: string): File {
  const { on } = shadesOf(rgbOf(color))
  // On paper, a background may be missing, and with it what the text on it needs.
  const content = `:root{${accents(color)}}@media screen{:root{--brand:${color};--on-brand:${on}}}\n`
  return { path: `/site/couleur-${color.slice(1)}-${digestOf(content)}.css`, type: css, content }
}

/** Finds the stylesheet of a colour by its name; undefined if another version of the service has made it. */
export function findColorStyles(name: string): File | undefined {
  const [, hex] = /^couleur-([\da-f]{6})-/.exec(name) ?? []
  if (hex === undefined) return undefined
  const file = colorStyles(`#${hex}`)
  return file.path === `/site/${name}` ? file : undefined
}

function accents(color: string): string {
  const { light, dark } = shadesOf(rgbOf(color))
  return `--accent-light:${light};--accent-dark:${dark}`
}

const rgbOf = (color: string) => parseColor(color) ?? [0, 0, 0]
const screenContent = read('screen.css')
export const screenFile: File = {
  path: `/site/${digestOf(screenContent)}.css`,
  ...{ type: css, content: screenContent },
}
