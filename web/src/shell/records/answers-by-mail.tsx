import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, got } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { TitleLink } from './links.tsx'

const answersQuery = (about: string) =>
  queryOptions({
    queryKey: ['threads', 'about', about],
    queryFn: ({ signal }) =>
      got(api.GET('/api/v1/admin/messages/threads', { signal, params: { query: { about, per_page: 20 } } })),
  })

type AnswersProps = {
  /** Id of the record. */
  about: string
  /** The areas that the user opens. */
  areas: readonly string[]
}

/** Threads that began as answers to a mail about a record, for those who read messages. Nothing while there is none. */
export function AnswersByMail({ about, areas }: AnswersProps) {
  const words = useTranslations('answersByMail')
  const { data } = useQuery({ ...answersQuery(about), enabled: areas.includes('messages') })
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title={words('title')}>
      <Lines label={words('title')}>
        {data.data.map(({ id, nom, email, subject, excerpt, unread, last_message_at }) => (
          <OneLine
            key={id}
            icon="mail"
            title={
              <TitleLink to="/messages" search={{ selected: id, status: 'all' }}>
                {subject}
              </TitleLink>
            }
            badge={unread && <Badge tone="accent">{words('unread')}</Badge>}
            note={
              <>
                {nom ?? email ?? words('erased')} · <Ago at={last_message_at} />
              </>
            }
          >
            {excerpt}
          </OneLine>
        ))}
      </Lines>
    </Section>
  )
}
