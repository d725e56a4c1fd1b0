import communes from '@etalab/decoupage-administratif/data/communes.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { sampled } from '../../../test/support/sample.ts'
import { textOf } from '../html.ts'
import { edge, horizon, shield } from './drawings.ts'
import { colorOfLand, reliefOf } from './relief.ts'

const named = (communes as { code: string; nom: string; type: string }[]).filter(
  ({ type }) => type === 'commune-actuelle',
)
const landOf = ({ code, nom }: { code: string; nom: string }) => ({
  codeInsee: code,
  relief: reliefOf({ code_insee: code, nom }),
})
/** Shapes of whole numbers, by commands that every browser knows. */
const valid =
  /^<svg class="(?:horizon|edge|arms)" viewBox="0 0 \d+ \d+" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">(?:<path class="z[0-4snlo]s?" d="M[-\d. MLHVhvQqCcSsTtAalz]+"\/>)+<\/svg>$/

test('each of the 34 969 communes has a horizon of its own, of at most 4 kB', () => {
  expect(named.length).toBeGreaterThan(34_900)
  const drawnOnes = sampled(named, 0.1, ({ code }) => code)
  const seen = new Set<string>()
  for (const commune of drawnOnes) {
    const drawn = textOf(horizon(landOf(commune)))
    if (drawn.length > 4_000 || !valid.test(drawn)) expect.fail(`${commune.nom}: ${drawn.length} ${drawn}`)
    seen.add(drawn)
  }
  expect(seen.size).toBe(drawnOnes.length)
})

test('a horizon, the edge of the foot and the shield stay the same for ever', () => {
  const land = landOf({ code: '73065', nom: 'Chambéry' })
  const drawn = [horizon(land), edge(land), shield(land)].map(textOf)
  for (const one of drawn) expect(one).toMatch(valid)
  expect(drawn.map((one) => one.slice(0, 300))).toMatchSnapshot()
})

test.each([
  [{ code_insee: '73065', nom: 'Chambéry' }, 'montagne'],
  [{ code_insee: '51108', nom: 'Châlons-en-Champagne' }, 'plaine'],
  [{ code_insee: '63113', nom: 'Clermont-Ferrand' }, 'colline'],
  [{ code_insee: '13055', nom: 'Marseille' }, 'mer'],
  [{ code_insee: '62160', nom: 'Boulogne-sur-Mer' }, 'mer'],
  [{ code_insee: '97411', nom: 'Saint-Denis' }, 'mer'],
  // Inland, whatever the name.
  [{ code_insee: '60639', nom: 'Un Village-sur-Mer' }, 'plaine'],
] as const)('the land of %o is %s', (commune, relief) => {
  expect(reliefOf(commune)).toBe(relief)
})

test('a town that has chosen no colour gets one of its land, always the same', () => {
  const land = landOf({ code: '73065', nom: 'Chambéry' })
  expect(colorOfLand(land)).toBe(colorOfLand(land))
  expect(new Set(named.slice(0, 2_000).map((one) => colorOfLand(landOf(one)))).size).toBeGreaterThan(6)
})
