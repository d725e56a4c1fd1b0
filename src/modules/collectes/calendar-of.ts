import { isDeepStrictEqual } from 'node:util'
import { daysLater } from '../../platform/time/days.ts'
import { calendarBetween } from '../communes/calendar.ts'
import type { CollecteRow } from '../communes/schema.ts'
import { changeOf, type Member } from './plan.ts'
import type { CollecteImportCalendar } from './schema.ts'

type Calendar = Pick<CollecteImportCalendar, 'du' | 'au' | 'collectes'>

/** Returns twelve months of the collections of a commune, before and after; those that go come last. */
export function calendarOf(
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
  { departement }: Pick<Member, 'departement'>,
  today: string,
): Calendar {
  const [du, au] = [today, daysLater(today, 364)]
  const stored = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map(({ id }) => id))
  const daysOf = (row: CollecteRow | undefined) =>
    row === undefined
      ? []
      : calendarBetween(row, { from: du, to: au, departement }).days.flatMap(({ date, etat }) =>
          etat === 'passage' || etat === 'reportee_ici' ? [date] : [],
        )
  const shown = (row: CollecteRow, [was, is]: [CollecteRow | undefined, CollecteRow | undefined]) => {
    const { id, type_dechet, libelle, secteur } = row
    const change = is === undefined ? ('removed' as const) : changeOf(was, is)
    const fields = change === 'changed' && was && is ? fieldsOf(was, is) : []
    return { id, type_dechet, libelle, secteur, change, fields, jours: daysBoth(daysOf(was), daysOf(is)) }
  }
  const removed = before.filter(({ id }) => !kept.has(id))
  const collectes = [
    ...after.map((row) => shown(row, [stored.get(row.id), row])),
    ...removed.map((row) => shown(row, [row, undefined])),
  ]
  return { du, au, collectes }
}

const fieldsOf = (was: CollecteRow, is: CollecteRow): string[] =>
  (Object.keys(is) as (keyof CollecteRow)[]).filter((name) => !isDeepStrictEqual(was[name], is[name]))

function daysBoth(was: string[], is: string[]): Calendar['collectes'][number]['jours'] {
  const [before, after] = [new Set(was), new Set(is)]
  return [...before.union(after)].sort().map((date) => ({
    date,
    change: !before.has(date)
      ? ('added' as const)
      : after.has(date)
        ? ('same' as const)
        : ('removed' as const),
  }))
}
