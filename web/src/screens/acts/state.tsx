import { useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

type State = components['schemas']['ManagedAct']['state']

const tones: Record<State, Tone> = {
  draft: 'warn',
  published: 'good',
  superseded: 'plain',
  archived: 'plain',
  occulted: 'bad',
}

export function StateBadge({ state }: { state: State }) {
  const words = useTranslations('espace.acts.states')
  return <Badge tone={tones[state]}>{words(state)}</Badge>
}
