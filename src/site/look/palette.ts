import { contrast, hex, parseColor, type Rgb } from './color.ts'

/**
 * The colours of a town, all from one: those of its land (`wash`, the ground of what matters, to `near`), of text and links
 * (`deep`), of buttons (`fill`) and of the foot (`night`). In the dark the paper takes its hue too. Lightness is that of
 * OKLCH, in which equal steps look equal; the service computes it, so that an old phone needs no colour function.
 */
export type Palette = { light: Shades; dark: Shades & Record<'paper' | 'card' | 'line' | 'on-fill', string> }
type Shades = Record<'deep' | 'fill' | 'wash' | 'far' | 'mid' | 'near' | 'night', string>

/** Colours that are the same in every town. */
export const fixed = {
  light: { paper: '#fbf8f2', card: '#ffffff', ink: '#211d18', soft: '#5d564b' },
  dark: { ink: '#efe9df', soft: '#b8b0a3' },
} as const

/** Contrast of text on each ground that it stands on, and of the words on a button. WCAG 2.2 AA asks for 4.5. */
export const readable = { text: 5.5, button: 4.6 }

/** However strong the wish: a fluorescent colour becomes calm. */
const mostChroma = 0.15

export function paletteOf(color: Rgb): Palette {
  const { lightness, chroma, hue } = oklchOf(color)
  const strength = Math.min(chroma, mostChroma)
  const shade = (light: number, most: number) => rgbOf(light, Math.min(strength, most), hue)
  const { paper, card } = fixed.light
  const [wash, darkWash] = [shade(0.95, 0.018), shade(0.285, 0.035)]
  const [darkPaper, darkCard] = [shade(0.19, 0.014), shade(0.235, 0.018)]
  const until = (grounds: readonly Rgb[], least: number) => (one: Rgb) =>
    grounds.every((ground) => contrast(one, ground) >= least)
  const deep = firstShade(
    { from: Math.min(lightness, 0.5), step: -0.01, chroma: strength, hue },
    until([wash, rgb(paper), rgb(card)], readable.text),
  )
  const darkDeep = firstShade(
    { from: Math.min(Math.max(lightness, 0.72), 0.8), step: 0.01, chroma: Math.min(strength, 0.11), hue },
    until([darkPaper, darkCard, darkWash], readable.text),
  )
  const fill = firstShade(
    { from: Math.min(lightness, 0.62), step: -0.01, chroma: strength, hue },
    until([rgb(card)], readable.button),
  )
  return {
    light: inHex({
      deep,
      fill,
      wash,
      far: shade(0.88, 0.042),
      mid: shade(0.79, 0.068),
      near: shade(0.56, 0.1),
      night: shade(0.285, 0.06),
    }),
    dark: inHex({
      deep: darkDeep,
      fill: darkDeep,
      wash: darkWash,
      far: shade(0.34, 0.05),
      mid: shade(0.43, 0.07),
      near: shade(0.33, 0.06),
      night: shade(0.165, 0.02),
      paper: darkPaper,
      card: darkCard,
      line: shade(0.4, 0.025),
      'on-fill': darkPaper,
    }),
  }
}

type Ladder = { from: number; step: number; chroma: number; hue: number }

/** Returns the first shade that will do, lighter or darker by each step. */
function firstShade({ from, step, chroma, hue }: Ladder, willDo: (shade: Rgb) => boolean): Rgb {
  for (let lightness = from; lightness > 0 && lightness < 1; lightness += step) {
    const shade = rgbOf(lightness, chroma, hue)
    if (willDo(shade)) return shade
  }
  return step < 0 ? [0, 0, 0] : [255, 255, 255]
}

const rgb = (text: string) => parseColor(text) ?? ([0, 0, 0] as const)
const inHex = <Name extends string>(shades: Record<Name, Rgb>) =>
  Object.fromEntries(Object.entries<Rgb>(shades).map(([name, shade]) => [name, hex(shade)])) as Record<
    Name,
    string
  >

// OKLab, from https://bottosson.github.io/posts/oklab/
const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const encoded = (part: number) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)

function oklchOf(color: Rgb) {
  const [r = 0, g = 0, b = 0] = color.map((part) => linear(part / 255))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const along = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const across = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(along, across),
    hue: Math.atan2(across, along),
  }
}

function linearOf(lightness: number, chroma: number, hue: number): [number, number, number] {
  const [along, across] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * along + 0.2158037573 * across) ** 3
  const m = (lightness - 0.1055613458 * along - 0.0638541728 * across) ** 3
  const s = (lightness - 0.0894841775 * along - 1.291485548 * across) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** Returns the nearest colour that a screen shows: of the same lightness and hue, with less chroma if need be. */
function rgbOf(lightness: number, chroma: number, hue: number): Rgb {
  let parts = linearOf(lightness, chroma, hue)
  for (let less = chroma; less > 0 && !isShown(parts); less -= 0.004)
    parts = linearOf(lightness, Math.max(0, less - 0.004), hue)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    Math.round(255 * encoded(Math.min(1, Math.max(0, part)))),
  )
  return [red, green, blue]
}

const isShown = (parts: readonly number[]) => parts.every((part) => part >= -0.0005 && part <= 1.0005)
