import { DatabaseSync } from 'node:sqlite'
import type { AddressRow, StreetRow } from './bal-row.ts'

type Place = { latitude: number; longitude: number }
export type StoredStreet = Omit<StreetRow, 'communeId'> & {
  latitude: number | null
  longitude: number | null
}
export type StoredAddress = Omit<AddressRow, 'communeId' | 'isEntrance' | 'voie'>
/** `isWhole`: no row was refused that may be of this commune. `codes`: null: the file is about the whole commune. */
export type CommuneOfFile = {
  id: string
  isWhole: boolean
  codes: string[] | null
  addresses: number
  streets: number
}

/**
 * Stores rows until the whole file is read, then returns them by commune: the rows of a commune need not be adjacent,
 * and memory does not grow with the file. It uses an unnamed file that disappears when closed.
 */
export function openAddressStore() {
  const store = new DatabaseSync('')
  store.exec(`
    create table communes (id text primary key, own integer not null default 0, damaged integer not null default 0) without rowid;
    create table streets (commune text, street text, deleguee text, voie text, latitude real, longitude real,
      primary key (commune, street, deleguee)) without rowid;
    create table addresses (commune text, cle_interop text, street text, deleguee text, numero integer, suffixe text,
      complement text, latitude real, longitude real, entrance integer, primary key (commune, cle_interop)) without rowid;
    begin`)
  const insertCommune = store.prepare(
    'insert into communes (id, own) values (?, ?) on conflict (id) do update set own = max(own, excluded.own)',
  )
  const damage = store.prepare(
    'insert into communes (id, damaged) values (?, 1) on conflict (id) do update set damaged = 1',
  )
  const insertStreet = store.prepare(`
    insert into streets values (?, ?, ?, ?, ?, ?) on conflict do update
    set latitude = excluded.latitude, longitude = excluded.longitude
    where latitude is null and excluded.latitude is not null`)
  const find = store.prepare(
    'select street, deleguee, entrance from addresses where commune = ? and cle_interop = ?',
  )
  const insertAddress = store.prepare(
    'insert or replace into addresses values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )

  return {
    addStreet(row: StreetRow & { place: Place | null }, ownCode: boolean) {
      insertCommune.run(row.communeId, Number(ownCode))
      const { communeId, street, deleguee, voie, place } = row
      insertStreet.run(communeId, street, deleguee, voie, place?.latitude ?? null, place?.longitude ?? null)
    },
    /** Returns false if the key is already that of another street. Of several positions it keeps an entrance, or the first. */
    addAddress(row: AddressRow, ownCode: boolean): boolean {
      const { communeId, cle_interop, street, deleguee, voie, numero, suffixe, complement } = row
      const before = find.get(communeId, cle_interop)
      if (before !== undefined && (before.street !== street || before.deleguee !== deleguee)) return false
      insertCommune.run(communeId, Number(ownCode))
      if (before !== undefined && (before.entrance === 1 || !row.isEntrance)) return true
      insertStreet.run(communeId, street, deleguee, voie, null, null)
      const { latitude, longitude, isEntrance } = row
      const place = [latitude, longitude, Number(isEntrance)]
      insertAddress.run(communeId, cle_interop, street, deleguee, numero, suffixe, complement, ...place)
      return true
    },
    /** Marks a commune of which a row was refused: the file may lack any of its addresses. */
    markDamaged(communeId: string) {
      damage.run(communeId)
    },
    communes: () => listCommunes(store),
    /** Yields the streets of a commune, sorted by key, in batches. A street that the file does not place gets its middle number. */
    streets: (communeId: string) => inBatches<StoredStreet>(store.prepare(streetsOf), communeId),
    /** Yields the addresses of a commune, sorted by key, in batches. */
    addresses: (communeId: string) => inBatches<StoredAddress>(store.prepare(addressesOf), communeId),
    close: () => store.close(),
  }
}

const streetsOf = `
  with numbered as (
    select street, deleguee, latitude, longitude,
      row_number() over (partition by street, deleguee order by numero, suffixe) as at,
      count(*) over (partition by street, deleguee) as total
    from addresses where commune = ?1)
  select s.street, s.deleguee, s.voie, coalesce(s.latitude, n.latitude) as latitude,
    coalesce(s.longitude, n.longitude) as longitude
  from streets s left join numbered n
    on n.street = s.street and n.deleguee = s.deleguee and n.at = (n.total + 1) / 2
  where s.commune = ?1 order by s.street, s.deleguee`
const addressesOf = `
  select cle_interop, street, deleguee, numero, suffixe, complement, latitude, longitude
  from addresses where commune = ?1 order by cle_interop`

function* listCommunes(store: DatabaseSync): Generator<CommuneOfFile> {
  const codes = store.prepare('select distinct deleguee from streets where commune = ?')
  const count = store.prepare(`select (select count(*) from addresses where commune = ?1) as addresses,
    (select count(*) from streets where commune = ?1) as streets`)
  for (const { id, own, damaged } of store.prepare('select * from communes order by id').all()) {
    const counts = count.get(`${id}`) as { addresses: number; streets: number }
    if (counts.streets === 0) continue
    const listed = codes.all(`${id}`).map(({ deleguee }) => `${deleguee}`)
    yield { id: `${id}`, isWhole: damaged === 0, codes: own === 1 ? null : listed, ...counts }
  }
}

const batchSize = 1_000

function* inBatches<Row>(
  statement: ReturnType<DatabaseSync['prepare']>,
  communeId: string,
): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of statement.iterate(communeId)) {
    batch.push(row as Row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
