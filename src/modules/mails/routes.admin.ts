import { opens, type Role } from '../../platform/access/areas.ts'
import type { SignedIn } from '../../platform/access/caller.ts'
import { leftOf } from '../../platform/access/rules.ts'
import { append } from '../../platform/change.ts'
import { conflict, notFound, raise } from '../../platform/errors.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { type Language, languageOf } from '../../platform/http/language.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record, SettleBody } from '../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../platform/idempotency.ts'
import { type ListedMailKind, queueMailAgain, settleMail } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { mailNotNeeded } from './errors.ts'
import { findMail, lockMail, mailsList } from './listing.ts'
import { ById, ListedMail, MailsQuery, mailActions, type SelectedMail } from './schema.ts'

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

  scope.post(
    '/admin/mails/:id/settle',
    {
      config: { audits: 'mail.settle', refusals: ['conflict'] },
      schema: {
        operationId: 'settleMail',
        summary: 'Decide that nothing is to be done about an uncertain mail',
        description: 'It stays `uncertain`, and counts and notices leave it out. It can still be resent.',
        params: ById,
        body: SettleBody,
        response: { 200: record(ListedMail) },
      },
    },
    async ({ params, body, caller, headers }) => ({
      data: await settleUncertain(
        { db, modules },
        caller,
        params.id,
        body.reason,
        languageOf(headers['accept-language']),
      ),
    }),
  )
}

const kindsOf = (modules: Deps['modules']): ListedMailKind[] =>
  modules.flatMap(({ office }) => office?.mails ?? [])

/**
 * Queues a failed or uncertain mail again, once: state, job and audit entry commit together. The lock on its row makes a
 * concurrent resend find it queued, and an undo of its decision delete it or find it queued.
 */
function resendMail(
  { db, jobs, modules }: Pick<Deps, 'db' | 'jobs' | 'modules'>,
  caller: SignedIn,
  id: string,
  language: Language,
): Promise<ListedMail> {
  const kinds = kindsOf(modules)
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      const kind = (await lockMail(tx, kinds, id)) ?? raise(notFound())
      // Read after the lock, so that it shows what the previous holder wrote.
      const before = (await findMail(tx, kind, id)) ?? raise(notFound())
      if (!isUnsent(before)) throw conflict()
      if (!isNeeded(before)) throw mailNotNeeded()
      await queueMailAgain(tx, kind, id)
      await kind.enqueue(tx, jobs, id)
      await append(tx, caller, {
        action: 'mail.resend',
        kind: { entity: kind.entity, personal: [] },
        entityId: before.record_id,
        before: { email_status: before.email_status },
        after: { mail: kind.name, mail_id: id, email_status: 'queued' },
      })
      const after = (await findMail(tx, kind, id)) ?? raise(notFound())
      return presentMail(after, kind, caller.user.roles, language)
    }),
  )
}

/** Settles an uncertain mail once; the state and the audit entry commit together. */
function settleUncertain(
  { db, modules }: Pick<Deps, 'db' | 'modules'>,
  caller: SignedIn,
  id: string,
  reason: string,
  language: Language,
): Promise<ListedMail> {
  return db.transaction().execute(async (tx) => {
    const kind = (await lockMail(tx, kindsOf(modules), id)) ?? raise(notFound())
    const before = (await findMail(tx, kind, id)) ?? raise(notFound())
    if (before.email_status !== 'uncertain' || before.email_settled_at !== null) throw conflict()
    await settleMail(tx, kind, id)
    const after = (await findMail(tx, kind, id)) ?? raise(notFound())
    await append(tx, caller, {
      action: 'mail.settle',
      kind: { entity: kind.entity, personal: [] },
      entityId: before.record_id,
      after: { mail: kind.name, mail_id: id, reason },
    })
    return presentMail(after, kind, caller.user.roles, language)
  })
}

function presentMail(
  row: SelectedMail,
  kind: ListedMailKind,
  roles: readonly Role[],
  language: Language,
): ListedMail {
  const status = row.is_held ? ('held' as const) : row.email_status
  const needed = isNeeded(row)
  const isOpen = opens(roles, kind.area)
  return {
    id: row.id,
    kind: row.kind,
    kind_label: kind.title[language],
    status,
    status_at: row.email_status_at,
    attempts: row.email_tries,
    error: row.email_error,
    settled_at: row.email_settled_at,
    entity: kind.entity,
    record_id: row.record_id,
    record_name: isOpen ? row.record_name : null,
    recipient: isOpen ? row.recipient : null,
    needed,
    can: leftOf(mailActions, { status, needed, settled_at: row.email_settled_at }),
  }
}

const isUnsent = ({ email_status }: SelectedMail) => email_status === 'failed' || email_status === 'uncertain'

/** A mail also needs somebody who can receive it. */
const isNeeded = ({ is_needed, recipient }: SelectedMail) =>
  is_needed && recipient !== null && parseMailAddress(recipient) !== null
