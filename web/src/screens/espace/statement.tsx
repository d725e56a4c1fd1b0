import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Complain, OwnComplaint } from '../../shell/complain.tsx'
import { Notice } from '../../ui/notice.tsx'
import { complain, type Statement } from './queries.ts'

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
      {complaint !== null && <OwnComplaint complaint={complaint} />}
    </Notice>
  )
}

/** Button by which the reader of a statement objects to the decision. */
export function Contest({ statement }: { statement: Statement }) {
  const client = useQueryClient()
  return (
    <Complain
      contested={statement}
      send={(text) => complain(statement.id, text)}
      onSent={() => void client.invalidateQueries({ queryKey: ['publications', 'statements'] })}
    />
  )
}
