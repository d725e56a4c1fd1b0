import type { Caller } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { slugify } from '../../../platform/formats/text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { moveDevices } from '../../defibrillateurs/queries.ts'
import { slugTaken } from '../errors.ts'
import { uniqueSlugs } from '../slugs.ts'
import * as queries from './queries.ts'
import { commune } from './record.ts'
import type { CommuneCreate, CommuneFull, CommuneUpdate } from './schema.ts'
import {
  refuseRepeatedExceptions,
  refuseStrangeAddresses,
  refuseStrangeIds,
  replaceLists,
  rowsOf,
} from './sub-lists.ts'

/** Reads the complete commune for the response, within the transaction that wrote it. */
type Read = (tx: Database, commune: { id: string }) => Promise<CommuneFull>

export function createCommune(
  db: Database,
  caller: Caller,
  body: CommuneCreate,
  read: Read,
): Promise<CommuneFull> {
  refuseNameless(body)
  refuseStrangeAddresses(body)
  refuseRepeatedExceptions(body)
  return create(db, caller, commune, { action: 'commune.create', read }, async (tx) => {
    const { elus, collectes, infos, ...fields } = body
    if (await queries.isAlias(tx, fields.code_insee)) throw conflict()
    const departement = fields.departement ?? departementOf(fields.code_insee)
    const region = fields.region ?? (await queries.findRegionOf(tx, departement))
    if (region === null) throw invalid('region', { en: 'is required', fr: 'est obligatoire' })
    const slug = fields.slug ?? (await chooseSlug(tx, { ...fields, departement }))
    const row = await queries.insertCommune(tx, { ...fields, id: uuidv7(), slug, departement, region })
    const nothing = { elus: [], collectes: [], infos: [] }
    refuseStrangeIds(body, nothing)
    return { ...row, ...(await replaceLists(tx, row.id, rowsOf(body), nothing)) }
  })
}

export function updateCommune(
  db: Database,
  caller: Caller,
  id: string,
  body: CommuneUpdate,
  read: Read,
): Promise<CommuneFull> {
  refuseNameless(body)
  refuseStrangeAddresses(body)
  refuseRepeatedExceptions(body)
  return change(db, caller, commune, { id, action: 'commune.update', read }, async (tx, before) => {
    const { code_insee: code = before.code_insee } = body
    if (code !== before.code_insee) {
      if (await queries.isAlias(tx, code)) throw conflict()
      await moveDevices(tx, before.code_insee, code)
    }
    refuseStrangeIds(body, before)
    return { ...body, ...rowsOf(body) }
  })
}

/** Refuses a name that has no slug and cannot be searched. */
function refuseNameless({ nom }: CommuneUpdate): void {
  if (nom === undefined || slugify(nom) !== '') return
  throw invalid('nom', {
    en: 'must contain a letter or a digit',
    fr: 'doit contenir une lettre ou un chiffre',
  })
}

/** Codes of overseas départements have three characters. */
const departementOf = (codeInsee: string) => codeInsee.slice(0, /^9[78]/.test(codeInsee) ? 3 : 2)

/** Returns the first free slug candidate; of two concurrent requests for it, one gets 409. */
async function chooseSlug(
  tx: Database,
  commune: { nom: string; code_insee: string; departement: string },
): Promise<string> {
  const named = { ...commune, code: commune.code_insee }
  const taken = new Set<string>()
  for (;;) {
    const slug = uniqueSlugs([named], taken).get(named.code)
    if (slug === undefined) throw slugTaken()
    if (!(await queries.isSlugTaken(tx, slug))) return slug
    taken.add(slug)
  }
}
