import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { site } from '../module.ts'

test('SITE_COLOR is refused when text on white would be hard to read', () => {
  const read = (SITE_COLOR: string) => readConfig([site], { SITE_COLOR })
  expect(() => read('#ffcc00')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('blue')).toThrow(/SITE_COLOR must be a colour/)
  expect(() => read('#767676')).not.toThrow()
})
