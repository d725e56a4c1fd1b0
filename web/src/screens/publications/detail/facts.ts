import { useFormatter, useLocale, useTranslations } from 'use-intl'
import {
  contentNames,
  type Field,
  namesOf,
  publicationFields,
} from '../../../../../src/modules/publications/fields.ts'
import type { components } from '../../../api/api.generated.ts'
import { createStore } from '../../../api/store.ts'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { asFrenchWrites, noonOf } from '../../../ui/moment.ts'

export type Content = Pick<components['schemas']['Publication'], (typeof contentNames)[number]>

type Fact = { label: string; text: string; isLink: boolean }

/**
 * Returns what a publication says beside its title, type, picture and text, field by field: days and hours as one. Empty
 * fields are left out, also those that a version does not store.
 */
export function useFacts(): (content: Partial<Content>) => Fact[] {
  const words = useTranslations('queue')
  const labelOf = useFieldLabels()
  const dates = useDates()
  const lang = useLocale() === 'en' ? 'en' : 'fr'
  const seriesInWords = recurrenceWords.use()?.seriesInWords
  const series = ({ recurrence, date_debut }: Partial<Content>) => {
    if (!recurrence || !date_debut) return ''
    if (seriesInWords === undefined) loadRecurrenceWords()
    return seriesInWords?.(recurrence, date_debut, lang) ?? '…'
  }
  return (content) =>
    contentNames.flatMap((name) => {
      const { kind } = publicationFields[name] as Field
      const isDates = name === firstDay
      const text = isDates
        ? dates(content)
        : kind === 'recurrence'
          ? series(content)
          : kind in texts
            ? texts[kind as keyof typeof texts](content[name])
            : ''
      const label = isDates ? words('dates') : labelOf(name)
      return text === '' ? [] : [{ label, text, isLink: kind === 'link' }]
    })
}

/** Few publications repeat: what says how loads with the first that does. */
const recurrenceWords = createStore<RecurrenceWords | null>(null)
type RecurrenceWords = typeof import('../../../../../src/modules/publications/recurrence-words.ts')
const loadRecurrenceWords = () =>
  void import('../../../../../src/modules/publications/recurrence-words.ts').then(
    recurrenceWords.set,
    () => {},
  )

const [firstDay] = namesOf('day')

const plain = (value: unknown) => (typeof value === 'string' ? value : '')

/** The kinds of fields that are facts; days and hours are shown together. */
const texts = {
  place: (lieu: unknown) => placeInWords((lieu ?? null) as Content['lieu']),
  link: plain,
  line: plain,
}

/** Formats a place: its name, its address, its coordinates. */
function placeInWords(lieu: Content['lieu']): string {
  if (lieu === null) return ''
  const { nom, adresse, latitude, longitude } = lieu
  const point = latitude === null || longitude === null ? null : `${latitude}, ${longitude}`
  return [nom, adresse, point].filter(Boolean).join(', ')
}

/** Formats the days and hours of an event; empty without dates. Skips an incomplete date. */
function useDates() {
  const format = useFormatter()
  const dayOf = (date: string) => {
    const noon = noonOf(date)
    return Number.isNaN(noon.getTime()) ? [] : [asFrenchWrites(format.dateTime(noon, { dateStyle: 'full' }))]
  }
  return ({ date_debut, date_fin, heure_debut, heure_fin }: Partial<Content>): string => {
    const days = [...new Set([date_debut, date_fin])].flatMap((date) => (date ? dayOf(date) : []))
    const hours = [...new Set([heure_debut, heure_fin])].flatMap((hour) => (hour ? [hour.slice(0, 5)] : []))
    if (days.length === 0) return ''
    return [days.join(' – '), hours.join(' – ')].filter(Boolean).join(', ')
  }
}
