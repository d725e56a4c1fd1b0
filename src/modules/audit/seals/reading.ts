import { type Config, settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Seals } from '../schema.ts'
import * as queries from './reading-queries.ts'
import { sealSettings } from './settings.ts'

/** Reads the state of the seals from what is stored, by lookups in indexes only. */
export async function readSeals(db: Database, config: Config): Promise<Seals> {
  const keyIds = settingsOf(config, sealSettings).keys.map(({ id }) => id)
  const [last, unsealedSince, faults, verification, keys] = await Promise.all([
    queries.findLastValid(db),
    queries.findUnsealedSince(db),
    queries.listNewestFaults(db),
    queries.findLastVerification(db),
    queries.listKeys(db),
  ])
  return {
    sealing: keyIds.length > 0,
    sealed_until: last?.sealed_until ?? null,
    unsealed_since: unsealedSince,
    entries: last?.total ?? 0,
    last_seal: last === null ? null : { number: last.number, sealed_at: last.sealed_at },
    faults,
    last_verification: verification,
    keys: keys.map((key) => ({ ...key, known: keyIds.includes(key.key_id) })),
  }
}
