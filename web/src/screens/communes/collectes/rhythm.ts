import { useLocale, useTranslations } from 'use-intl'
import type { Collecte } from '../queries.ts'
import { dayInWords } from './days.ts'
import { days } from './schedule.ts'

type Rhythm = Pick<Collecte, 'jours' | 'toutes_les_semaines' | 'rang'>

/** Returns a function that says when a collecte comes again, such as "Le 2e mercredi du mois"; empty without weekdays. */
export function useRhythm() {
  const words = useTranslations('communes.collectes.rhythm')
  const language = useLocale()
  const joined = new Intl.ListFormat(language)
  return ({ jours, toutes_les_semaines: weeks, rang }: Rhythm): string => {
    // The first of January 2024 was a Monday.
    const names = days.flatMap((day, at) =>
      jours.includes(day) ? [dayInWords(`2024-01-0${at + 1}`, language, { weekday: 'long' })] : [],
    )
    if (names.length === 0) return ''
    if (rang !== null) return words(`monthly.${rang}`, { day: joined.format(names) })
    if (weeks === 1) return words('weekly', { days: joined.format(names) })
    const each = joined.format(names.map((day) => words('each', { day })))
    return words('weeks', { days: each.charAt(0).toUpperCase() + each.slice(1), weeks })
  }
}
