import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Ago } from '../../ui/time.tsx'
import { QueryState } from '../query-state.tsx'
import styles from './latest.module.css'
import { type Decision, decisionsQuery } from './queries.ts'

type LatestProps = { onClose: () => void; onUndo: (decision: Decision) => void }

/** Dialog with the signed-in user's latest decisions; recent ones can be undone. */
export function LatestDecisions({ onClose, onUndo }: LatestProps) {
  const words = useTranslations('latest')
  const decisions = useQuery(decisionsQuery)
  return (
    <Dialog wide title={words('title')} isOpen onClose={onClose}>
      <QueryState query={decisions} lines={6} />
      {decisions.data?.length === 0 && <Empty icon="clock" title={words('empty')} />}
      <ul className={styles.list}>
        {decisions.data?.map((decision) => (
          <li key={decision.id} className={styles.line}>
            <div className={styles.words}>
              <strong className={styles.title}>{titleOf(decision, words)}</strong>
              <Soft as="span">
                {actionOf(decision, words)} · <Ago at={decision.decided_at} />
              </Soft>
            </div>
            {decision.undone_at !== null && <Badge>{words('undone')}</Badge>}
            {decision.can.includes('undo') && (
              <Button small onPress={() => onUndo(decision)}>
                {words('undo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type Words = ReturnType<typeof useTranslations<'latest'>>

function titleOf({ items }: Decision, words: Words): string {
  const [first] = items
  if (items.length > 1) return words('several', { count: items.length - 1, titre: first?.title ?? '' })
  return first?.title ?? words('untitled')
}

const known = [
  'moderate',
  'valide',
  'feature',
  'delete',
  'restore',
  'close_reports',
  'keep',
  'distinguish',
  'decide',
] as const

/** Says what was decided, where that is one status for all records. */
function actionOf({ kind, action, outcome }: Decision, words: Words): string {
  const name = nameOf(action)
  if (outcome === null) return words(`action.${name}`)
  if (kind === 'publication' && name === 'moderate') return words(`moderated.${outcome}`)
  if (kind === 'claim' && (outcome === 'approved' || outcome === 'rejected'))
    return words(`claimed.${outcome}`)
  return words(`action.${name}`)
}

/** Maps an audit action to its label by prefix: `publication.moderate_many` is `moderate`. */
function nameOf(action: string) {
  const [, verb = ''] = action.split('.')
  return known.find((name) => verb.startsWith(name)) ?? 'other'
}
