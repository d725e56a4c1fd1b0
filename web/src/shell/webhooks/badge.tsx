import { useTranslations } from 'use-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Webhook } from './queries.ts'

const tones: Record<'disabled' | 'failing' | 'enabled', Tone> = {
  disabled: 'bad',
  failing: 'warn',
  enabled: 'good',
}

export function WebhookBadge({ webhook: { disabled_at, failing_since } }: { webhook: Webhook }) {
  const words = useTranslations('webhooks.states')
  const state = disabled_at !== null ? 'disabled' : failing_since !== null ? 'failing' : 'enabled'
  return <Badge tone={tones[state]}>{words(state)}</Badge>
}
