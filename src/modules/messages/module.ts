import { settingsOf } from '../../platform/config/config.ts'
import type { Module } from '../../platform/module.ts'
import { assigningRoutes } from './assigning.ts'
import { bulkRoutes } from './bulk.ts'
import { messagesConstraints } from './constraints.ts'
import { draftRoutes } from './drafts.ts'
import { draftsOfPerson, threadsOfPerson } from './personal.ts'
import { readThreadsRoutes } from './reading.ts'
import { thread } from './record.ts'
import { replyMails, sendReplyHandler } from './replying/jobs.ts'
import { replyRoutes } from './replying/routes.admin.ts'
import { deleteClosedThreads } from './retention.ts'
import { threadsSearchSource } from './search-source.ts'
import { messagesSettings } from './settings.ts'
import { threadStatesRoutes } from './states.ts'
import { threadsDaily, threadsWaiting } from './waiting.ts'
import { writeMessageRoutes } from './writing.ts'

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
  jobs: (deps) => [sendReplyHandler(deps)],
  mails: [replyMails],
  limits: { support: '20/hour' },
  settings: messagesSettings,
  personal: [draftsOfPerson, threadsOfPerson],
  settingsOff: [
    {
      setting: 'SUPPORT_REPLY_TO',
      isOff: (config) => settingsOf(config, messagesSettings).replyTo === null,
      effect: {
        en: 'Nobody reads answers to the mails of the support.',
        fr: 'Personne ne lit les réponses aux courriels de l’assistance.',
      },
      isAdvised: true,
      docs: 'operations.md#mail',
    },
  ],
  retention: [{ name: 'threads', months: 36, sweep: deleteClosedThreads }],
  daily: threadsDaily,
  waiting: [threadsWaiting],
  searchSources: [threadsSearchSource],
} satisfies Module
