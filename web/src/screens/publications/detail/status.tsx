import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import type { Listed } from '../queries.ts'

const tones = { pending: 'warn', approved: 'accent', published: 'good', rejected: 'plain' } as const

export function Status({ publication }: { publication: Pick<Listed, 'moderation_status' | 'deleted_at'> }) {
  const words = useTranslations('queue')
  const { moderation_status, deleted_at } = publication
  if (deleted_at !== null) return <Badge tone="bad">{words('status.deleted')}</Badge>
  return <Badge tone={tones[moderation_status]}>{words(`status.${moderation_status}`)}</Badge>
}
