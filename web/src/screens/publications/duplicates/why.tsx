import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { groundsQuery } from '../../../shell/deciding/queries.ts'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { type Why, whyOf } from '../../../shell/deciding/why.ts'
import type { Group } from './queries.ts'

type Given = { key: string; why: Why; clear: () => void }

/** Ground and reason by which the others of a group are rejected; the service has a ground for those without one. */
export function useWhy(group: Group | undefined) {
  const words = useTranslations('duplicates')
  const [asking, setAsking] = useState<Group | null>(null)
  const [latest, setLatest] = useState<Given | null>(null)
  const given = latest !== null && latest.key === group?.key ? latest : null
  const { data: grounds = [] } = useQuery({ ...groundsQuery, enabled: given !== null })
  const label = grounds.find(({ code }) => code === given?.why.ground)?.label
  const said = [label, given?.why.reason].filter(Boolean).join('. ')
  return {
    why: given?.why ?? {},
    onSuccess: given?.clear,
    label: said === '' ? words('why') : words('whyGiven', { why: said }),
    ask: () => setAsking(group ?? null),
    dialog: asking && (
      <ReasonDialog
        purpose="duplicates"
        kind={null}
        title={words('why')}
        ids={asking.members.map(({ id }) => id)}
        onClose={() => setAsking(null)}
        onSend={(reason, clear, ground) =>
          void whyOf(reason, ground).then((why) => setLatest({ key: asking.key, why, clear }))
        }
      />
    ),
  }
}
