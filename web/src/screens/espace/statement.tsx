import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Notice } from '../../ui/notice.tsx'
import type { Statement } from './queries.ts'

/** Statement of reasons: what a decision took, since when, by which rule, and why. */
export function StatementNotice({ statement, action }: { statement: Statement; action?: ReactNode }) {
  const words = useTranslations('espace.statement')
  const format = useFormatter()
  const { restriction, ground, reason, by_report, by_machine, decided_at, complaint } = statement
  const at = format.dateTime(new Date(decided_at), { dateStyle: 'long' })
  return (
    <Notice tone="warn" title={words(`restrictions.${restriction}`, { at })} action={action}>
      <p>
        <strong>{ground.label}</strong>. {ground.text} {ground.reference}
      </p>
      {reason !== null && <p>{words('reason', { reason })}</p>}
      <p>
        {words(by_report ? 'reported' : 'notReported')} {words(by_machine ? 'machine' : 'person')}
      </p>
      {complaint !== null && (
        <p>
          {words(complaint.decision ?? 'awaited', {
            at: format.dateTime(new Date(complaint.created_at), { dateStyle: 'long' }),
          })}{' '}
          {complaint.answer}
        </p>
      )}
    </Notice>
  )
}
