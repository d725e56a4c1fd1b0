import { useTranslations } from 'use-intl'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import type { Act } from './search.ts'

const tones: Record<Act['state'], Tone> = {
  draft: 'warn',
  published: 'good',
  superseded: 'plain',
  archived: 'plain',
  occulted: 'bad',
}

export function StateBadge({ state }: Pick<Act, 'state'>) {
  const words = useTranslations('espace.acts.states')
  return <Badge tone={tones[state]}>{words(state)}</Badge>
}
