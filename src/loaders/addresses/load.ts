import { StartError } from '../../platform/config/start-error.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { type CommuneCodes, mapCommuneCodes } from '../codes.ts'
import { csvRows } from '../csv.ts'
import type { Run } from '../run.ts'
import { type BalRow, balReader } from './bal-row.ts'
import {
  countAddresses,
  deleteOtherStreets,
  lockAddresses,
  type Scope,
  type Written,
  writeAddresses,
  writeStreets,
} from './queries.ts'
import { type CommuneOfFile, openAddressStore } from './store.ts'

type AddressStore = ReturnType<typeof openAddressStore>

/**
 * Replaces the addresses of the communes that a Base Adresse Locale contains, each in one transaction; others stay. A
 * commune of which a row was refused loses none, and without `acceptFall` a file with less than half of the addresses that
 * are there is refused for its commune.
 */
export async function loadAddresses(
  db: Database,
  input: AsyncIterable<Uint8Array>,
  run: Run,
  { acceptFall = false }: { acceptFall?: boolean } = {},
): Promise<void> {
  const store = openAddressStore()
  try {
    const codes = await mapCommuneCodes(db)
    await readRows(input, codes, store, run)
    for (const commune of store.communes()) {
      await replaceCommune(db, store, commune, { run, acceptFall, codeOf: () => codeOf(codes, commune.id) })
      run.step()
    }
    await analyzeTables(db, ['streets', 'addresses'])
  } finally {
    store.close()
  }
}

async function readRows(
  input: AsyncIterable<Uint8Array>,
  codes: CommuneCodes,
  store: AddressStore,
  run: Run,
): Promise<void> {
  let read: ReturnType<typeof balReader> | null = null
  let latest: string | null = null
  for await (const row of csvRows(input)) {
    if (read === null) {
      read = balReader(row.fields, codes)
      continue
    }
    run.counts.read++
    const found = read(row)
    const reason = found.kind === 'refused' ? found.reason : keep(store, found)
    if (reason !== null) {
      run.refuse(`line ${row.line}`, reason)
      const communeId = found.kind === 'refused' ? found.communeId : found.row.communeId
      // A row damaged in or before its code most likely belongs to the commune of the previous row.
      const concerned = row.damage === null ? communeId : latest
      if (concerned !== null) store.markDamaged(concerned)
    } else if (found.kind !== 'refused') latest = found.row.communeId
    if (run.counts.read % 1_000 === 0) run.step()
  }
  if (read === null) throw new StartError('The file is empty.')
}

/** Stores a row; a text says why it cannot be taken. */
function keep(store: AddressStore, found: Exclude<BalRow, { kind: 'refused' }>): string | null {
  if (found.kind === 'street') store.addStreet(found.row, found.ownCode)
  else if (!store.addAddress(found.row, found.ownCode)) return 'its key is already that of another street'
  return null
}

type Options = { run: Run; acceptFall: boolean; codeOf: () => string }

async function replaceCommune(
  db: Database,
  store: AddressStore,
  { id, isWhole, codes, addresses, streets }: CommuneOfFile,
  { run, acceptFall, codeOf }: Options,
): Promise<void> {
  const scope = { communeId: id, codes }
  const written = await inTransaction(db, async (tx) => {
    await lockAddresses(tx, id)
    const before = acceptFall ? 0 : await countAddresses(tx, scope)
    return isWhole && addresses * 2 < before ? before : replaceAddresses(tx, store, scope, isWhole)
  })
  if (typeof written === 'number') {
    const reason = `the file has ${addresses} of its ${written} addresses: if this is correct, load with --accept-fall`
    return run.refuse(codeOf(), reason, addresses)
  }
  run.counts.created += written.created
  run.counts.updated += written.updated
  run.counts.removed += written.removed
  run.counts.unchanged += addresses - written.created - written.updated
  run.counts.streets += streets
}

/** Writes the streets first, which the addresses name, and deletes streets last, which the deleted addresses named. */
async function replaceAddresses(
  tx: Database,
  store: AddressStore,
  scope: Scope,
  deletes: boolean,
): Promise<Written> {
  const total: Written = { created: 0, updated: 0, removed: 0 }
  for (const rows of store.streets(scope.communeId)) await writeStreets(tx, scope.communeId, rows)
  let after = ''
  for (const rows of withEnd(store.addresses(scope.communeId))) {
    const upTo = rows.at(-1)?.cle_interop ?? null
    const written = await writeAddresses(tx, scope, rows, { after, upTo, deletes })
    for (const key of ['created', 'updated', 'removed'] as const) total[key] += written[key]
    after = upTo ?? after
  }
  if (deletes) await deleteStreets(tx, store, scope)
  return total
}

async function deleteStreets(tx: Database, store: AddressStore, scope: Scope): Promise<void> {
  let after = { street: '', deleguee: '' }
  for (const rows of withEnd(store.streets(scope.communeId))) {
    const upTo = rows.at(-1) ?? null
    await deleteOtherStreets(tx, scope, rows, { after, upTo })
    after = upTo ?? after
  }
}

/** Adds an empty batch, for what comes after the last key of a file. */
function* withEnd<Row>(batches: Iterable<Row[]>): Generator<Row[]> {
  yield* batches
  yield []
}

function codeOf(codes: CommuneCodes, communeId: string): string {
  for (const [code, { id, alias }] of codes) if (id === communeId && alias === null) return code
  return communeId
}
