import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { requireVersion } from '../../platform/http/versions.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { communeKind } from './audited.ts'
import { slugTaken } from './errors.ts'
import { listParts, type PartName, partNames, refuseStrangeAddresses, replaceParts } from './parts.ts'
import * as queries from './queries.admin.ts'
import type { CommuneCreate, CommuneUpdate } from './schema.admin.ts'
import { slugify, uniqueSlugs } from './slugs.ts'

export async function createCommune(db: Database, caller: Caller, body: CommuneCreate): Promise<string> {
  refuseNameless(body)
  refuseStrangeAddresses(body)
  return db.transaction().execute(async (tx) => {
    const { elus, collectes, infos, ...fields } = body
    if (await queries.isAlias(tx, fields.code_insee)) throw conflict()
    const departement = fields.departement ?? departementOf(fields.code_insee)
    const region = fields.region ?? (await queries.findRegionOf(tx, departement))
    if (region === null) throw invalid('region', { en: 'is required', fr: 'est requis' })
    const slug = fields.slug ?? (await chooseSlug(tx, { ...fields, departement }))
    const commune = await queries.insertCommune(tx, { ...fields, id: uuidv7(), slug, departement, region })
    const nothing = { elus: [], collectes: [], infos: [] }
    const parts = await replaceParts(tx, commune.id, { elus, collectes, infos }, nothing)
    const after = { ...audited(commune), ...parts }
    const change = { kind: communeKind, entityId: commune.id, before: null, after } as const
    await recordAudit(tx, caller, { action: 'commune.create', ...change })
    return commune.id
  })
}

export async function updateCommune(
  db: Database,
  caller: Caller,
  id: string,
  body: CommuneUpdate,
): Promise<void> {
  refuseNameless(body)
  refuseStrangeAddresses(body)
  return db.transaction().execute(async (tx) => {
    const before = await queries.getCommuneForUpdate(tx, id)
    requireVersion(caller, before)
    const { elus, collectes, infos, ...fields } = body
    const { code_insee: code = before.code_insee } = fields
    if (code !== before.code_insee && (await queries.isAlias(tx, code))) throw conflict()
    const partsBefore = await listParts(tx, id)
    const parts = await replaceParts(tx, id, { elus, collectes, infos }, partsBefore)
    if (isDeepStrictEqual({ ...before, ...fields }, before) && Object.keys(parts).length === 0) return
    const after = await queries.updateCommune(tx, id, fields)
    await recordAudit(tx, caller, {
      action: 'commune.update',
      kind: communeKind,
      entityId: id,
      before: {
        ...audited(before),
        ...pick(
          partsBefore,
          partNames.filter((name) => name in parts),
        ),
      },
      after: { ...audited(after), ...parts },
    })
  })
}

/** A name is what slugs are made from and what a search finds. */
function refuseNameless({ nom }: CommuneUpdate): void {
  if (nom === undefined || slugify(nom) !== '') return
  throw invalid('nom', { en: 'needs a letter or a digit', fr: 'demande une lettre ou un chiffre' })
}

/** The overseas départements have three characters. */
const departementOf = (codeInsee: string) => codeInsee.slice(0, /^9[78]/.test(codeInsee) ? 3 : 2)

/** The first of the usual slugs that is free; of two at once, one is told that it is taken. */
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

function audited({ sort_name, search_text, mairie_actor_type, ...commune }: queries.CommuneRow) {
  return commune
}

function pick(parts: Record<PartName, unknown>, names: PartName[]) {
  return Object.fromEntries(names.map((name) => [name, parts[name]]))
}
