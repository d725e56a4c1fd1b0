import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { World } from '../../../test/support/world.ts'

export const rounds = process.env.PARVIS_TEST_LONG ? 20 : 2

export const message = 'Je suis la présidente du club depuis mars.'
/** Contact of an anonymous claimant, which is required. */
export const telephone = '01 99 00 12 34'

type Fields = { nom?: string; email?: string; telephone?: string; message?: string }

/** Helpers for tests about claims. */
export function claimsKit({ db, post, acteur, outbox }: World) {
  async function claim(fields: Fields & { acteur?: { id: string }; token?: string } = {}): Promise<string> {
    const { acteur: claimed = await acteur(), token, ...body } = fields
    const reachable = token === undefined && body.email === undefined ? { telephone } : {}
    const given = { acteur_id: claimed.id, message, ...reachable, ...body }
    const answer = await post('/claims', given, token === undefined ? {} : { token })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data.id
  }
  return {
    claim,
    /** The row in the database. */
    stored: (id: string) =>
      db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    claimsOf: (acteurId: string) =>
      db
        .selectFrom('claims')
        .select(['id', 'status'])
        .where('acteur_id', '=', acteurId)
        .orderBy('id')
        .execute(),
    auditEntries: (entityId: string) =>
      db.selectFrom('audit_log').selectAll().where('entity_id', '=', entityId).orderBy('id').execute(),
    membersOf: (acteurId: string) =>
      db
        .selectFrom('actor_users')
        .select(['user_id', 'role', 'permissions'])
        .where('acteur_id', '=', acteurId)
        .execute(),
    age: (id: string, days: number) =>
      db
        .updateTable('claims')
        .set({ created_at: sql`created_at - make_interval(days => ${days}::int)` })
        .where('id', '=', id)
        .execute(),
    /** Messages in the outbox about this claim. */
    async mails(id: string): Promise<string[]> {
      const files = (await readdir(outbox)).filter((file) => file.includes(id) && file.endsWith('.eml'))
      return Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')))
    },
  }
}
