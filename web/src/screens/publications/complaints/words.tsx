import { useTranslations } from 'use-intl'
import { isLate } from '../../../shell/navigation/counts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Ago } from '../../../ui/time.tsx'
import { type Complaint, stateOf, tones } from './queries.ts'

/** Names what a complaint is about, and the person who complains. */
export function useAbout() {
  const words = useTranslations('complaints')
  return {
    decidedOf: ({ restriction, outcome }: Complaint) =>
      restriction === null ? words(`outcomes.${outcome ?? 'kept'}`) : words(`restrictions.${restriction}`),
    whoOf: ({ about, user }: Complaint) =>
      about === 'report' ? words('reporter') : (user?.nom ?? words('unnamed')),
  }
}

export function State({ complaint }: { complaint: Complaint }) {
  const words = useTranslations('complaints')
  const state = stateOf(complaint)
  return <Badge tone={tones[state]}>{words(`states.${state}`)}</Badge>
}

/** How long ago somebody complained; red once an open complaint is late. */
export function Age({ complaint: { decision, created_at } }: { complaint: Complaint }) {
  const words = useTranslations('complaints')
  return (
    <Row as="span">
      <Ago at={created_at} />
      {decision === null && isLate(created_at) && <Badge tone="bad">{words('late')}</Badge>}
    </Row>
  )
}
