import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { moveDevices } from '../../defibrillateurs/queries.ts'
import { requireDescribed, requireImage, requireImages } from '../../media/images.ts'
import { departementOf } from '../departements.ts'
import { slugTaken } from '../errors.ts'
import { communeFields } from '../fields.ts'
import { pictureNames } from '../schema.ts'
import { refuseIdAsSlug, refuseNameless, uniqueSlugs } from '../slugs.ts'
import * as queries from './queries.ts'
import { type CommuneRecord, commune } from './record.ts'
import type { CommuneCreate, CommuneFull, CommuneUpdate } from './schema.ts'
import {
  type Lists,
  refuseRepeatedExceptions,
  refuseStrangeAddresses,
  refuseStrangeIds,
  replaceLists,
  rowsOf,
} from './sub-lists.ts'

/** Reads the commune for the response, within the transaction that wrote it. */
type ReadCommune<Answer> = (tx: Database, commune: { id: string }) => Promise<Answer>

export function createCommune(
  db: Database,
  caller: SignedIn,
  body: CommuneCreate,
  read: ReadCommune<CommuneFull>,
): Promise<CommuneFull> {
  refuseNameless(body)
  refuseIdAsSlug(body)
  refuseStrangeAddresses(body)
  refuseRepeatedExceptions(body)
  return create(db, caller, commune, { action: 'commune.create', read }, async (tx) => {
    const { elus, collectes, infos, ...fields } = body
    if (await queries.isAlias(tx, fields.code_insee)) throw conflict()
    const departement = fields.departement ?? departementOf(fields.code_insee)
    const region = fields.region ?? (await queries.findRegionOf(tx, departement))
    if (region === null) throw invalid('region', { en: 'is required', fr: 'est obligatoire' })
    const row = await insertWithSlug(tx, { ...fields, departement, region })
    const nothing = { elus: [], collectes: [], infos: [] }
    refuseStrangeIds(body, nothing)
    const rows = rowsOf(body)
    await requirePortraits(tx, caller, { ...row, ...nothing }, rows)
    return { ...row, ...(await replaceLists(tx, row.id, rows, nothing)) }
  })
}

/** Updates a commune. `authorise` checks the permission for its row, where the audience of the route does not. */
export function updateCommune<Answer>(
  db: Database,
  caller: SignedIn,
  id: string,
  body: CommuneUpdate,
  read: ReadCommune<Answer>,
  authorise?: (tx: Database, commune: CommuneRecord) => void,
): Promise<Answer> {
  refuseNameless(body)
  refuseIdAsSlug(body)
  refuseStrangeAddresses(body)
  refuseRepeatedExceptions(body)
  const asked = { id, action: 'commune.update', ...(authorise && { authorise }) }
  return change(db, caller, commune, asked, async (tx, before, save) => {
    const { code_insee: code = before.code_insee } = body
    if (code !== before.code_insee) {
      if (await queries.isAlias(tx, code)) throw conflict()
      await moveDevices(tx, before.code_insee, code)
    }
    refuseStrangeIds(body, before)
    await requirePictures(tx, caller, before, body)
    const { elus, collectes, infos, ...fields } = body
    const rows = rowsOf(body, before)
    await requirePortraits(tx, caller, before, rows)
    return read(tx, await save({ ...fields, ...rows }))
  })
}

/** Refuses pictures that the mairie has not sent, and a photo without a description. */
async function requirePictures(
  tx: Database,
  caller: SignedIn,
  before: CommuneRecord,
  body: CommuneUpdate,
): Promise<void> {
  const acteurId = before.mairie_actor_id
  for (const field of pictureNames) {
    const after = body[field]
    if (after === undefined) continue
    await requireImage(tx, caller, field, { acteurId, before: before[field], after })
    if (after !== null && communeFields[field].kind === 'picture')
      await requireDescribed(tx, [after], () => field)
  }
}

/** Refuses portraits of élus that the mairie has not sent. */
async function requirePortraits(
  tx: Database,
  caller: SignedIn,
  before: CommuneRecord,
  { elus = [] }: Partial<Lists>,
): Promise<void> {
  const portraits = elus.flatMap(({ photo }, index) => (photo === null ? [] : [{ photo, index }]))
  const used = {
    acteurId: before.mairie_actor_id,
    before: before.elus.flatMap(({ photo }) => photo ?? []),
    after: portraits.map(({ photo }) => photo),
  }
  await requireImages(tx, caller, used, (at) => `elus.${portraits[at]?.index}.photo`)
}

type NewCommune = Omit<Parameters<typeof queries.insertCommune>[1], 'id' | 'slug'> & {
  slug?: string
  departement: string
}

/** Inserts with the slug that was given or the first free one; of two concurrent inserts, the second gets the next. */
async function insertWithSlug(tx: Database, fields: NewCommune) {
  const named = { ...fields, code: fields.code_insee }
  const taken = new Set<string>()
  for (;;) {
    const slug = fields.slug ?? uniqueSlugs([named], taken).get(named.code)
    if (slug === undefined || taken.has(slug)) throw slugTaken()
    const row = await queries.insertCommune(tx, { ...fields, id: uuidv7(), slug })
    if (row !== undefined) return row
    // The slug may be that of a concurrent insert of the same commune.
    if (await queries.hasInseeCode(tx, fields.code_insee)) throw conflict()
    taken.add(slug)
  }
}
