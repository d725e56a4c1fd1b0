import { raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { mailsList } from './listing.ts'
import { kindsOf, presentMail, resendMail } from './rules.ts'
import { ById, ListedMail, MailsQuery } from './schema.ts'

export function mailsAdminRoutes(scope: SignedInScope, { db, lists, jobs, modules }: Deps): void {
  const kinds = kindsOf(modules)
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))

  scope.get(
    '/admin/mails',
    {
      schema: {
        operationId: 'listMails',
        summary: 'Mails about records, of all kinds, and what became of each',
        querystring: MailsQuery,
        response: { 200: ListPage(ListedMail) },
      },
    },
    async ({ query, caller, headers }) => {
      const language = languageOf(headers['accept-language'])
      return listPage(lists, mailsList(kinds, query), query, (rows): ListedMail[] =>
        rows.map((row) => {
          const kind = byName.get(row.kind) ?? raise(new Error(`no kind of mail: ${row.kind}`))
          return presentMail(row, kind, caller.user.roles, language)
        }),
      )
    },
  )

  scope.post(
    '/admin/mails/:id/resend',
    {
      config: { audits: 'mail.resend', repeatable: true, refusals: ['conflict', 'mail_not_needed'] },
      schema: {
        operationId: 'resendMail',
        summary: 'Send a failed or uncertain mail again; 409 if its reason no longer exists',
        params: ById,
        response: { 200: record(ListedMail) },
      },
    },
    async ({ params, caller, headers }) => ({
      data: await resendMail(
        { db, jobs, modules },
        caller,
        params.id,
        languageOf(headers['accept-language']),
      ),
    }),
  )
}
