import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import type { ListedPublication } from '../queries.ts'

const tones = {
  pending: 'warn',
  approved: 'accent',
  undated: 'warn',
  published: 'good',
  rejected: 'plain',
  deleted: 'bad',
} as const

type StatusProps = { publication: Pick<ListedPublication, 'moderation_status' | 'publie_le' | 'deleted_at'> }

export function Status({ publication }: StatusProps) {
  const words = useTranslations('queue.status')
  const status = statusOf(publication)
  return <Badge tone={tones[status]}>{words(status)}</Badge>
}

/** An accepted publication is scheduled only until its time has come, and not at all without one. */
function statusOf({ moderation_status, publie_le, deleted_at }: StatusProps['publication']) {
  if (deleted_at !== null) return 'deleted'
  if (moderation_status !== 'approved') return moderation_status
  if (publie_le === null) return 'undated'
  return new Date(publie_le).getTime() > Date.now() ? 'approved' : 'published'
}
