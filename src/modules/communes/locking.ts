import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { requireStillTheirs } from './permissions.ts'

/** A record of a commune, with the mairie of that commune. */
type OfCommune = { commune_id: string; mairie_id: string | null }

/**
 * Locks a commune, so that changes of its records that depend on each other, such as their names or their order, are decided
 * one after the other. Returns its mairie; 404 if the commune does not exist.
 */
export async function lockCommune(tx: Database, communeId: string): Promise<string | null> {
  const { rows } = await sql<{ mairie_id: string | null }>`
    select mairie_actor_id as mairie_id from communes where id = ${communeId} for no key update`.execute(tx)
  return (rows[0] ?? raise(notFound())).mairie_id
}

/** Locks a commune for a caller who may change it, and returns its mairie. */
export const lockFor =
  (caller: SignedIn, communeId: string) =>
  async (tx: Database): Promise<string | null> => {
    const mairieId = await lockCommune(tx, communeId)
    requireStillTheirs(caller, mairieId)
    return mairieId
  }

/** Refuses a record of another commune as if it did not exist. */
export const authoriseIn =
  (caller: SignedIn, communeId: string) =>
  (_tx: Database, { commune_id, mairie_id }: OfCommune): void => {
    if (commune_id !== communeId.toLowerCase()) throw notFound()
    requireStillTheirs(caller, mairie_id)
  }
