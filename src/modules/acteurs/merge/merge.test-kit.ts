import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { World } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { moveAll } from './jobs.ts'

type WithId = { id: string }

/** Helpers for tests about merges. */
export function mergeKit(world: World) {
  const { db, config, jobs, user, commune } = world
  const tools = { db, config, jobs, modules }
  const author = { user: null, source: null, requestId: null }

  /** Runs the job and kills it after each batch, until nothing is left. Returns how often it was killed. */
  async function runMerge({ id }: WithId, batch = 200): Promise<number> {
    for (let deaths = 0; ; deaths++) {
      let batches = 0
      const signal = {
        throwIfAborted() {
          if (batches++ > 0) throw new Error('killed')
        },
      }
      try {
        await moveAll(tools, { id, author }, signal as AbortSignal, batch)
        return deaths
      } catch (error) {
        if (!(error instanceof Error) || error.message !== 'killed') throw error
      }
    }
  }

  /** Inserts rows into every table that refers to acteurs, as far as their type allows. */
  async function fill({ id: acteur_id }: WithId): Promise<void> {
    await user({ memberships: [{ acteur: { id: acteur_id } }] })
    const invited = { email: `${uuidv7()}@example.org`, role: 'editor', invited_until: new Date() }
    await db
      .insertInto('team_invitations')
      .values({ id: uuidv7(), acteur_id, ...invited })
      .execute()
    const { id: communeId } = await commune()
    const { type } = await db
      .selectFrom('acteurs')
      .select('type')
      .where('id', '=', acteur_id)
      .executeTakeFirstOrThrow()
    if (type === 'mairie')
      await db
        .updateTable('communes')
        .set({ mairie_actor_id: acteur_id })
        .where('id', '=', communeId)
        .execute()
    const group = { id: uuidv7(), slug: `groupe-${uuidv7()}`, nom: 'Groupe', kind: 'autre' }
    if (type === 'intercommunalite')
      await db
        .insertInto('groups')
        .values({ ...group, acteur_id })
        .execute()
    const text = { titre: 'Neige', message: 'Verglas', niveau: 'info' }
    await db
      .insertInto('alertes')
      .values({ id: uuidv7(), acteur_id, ...text })
      .execute()
    await db
      .insertInto('deleted_records')
      .values({ id: uuidv7(), kind: 'alerte', acteur_id, label: 'Neige', content: '{}' })
      .execute()
    for (const values of [{ status: 'pending' }, { status: 'expired', ended_at: new Date() }])
      await db
        .insertInto('claims')
        .values({ id: uuidv7(), acteur_id, message: 'Moi', ...values })
        .execute()
    const source = { id: uuidv7(), nom: 'Flux', type: 'rss', url: 'https://club.example/rss' }
    await db
      .insertInto('import_sources')
      .values({ ...source, acteur_id })
      .execute()
    const said = { said_at: new Date(), said_rank: 0, said_by: 'evt' }
    await db
      .insertInto('payment_customers')
      .values({ id: uuidv7(), acteur_id, ...said })
      .execute()
    for (const column of ['acteur_set', 'acteur_said', 'acteur_of_checkout'])
      await db
        .insertInto('subscriptions')
        .values({ id: uuidv7(), provider_subscription_id: uuidv7(), acteur_id, [column]: acteur_id })
        .execute()
    await db
      .insertInto('media')
      .values({ id: uuidv7(), kind: 'image', acteur_id, sha256: 'a'.repeat(64), bytes: 1 })
      .execute()
    const act = { kind: 'arrete', title: 'Stationnement', date: '2026-03-03', sha256: 'a'.repeat(64) }
    await db
      .insertInto('acts')
      .values({ id: uuidv7(), acteur_id, ...act, bytes: 1, pages: 1, has_text: true })
      .execute()
    await db
      .insertInto('collecte_imports')
      .values({ id: uuidv7(), acteur_id, kind: 'csv', problems: '[]', problem_count: 0 })
      .execute()
    for (let count = 0; count < 5; count++) await insertPublication(world, { acteur_id })
    const { id: created_by } = await user()
    const key = { scopes: ['publication.read'], digest: randomBytes(32), expires_at: new Date() }
    await db
      .insertInto('access_keys')
      .values({ id: uuidv7(), user_id: created_by, acteur_id, name: 'Site', ...key })
      .execute()
    const hook = { url: 'https://127.0.0.1/hook', types: ['commune.changed'], secret: randomBytes(60) }
    await db
      .insertInto('webhooks')
      .values({ id: uuidv7(), acteur_id, ...hook })
      .execute()
    const note = { id: uuidv7(), kind: 'acteur', record_id: acteur_id, body: 'Doublon ?', created_by }
    await db.insertInto('notes').values(note).execute()
  }

  /** Columns that name only acteurs of a type. */
  const named = { mairie: 'communes.mairie_actor_id', intercommunalite: 'groups.acteur_id' }

  /** Counts the rows of each column with a foreign key to acteurs, without what would be deleted with them. */
  async function references({ id }: WithId): Promise<Record<string, number>> {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select c.conrelid::regclass::text as table, a.attname::text as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'acteurs'::regclass and c.conrelid <> c.confrelid
        and a.atttypid = 'uuid'::regtype and c.confdeltype <> 'c' order by 1, 2`.execute(db)
    const counts: Record<string, number> = {}
    for (const { table, column } of columns) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
      counts[`${table}.${column}`] = rows[0]?.count ?? 0
    }
    return counts
  }

  /** Lists the tables with rows that contain the id anywhere, even without a foreign key. */
  async function mentions({ id }: WithId): Promise<string[]> {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and has_table_privilege(oid, 'select') order by 1`.execute(db)
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`
        select from ${sql.table(name)} t where t::text like ${`%${id}%`} limit 1`.execute(db)
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  return { runMerge, fill, named, references, mentions }
}
