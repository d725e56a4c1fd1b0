import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '../../../../platform/database/connect.ts'
import { uuidv7 } from '../../../../platform/formats/uuid.ts'
import type { RegistryRow } from '../registry/row.ts'

/** Columns of the staging rows that `merge` reads. Inserts must run in the transaction that merges them. */
const columns = {
  gid: 'text',
  nom: 'text',
  adresse: 'text',
  code_postal: 'text',
  commune_nom: 'text',
  commune_key: 'text',
  registre_code: 'text',
  latitude: 'float8',
  longitude: 'float8',
  acces: 'text',
  acces_libre: 'boolean',
  etage: 'text',
  acces_complement: 'text',
  disponibilite: 'text',
  disponibilite_complement: 'text',
  etat_fonctionnement: 'text',
  photo_url: 'text',
  date_installation: 'date',
  mis_a_jour_le: 'timestamptz',
  retenu: 'boolean',
} as const satisfies Record<keyof RegistryRow, string>
const names = Object.keys(columns) as (keyof RegistryRow)[]

/** Streams any number of rows with constant memory. */
export async function copyReceived(
  client: pg.ClientBase,
  syncId: string,
  rows: AsyncIterable<RegistryRow>,
): Promise<void> {
  const copy = copyFrom(`copy defibrillateurs_received (sync_id, id, ${names.join(', ')}) from stdin`)
  await pipeline(() => pieces(syncId, rows), client.query(copy))
}

/** Inserts a small number of rows, such as those of a commune. */
export async function insertReceived(db: Database, syncId: string, rows: RegistryRow[]): Promise<void> {
  const list = sql.join(names.map((name) => sql.ref(name)))
  const types = sql.raw(names.map((name) => `${name} ${columns[name]}`).join(', '))
  const values = JSON.stringify(rows.map((row) => ({ ...row, id: uuidv7() })))
  await sql`
    insert into defibrillateurs_received (sync_id, id, ${list})
    select ${syncId}, id, ${list} from jsonb_to_recordset(${values}::jsonb) as row(id uuid, ${types})`.execute(
    db,
  )
}

const pieceLength = 65_536

async function* pieces(syncId: string, rows: AsyncIterable<RegistryRow>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const row of rows) {
    text += `${syncId}\t${uuidv7()}`
    for (const name of names) text += `\t${written(row[name])}`
    text += '\n'
    if (text.length < pieceLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

function written(value: string | number | boolean | null): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return /[\\\t\n\r]/.test(value)
    ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')
    : value
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
