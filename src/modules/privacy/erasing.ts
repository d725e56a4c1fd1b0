import type { Transact } from '../../platform/database/dry-run.ts'
import { unavailable } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { personalOf, type RouteDeps } from '../../platform/module.ts'
import { erasePerson } from './erase.ts'
import { describeUnsure } from './finding.ts'
import { askedOf } from './person.ts'
import { EraseBody, ErasedPerson } from './schema.ts'

/** Below the timeout of most proxies. */
const longestMs = 50_000

type Tools = Pick<
  RouteDeps,
  'db' | 'reads' | 'jobs' | 'modules' | 'config' | 'clock' | 'digests' | 'onOwnConnection'
>

export function erasingRoutes(scope: SignedInScope, tools: Tools): void {
  const { reads, modules, config, onOwnConnection } = tools
  scope.post(
    '/admin/people/erase',
    {
      config: {
        audits: 'person.erase',
        refusals: ['last_admin'],
        confirms: ({ body }) => (body as EraseBody).dry_run !== true,
      },
      schema: {
        operationId: 'erasePerson',
        summary: 'Erase what identifies a person, in one transaction; this cannot be undone',
        description:
          'Rows, counts and the audit log stay. The last administrator cannot be erased. `unsure` names what was left out because another account made it: `also` includes such a record. What takes longer than 50 s is rolled back: `npm run privacy` has no such limit, and it also reports texts of others that still contain the address.',
        body: EraseBody,
        response: { 200: record(ErasedPerson) },
      },
    },
    async ({ body: { dry_run = false, ...asked }, caller, headers }) => {
      const language = languageOf(headers['accept-language'])
      // A connection of its own: no statement timeout of requests, and no connection that other writes need.
      const signal = AbortSignal.timeout(longestMs)
      const transact: Transact = (work) => onOwnConnection(signal, (tx) => work(tx))
      const { person, unsure, changed } = await erasePerson(tools, askedOf(asked), {
        ...{ dryRun: dry_run, caller, transact },
      }).catch((error) => {
        throw signal.aborted ? unavailable(error) : error
      })
      const all = personalOf(modules, config)
      const places = Object.entries(changed).flatMap(([name, ids]) => {
        const { title, erasure } = all.find((one) => one.name === name) ?? ofJobs
        return ids.length === 0
          ? []
          : { name, title: title[language], erasure: erasure[language], rows: ids.length }
      })
      return {
        data: {
          ...{ user_ids: person.userIds, emails: person.emails, dry_run, places },
          unsure: await describeUnsure({ reads, modules, config, language }, person, unsure),
        },
      }
    },
  )
}

const ofJobs = {
  title: { en: 'Jobs and queued mails', fr: 'Tâches et courriels en attente' },
  erasure: { en: 'Deleted, so that no more mail is sent.', fr: 'Supprimés : plus aucun courriel ne part.' },
}
