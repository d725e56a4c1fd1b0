import { readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

/**
 * Cuts the fonts of the site to what French needs, from the packages of Fontsource: 30 kB in all, which a first visit
 * loads beside the page. Other letters are shown in the fonts of the device. Run it after an update of a font:
 * `bin/node tools/fonts.ts`.
 */

const between = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at))
const unused = /[¢£¤¥¦§¨ª¬®¯±¶¸¹º¼¾ÃÅÐÕØÝÞãåðõøýþ¡¿µ³]/g
const letters = `${between(0x20, 0x7e)}${between(0xa0, 0xff).replaceAll(unused, '')}ŒœŸ‘’“”–—…•€→←−\u202f\u2011`

const fonts = [
  {
    from: '@fontsource/young-serif/files/young-serif-latin-400-normal.woff2',
    to: 'young-serif.woff2',
    options: {},
  },
  {
    from: '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    to: 'atkinson.woff2',
    options: { variationAxes: { wght: { min: 400, max: 700 } } },
  },
]

for (const { from, to, options } of fonts) {
  const whole = readFileSync(new URL(`../node_modules/${from}`, import.meta.url))
  const cut = await subsetFont(whole, letters, { targetFormat: 'woff2', noHinting: true, ...options })
  writeFileSync(new URL(`../src/site/look/fonts/${to}`, import.meta.url), cut)
  process.stdout.write(`${to}: ${cut.length} bytes\n`)
}
