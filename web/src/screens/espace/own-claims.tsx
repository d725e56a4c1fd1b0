import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { MailNote } from '../../shell/mail-place.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { ownClaimsQuery } from './queries.ts'

const tones = { pending: 'warn', approved: 'good', rejected: 'plain', expired: 'plain' } as const

/** The user's claims with their outcome, or those without success only; nothing if there is none. `isNew`: says what hides some. */
export function OwnClaims({ isShort = false, isNew = false }) {
  const words = useTranslations('espace.claims')
  const claims = useQuery(ownClaimsQuery)
  const { data: all = [], meta } = claims.data ?? {}
  const data = all.filter(({ status, missing }) => !isShort || status !== 'approved' || missing !== null)
  if (claims.isError) return <QueryState query={claims} lines={2} />
  const missing = isNew ? (meta?.missing ?? null) : null
  if (data.length === 0 && missing === null) return null
  return (
    <Section title={words('title')}>
      {missing && <p>{words(`missing.${missing}`)}</p>}
      <Lines label={words('title')}>
        {data.map(({ id, acteur, status, reason, created_at, questions, missing: lacks }) => (
          <OneLine
            key={id}
            icon="claim"
            title={acteur.nom}
            badge={<Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>}
            note={
              <>
                <Ago at={created_at} />
                {reason && <> · {words('reason', { reason })}</>}
                {lacks && <> · {words('support')}</>}
              </>
            }
          >
            {status === 'pending' && questions.length > 0 && (
              <Notice tone="info" title={words('asked')}>
                {questions.map(({ id: question, body }) => (
                  <p key={question}>{body}</p>
                ))}
                <p>{words('answer')}</p>
                <MailNote />
              </Notice>
            )}
          </OneLine>
        ))}
      </Lines>
    </Section>
  )
}
