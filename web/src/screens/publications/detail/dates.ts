import { useFormatter } from 'use-intl'
import { noonOf, withFirst } from '../../../ui/moment.ts'

type When = Record<'date_debut' | 'date_fin' | 'heure_debut' | 'heure_fin', string | null>

/** Formats the days and hours of an event; empty without dates. Skips an incomplete date. */
export function useDates() {
  const format = useFormatter()
  const dayOf = (date: string) => {
    const noon = noonOf(date)
    return Number.isNaN(noon.getTime()) ? [] : [withFirst(format.dateTime(noon, { dateStyle: 'full' }))]
  }
  return ({ date_debut, date_fin, heure_debut, heure_fin }: When): string => {
    const days = [...new Set([date_debut, date_fin])].flatMap((date) => (date ? dayOf(date) : []))
    const hours = [...new Set([heure_debut, heure_fin])].flatMap((hour) => (hour ? [hour.slice(0, 5)] : []))
    if (days.length === 0) return ''
    return [days.join(' – '), hours.join(' – ')].filter(Boolean).join(', ')
  }
}
