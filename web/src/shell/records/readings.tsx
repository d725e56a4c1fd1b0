import { useFormatter, useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { DaysChart, DaysTable } from '../../ui/days.tsx'
import { Soft } from '../../ui/layout.tsx'
import { noonOf } from '../../ui/moment.ts'

type Readings = components['schemas']['Readings']

/** How often a publication was read, with what that counts, and its last thirty days. */
export function ReadingsOfOne({ readings }: { readings: Readings }) {
  const words = useTranslations('readings')
  const counts = useWhatCounts(readings)
  const [one] = readings.records
  if (one === undefined) return null
  const { total, last_30_days: recent } = one
  return (
    <>
      <Soft>
        {words('ofOne', { total, recent })} {counts}
      </Soft>
      <RecentReadings readings={readings} />
    </>
  )
}

/** The last thirty days, as a chart and as a table; nothing if nobody read anything. */
export function RecentReadings({ readings: { days } }: { readings: Readings }) {
  const words = useTranslations('readings')
  if (days.every(({ count }) => count === 0)) return null
  const title = words('days')
  return (
    <>
      <DaysChart name={title} days={days} />
      <DaysTable title={title} columns={[{ id: 'count', title: words('title') }]} days={days} />
    </>
  )
}

/** Says what was counted, since when, and what was not. */
export function useWhatCounts(readings: Readings | undefined): string {
  const words = useTranslations('readings')
  const format = useFormatter()
  if (readings === undefined) return ''
  const { since, behind_edge } = readings
  return [
    words('counts'),
    since === null
      ? words('nothing')
      : words('since', { day: format.dateTime(noonOf(since), { dateStyle: 'long' }) }),
    behind_edge ? words('behindEdge') : '',
  ]
    .filter(Boolean)
    .join(' ')
}
