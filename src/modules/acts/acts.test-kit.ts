import { sql } from 'kysely'
import { inject } from 'vitest'
import type { World } from '../../../test/support/world.ts'
import { operator } from '../../platform/access/caller.ts'
import { connect, type Database } from '../../platform/database/connect.ts'
import type { Connection } from '../../platform/database/connection.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { formOf, pdf } from '../media/media.test-kit.ts'
import { sha256 } from './chain.ts'
import { publishAct } from './publishing.ts'
import { type ActRow, insertDraft, updateAct, updateText } from './queries.ts'

type Client = ReturnType<World['client']>
type Fields = Record<string, string>

/** A PDF with a text; another text makes another file. */
export const actPdf = (text: string) => pdf([text])

/** The form of a complete act. */
export const actForm = (fields: Fields = {}, file: Uint8Array = actPdf(JSON.stringify(fields))) =>
  formOf(
    file,
    {
      ...{ kind: 'deliberation', title: 'Subvention à l’école de musique', date: '2026-03-03' },
      ...{ author_first_name: 'Camille', author_name: 'Roux', author_quality: 'Maire' },
      ...fields,
    },
    'acte.pdf',
  )

/** Prepares and publishes acts of a mairie by the routes. */
export function actsOf(member: Client, acteurId: string) {
  const path = `/mairie/acteurs/${acteurId}/acts`
  const prepare = async (fields: Fields = {}, file?: Uint8Array) => {
    const { status, body } = await member.post(path, actForm(fields, file))
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data
  }
  const publish = async (fields: Fields = {}, file?: Uint8Array) => {
    const { id } = await prepare(fields, file)
    const { status, body } = await member.patch(`${path}/${id}/publish`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data
  }
  return { path, prepare, publish }
}

/** `typed`: the text of a scan. */
type Values = Partial<Parameters<typeof insertDraft>[1]> & {
  acteur_id: string
  text?: string
  typed?: string
}

/** Inserts a draft: decoding takes a second. */
export async function insertAct(db: Database, { text = '', typed, ...values }: Values): Promise<ActRow> {
  const id = uuidv7()
  const content = actPdf(id)
  const act = {
    ...{ id, kind: 'deliberation' as const, number: null, title: 'Tarifs', date: '2026-03-03', pages: 1 },
    ...{ author_first_name: 'Camille', author_name: 'Roux', author_quality: 'Maire', subject: null },
    ...{ individual: false, supersedes: null, sha256: sha256(content).toString('hex') },
    ...values,
  }
  const draft = await insertDraft(db, act, { content, text })
  if (typed === undefined) return draft
  await updateText(db, draft, typed)
  return updateAct(db, id, { typed_text: true })
}

/** Inserts a draft and publishes it; `at`: in the past, which only the owner of the tables can. */
export async function insertPublished(db: Database, values: Values, at: Date | null = null): Promise<ActRow> {
  const { id, acteur_id: acteurId } = await insertAct(db, values)
  const publish = (db: Database) =>
    publishAct({ db, clock: () => at ?? new Date(), at }, operator, { acteurId, id })
  if (at === null) return publish(db)
  const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(db)
  return asOwner({ ...inject('server').owner, ...rows[0] }, publish)
}

/** Works as the owner of the tables. */
export async function asOwner<Result>(
  owner: Connection,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { db, close } = connect(owner, { warn: () => {} }, { timeoutMs: 30_000 })
  return work(db).finally(close)
}
