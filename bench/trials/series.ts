import { daysLater } from '../../src/platform/time/days.ts'
import { type Bench, measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { created } from './long-work.ts'

/** Courses of a week, each a series of one year. */
const courses = 12

/** The page of a large commune, whose agenda also has courses every week. */
export async function pageWithSeries(bench: Bench): Promise<Row[]> {
  const { bigCommune, communeSlug, publishing } = bench.world
  const today = new Date().toISOString().slice(0, 10)
  for (let number = 0; number < courses; number++)
    await created(bench, '/publications', {
      ...{ acteur_id: publishing[number], title: `Cours ${number}`, body: 'Venez essayer.' },
      ...{ commune_ids: [bigCommune], date_debut: daysLater(today, number % 7) },
      recurrence: { regle: 'FREQ=WEEKLY;COUNT=52' },
    })
  const path = `/communes/${communeSlug}`
  return [
    await measure(bench, {
      name: `site, a commune's page, with ${courses} series`,
      requests: () => [{ method: 'GET', path, headers: { accept: 'text/html' } }],
      target: { p50Ms: 15 },
    }),
  ]
}
