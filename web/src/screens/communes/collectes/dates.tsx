import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { useCommuneEditing } from '../editing.ts'
import { Calendar } from './calendar.tsx'
import styles from './collectes.module.css'
import { DayPanel } from './day-panel.tsx'
import { dayInWords, daysLater, monthOf, todayInParis } from './days.ts'
import { Holidays } from './holidays.tsx'
import { PasteDates } from './paste-dates.tsx'
import { previewOf, type ScheduleFields } from './schedule.ts'

const debounceMs = 250

type DatesProps = {
  communeId: string
  typed: ScheduleFields
  onChange: (changed: Partial<ScheduleFields>) => void
}

/** The dates that the public will get, drawn while the user types, with exceptions by day. */
export function CollecteDates({ communeId, typed, onChange }: DatesProps) {
  const words = useTranslations('communes.calendar')
  const language = useLocale()
  const [chosen, setChosen] = useState(todayInParis)
  const first = `${monthOf(chosen)}-01`
  const schedule = useDebounced(previewOf(typed), debounceMs)
  const editing = useCommuneEditing()
  const body = { ...schedule, du: first, au: daysLater(first, 30) }
  const preview = useQuery({
    queryKey: ['collecte-preview', communeId, body],
    queryFn: ({ signal }) => editing.preview(communeId, body, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  const days = preview.data?.jours ?? []
  const isRefused = preview.error instanceof ApiFailure && preview.error.status === 422
  return (
    <section className={styles.dates} aria-label={words('title')}>
      <h3>{words('title')}</h3>
      {preview.isError && isRefused && <Notice tone="warn" title={words('unfinished')} />}
      {preview.isError && !isRefused && (
        <ShownFailure error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      <Calendar
        label={words('title')}
        days={days}
        today={todayInParis()}
        chosen={chosen}
        onChoose={setChosen}
      />
      <DayPanel
        key={chosen}
        date={chosen}
        day={days.find(({ date }) => date === chosen)}
        typed={typed}
        onChange={onChange}
      />
      {!isRefused && <Holidays communeId={communeId} typed={typed} schedule={schedule} onChange={onChange} />}
      <PasteDates typed={typed} onChange={onChange} />
      {preview.data && (
        <Soft>
          {preview.data.prochaines.length === 0
            ? words('noDate')
            : words('next', {
                dates: preview.data.prochaines
                  .map((date) =>
                    dayInWords(date, language, { weekday: 'short', day: 'numeric', month: 'short' }),
                  )
                  .join(', '),
              })}
        </Soft>
      )}
      {preview.data && preview.data.sans_effet.length > 0 && (
        <Soft>
          {words('useless', {
            dates: preview.data.sans_effet
              .map((date) => dayInWords(date, language, { day: 'numeric', month: 'short', year: 'numeric' }))
              .join(', '),
          })}
        </Soft>
      )}
    </section>
  )
}
