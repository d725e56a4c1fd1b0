import { sql } from 'kysely'
import { isSameSecret, readToken } from '../../../platform/access/sealed-addresses.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound } from '../../../platform/errors.ts'
import type { ReporterAddresses } from './addresses.ts'

/** Who opens the link of a receipt. */
export type LinkedReporter = { id: string; isConfirmed: boolean }

/** Finds the reporter of a link; null if nothing is kept of them any more. 404 if it is no such link. */
export async function findReporter(
  db: Database,
  addresses: ReporterAddresses,
  token: string,
): Promise<LinkedReporter | null> {
  const given = readToken(token)
  if (given === null) throw notFound()
  const { rows } = await sql<{ address: Buffer; isConfirmed: boolean }>`
    select address, confirmed_at is not null as "isConfirmed" from reporters where id = ${given.id}`.execute(
    db,
  )
  const [row] = rows
  const contents = row === undefined ? null : addresses.open(given.id, row.address)
  if (row === undefined || contents === null || !isSameSecret(contents.secret, given.secret)) return null
  return { id: given.id, isConfirmed: row.isConfirmed }
}

/** Confirms an address: its owner opened the link. Again, it changes nothing. */
export async function confirmReporter(db: Database, { id }: LinkedReporter): Promise<void> {
  await sql`update reporters set confirmed_at = coalesce(confirmed_at, now()) where id = ${id}`.execute(db)
}
