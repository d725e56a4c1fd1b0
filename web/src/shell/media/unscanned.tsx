import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'

/** Says that a file waits for the antivirus. */
export function Unscanned() {
  return <Badge tone="warn">{useTranslations('queue.media')('unscanned')}</Badge>
}
