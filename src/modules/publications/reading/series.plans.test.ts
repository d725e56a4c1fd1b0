import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import { explain, readWhole } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublications } from '../publications.test-kit.ts'
import { mapNextDates, maxDatesOfSeries } from './series.ts'

const { database, bigActeur } = await cloneManyPublications(manyRows)
const world = await openWorld({ database })

test('the next dates of series are found by their index, and no more are read than are shown', async () => {
  const acteur_id = bigActeur
  const date_debut = '2026-12-01'
  const title = 'Soirée bloc'
  await insertPublications(world, Array(500).fill({ acteur_id, title, date_debut }))
  const past = await insertPublications(
    world,
    Array(500).fill({ acteur_id, title, date_debut: '2025-12-01' }),
  )
  const named = (titre: string) => ({
    ...{ id: past[0]?.id ?? '', acteur_id, titre, date_debut, recurrence: null, lieu: null },
  })
  const asked = [named(title), ...Array.from({ length: 19 }, (_, at) => named(`Sans autre date ${at}`))]
  const made = await statementsAbout(/with wanted as/, async () => {
    const found = await mapNextDates(world.db, asked, '2026-11-29', null)
    expect([...found.values()].map(({ length }) => length)).toEqual([maxDatesOfSeries])
  })
  expect(made).toHaveLength(1)
  const steps = (await Promise.all(made.map((one) => explain(world.pool, one)))).flat()
  expect(readWhole(steps)).not.toContain('publications')
  const read = steps.filter((step) => step['Relation Name'] === 'publications')
  expect(read.map((step) => step['Index Name'])).toEqual(['publications_of_series'])
  expect(Math.max(...read.map((step) => step['Actual Rows'] * step['Actual Loops']))).toBeLessThan(150)
})
