import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, parseColor, type Rgb } from './color.ts'
import { fixed, paletteOf, readable } from './palette.ts'

const rgb = (text: string) => parseColor(text) as Rgb
const part = fc.integer({ min: 0, max: 255 })

test('of 4 000 colours each gives text, buttons and a foot that are readable, in both schemes', () => {
  fc.assert(
    fc.property(fc.tuple(part, part, part), (color) => {
      const { light, dark } = paletteOf(color)
      for (const ground of [light.wash, fixed.light.paper, fixed.light.card]) {
        expect(contrast(rgb(light.deep), rgb(ground))).toBeGreaterThanOrEqual(readable.text)
        for (const text of [fixed.light.ink, fixed.light.soft])
          expect(contrast(rgb(text), rgb(ground))).toBeGreaterThanOrEqual(readable.text)
      }
      for (const ground of [dark.wash, dark.paper, dark.card]) {
        expect(contrast(rgb(dark.deep), rgb(ground))).toBeGreaterThanOrEqual(readable.text)
        for (const text of [fixed.dark.ink, fixed.dark.soft])
          expect(contrast(rgb(text), rgb(ground))).toBeGreaterThanOrEqual(readable.text)
      }
      expect(contrast(rgb('#ffffff'), rgb(light.fill))).toBeGreaterThanOrEqual(readable.button)
      expect(contrast(rgb(dark['on-fill']), rgb(dark.fill))).toBeGreaterThanOrEqual(readable.button)
      for (const { night } of [light, dark])
        expect(contrast(rgb('#f4efe6'), rgb(night))).toBeGreaterThanOrEqual(readable.text)
    }),
    { numRuns: 4_000 },
  )
})

test('a fluorescent colour becomes calm, and a dark one stays what it is on buttons', () => {
  expect(paletteOf(rgb('#00ff00')).light.fill).not.toBe('#00ff00')
  expect(paletteOf(rgb('#1f6f78')).light.fill).toBe('#1f6f78')
})
