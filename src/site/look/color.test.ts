import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { backgrounds, contrast, parseColor, type Rgb, readable, shadesOf } from './color.ts'
import { site } from './module.ts'
import { stylesheet } from './stylesheets.ts'

test('SITE_COLOR is refused when text on white would be hard to read', () => {
  const read = (SITE_COLOR: string) => readConfig([site], { SITE_COLOR })
  expect(() => read('#ffcc00')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('blue')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('#767676')).not.toThrow()
})

const rgb = (text: string) => parseColor(text) as Rgb
const part = fc.integer({ min: 0, max: 255 })

test('text in any colour is readable on every background, and so is text on the colour', () => {
  fc.assert(
    fc.property(fc.tuple(part, part, part), (color) => {
      const { light, dark, on } = shadesOf(color)
      for (const ground of backgrounds.light)
        expect(contrast(rgb(light), rgb(ground))).toBeGreaterThanOrEqual(readable)
      for (const ground of backgrounds.dark)
        expect(contrast(rgb(dark), rgb(ground))).toBeGreaterThanOrEqual(readable)
      expect(contrast(color, rgb(on))).toBeGreaterThanOrEqual(readable)
    }),
    { numRuns: 2_000 },
  )
})

test('a colour that is readable stays what it is', () => {
  for (const color of ['#1d4f91', '#7a0019', '#004d00']) expect(shadesOf(rgb(color)).light).toBe(color)
  expect(shadesOf(rgb('#ffcc00'))).toMatchObject({ dark: '#ffcc00', on: '#000000' })
})

test('the backgrounds are those of the stylesheet', () => {
  const named = (scheme: string) =>
    ['paper', 'wash', 'urgent-wash', 'warn-wash'].map(
      (name) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(scheme)?.[1],
    )
  const [light = '', dark = ''] = stylesheet.split('@media (prefers-color-scheme: dark)')
  expect([named(light), named(dark)]).toEqual([backgrounds.light, backgrounds.dark])
})
