export type Rgb = readonly [number, number, number]

/** Parses a colour such as #1d4f91; null for any other text. */
export function parseColor(text: string): Rgb | null {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? []
  if (red === undefined || green === undefined || blue === undefined) return null
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)]
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Backgrounds of `site.css` on which text has the colour of the site or of a commune, by colour scheme. */
export const backgrounds = {
  light: ['#ffffff', '#f4f5f7', '#fdf0f0', '#fff6e5'],
  dark: ['#16181b', '#1f2226', '#331a1c', '#2e2515'],
} as const
const rgbOf = (text: string) => parseColor(text) ?? black
const grounds = { light: backgrounds.light.map(rgbOf), dark: backgrounds.dark.map(rgbOf) }

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
/** Of text, as WCAG 2.2 AA asks. */
export const readable = 4.5

/** Returns a colour as text has it in both schemes, and black or white for text on it: one of them has a contrast of 4.58 or more. */
export function shadesOf(color: Rgb): { light: string; dark: string; on: string } {
  return {
    light: mixedWith(black, color, grounds.light),
    dark: mixedWith(white, color, grounds.dark),
    on: contrast(color, white) >= contrast(color, black) ? '#ffffff' : '#000000',
  }
}

/** Mixes a colour with another until text in it is readable on all of some backgrounds. */
function mixedWith(other: Rgb, color: Rgb, grounds: readonly Rgb[]): string {
  for (let step = 0; step < steps; step++) {
    const share = step / steps
    const mixed = color.map((part, at) => Math.round(part + ((other[at] ?? 0) - part) * share))
    const found = mixed as unknown as Rgb
    if (grounds.every((ground) => contrast(found, ground) >= readable)) return hex(found)
  }
  return hex(other)
}
const steps = 32

const hex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
