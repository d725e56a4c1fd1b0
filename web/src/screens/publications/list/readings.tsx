import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ReadingsOfOne } from '../../../shell/records/readings.tsx'
import { Section } from '../../../ui/page.tsx'
import { readingsQuery } from '../queries.ts'

/** How often the public read a publication; nothing while it cannot and never did. */
export function PublicationReadings({ id, isVisible }: { id: string; isVisible: boolean }) {
  const words = useTranslations('readings')
  const { data } = useQuery(readingsQuery(id))
  if (!data || (!isVisible && data.records.every(({ total }) => total === 0))) return null
  return (
    <Section title={words('title')}>
      <ReadingsOfOne readings={data} />
    </Section>
  )
}
