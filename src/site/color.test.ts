import { expect, test } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { contrast, lightened, parseColor } from './color.ts'
import { site } from './module.ts'

test('SITE_COLOR is refused when text on white would be hard to read', () => {
  const read = (SITE_COLOR: string) => readConfig([site], { SITE_COLOR })
  expect(() => read('#ffcc00')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('blue')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('#767676')).not.toThrow()
})

test('the colour for the dark scheme is readable on the dark background', () => {
  const dark = [22, 24, 27] as const
  for (const color of ['#000000', '#1d4f91', '#7a0019', '#004d00']) {
    const light = parseColor(lightened(parseColor(color) ?? dark, dark, 5)) ?? dark
    expect(contrast(light, dark)).toBeGreaterThanOrEqual(5)
  }
})
