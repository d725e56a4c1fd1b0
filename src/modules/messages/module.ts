import { sql } from 'kysely'
import { settingsOf } from '../../platform/config/config.ts'
import { beginsWords, newestWith } from '../../platform/database/search.ts'
import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { DailyCounts, Module, Waiting } from '../../platform/module.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'
import { assigningRoutes } from './assigning.ts'
import { bulkRoutes } from './bulk.ts'
import { draftRoutes } from './drafts.ts'
import { readMailsHandler, readMailsSchedules } from './inbox/jobs.ts'
import { draftsOfPerson, mailsOfPerson, threadsOfPerson } from './personal.ts'
import { readThreadsRoutes } from './reading.ts'
import { thread } from './record.ts'
import { replyMails, sendReplyHandler } from './replying/jobs.ts'
import { replyRoutes } from './replying/routes.admin.ts'
import { messagesSettings } from './settings.ts'
import { threadStatesRoutes } from './states.ts'
import { writeMessageRoutes } from './writing.ts'

const threadsSearchSource: SearchSource = {
  kind: 'thread',
  shown: sql`
    select t.subject as label, coalesce(t.nom, t.email) as detail from support_threads t where t.id = found.id`,
  ways: (q) => [
    ...(/^#?[0-9]{1,9}$/.test(q)
      ? [
          {
            ids: sql`select id from support_threads where number = ${Number(q.replace('#', ''))}`,
            exact: true,
          },
        ]
      : []),
    {
      ids: newestWith({
        table: 'support_threads',
        time: 'last_message_at',
        matches: beginsWords(sql`r.search`, q),
        limit: maxFound,
      }),
    },
  ],
}

const threadsWaiting: Waiting = {
  key: 'threads',
  area: 'messages',
  rows: () => sql`
    select count(*) as count, min(last_message_at) as oldest_at from support_threads where unread`,
}

/** Number per day. */
const threadsDaily: DailyCounts = {
  threads: {
    description: 'Support threads begun',
    count: (since, until) => sql`
      select count(*) from support_threads t where t.created_at >= ${since} and t.created_at < ${until}`,
  },
}

/** Maps database constraints to API errors. */
const messagesConstraints: ConstraintErrors = {
  support_threads_commune: () =>
    invalid('commune_id', { en: 'is not an existing commune', fr: 'n’est pas une commune existante' }),
}

/** Deletes old closed threads with their messages. */
const deleteClosedThreads = deletionAfterMonths('support_threads', 'closed_at')

export const messages = {
  name: 'messages',
  about: 'What the public writes to the support, and answers by e-mail',
  routes: {
    publicWrites: writeMessageRoutes,
    admin: {
      area: 'messages',
      routes(scope, deps) {
        readThreadsRoutes(scope, deps)
        replyRoutes(scope, deps)
        threadStatesRoutes(scope, deps)
        assigningRoutes(scope, deps)
        draftRoutes(scope, deps)
        bulkRoutes(scope, deps)
      },
    },
  },
  constraints: messagesConstraints,
  audited: [thread],
  jobs: {
    handlers: (deps) => [sendReplyHandler(deps), readMailsHandler(deps)],
    schedules: readMailsSchedules,
  },
  office: {
    daily: threadsDaily,
    waiting: [threadsWaiting],
    searchSources: [threadsSearchSource],
    mails: [replyMails],
  },
  settings: {
    own: messagesSettings,
    limits: { support: '20/hour' },
    off: [
      {
        setting: 'MAIL_INBOX_URL',
        isOff: (config) => {
          const { inbox, replyTo } = settingsOf(config, messagesSettings)
          return inbox === null && replyTo === null
        },
        effect: {
          en: 'Nobody reads answers to the mails of the support.',
          fr: 'Personne ne lit les réponses aux courriels de l’assistance.',
        },
        isAdvised: true,
        docs: 'operations.md#mail',
      },
    ],
  },
  personal: [draftsOfPerson, mailsOfPerson, threadsOfPerson],
  retention: [{ name: 'threads', months: 36, sweep: deleteClosedThreads }],
} satisfies Module
