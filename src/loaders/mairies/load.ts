import { nameMairie } from '../../modules/communes/mairie-name.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { fold } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type CodeOwner, type CommuneCodes, mapCommuneCodes, quoteCode } from '../codes.ts'
import { jsonElements } from '../json.ts'
import { batches, type Run } from '../run.ts'
import { type Identity, type MairieSource, readMairie } from './annuaire-record.ts'
import * as queries from './queries.ts'

/**
 * Loads mairies from an Annuaire file: creates missing ones and fills blanks of existing ones. Keeps one
 * mairie per commune in memory, which bounds it.
 */
export async function loadMairies(db: Database, input: AsyncIterable<Uint8Array>, run: Run): Promise<void> {
  const chosen = await chooseMairies(input, await mapCommuneCodes(db), run)
  for (const batch of batches([...chosen.values()])) {
    await writeMairies(db, batch, run)
    run.step()
  }
  await analyzeTables(db, ['acteurs', 'communes', 'commune_gaps'])
}

type MairieOfCommune = { communeId: string; mairie: MairieSource; distance: number }

/** Returns the record closest to the commune's own mairie, the first among equals. */
async function chooseMairies(input: AsyncIterable<Uint8Array>, codes: CommuneCodes, run: Run) {
  const chosen = new Map<string, MairieOfCommune>()
  for await (const { where, value } of jsonElements(input, run)) {
    const reading = readMairie(value)
    if (reading.kind === 'set aside') run.counts.setAside++
    else if (reading.kind === 'refused') run.refuse(where, reading.reason)
    else choose(reading.mairie, where)
  }
  return chosen

  function choose(mairie: MairieSource, where: string) {
    const owner = codes.get(mairie.code)
    if (owner === undefined) return run.refuse(where, `no commune has ${quoteCode(mairie.code)}`)
    const distance = distanceTo(owner, mairie)
    const rival = chosen.get(owner.id)
    if (rival !== undefined || distance === null) run.counts.setAside++
    if (distance !== null && (rival === undefined || distance < rival.distance))
      chosen.set(owner.id, { communeId: owner.id, mairie, distance })
  }
}

/** Returns null for an arrondissement, whose mairie is never the commune's. */
function distanceTo({ nom, alias }: CodeOwner, mairie: MairieSource): number | null {
  if (alias === 'arrondissement') return null
  const exact = fold(mairie.nom) === `mairie ${fold(nom)}`
  return (alias === null ? 0 : 2) + (exact ? 0 : 1)
}

/** Runs one transaction with a constant number of statements for any number of mairies. */
async function writeMairies(db: Database, chosen: MairieOfCommune[], run: Run): Promise<void> {
  const sources = new Map(chosen.map(({ communeId, mairie }) => [communeId, mairie]))
  const changed = await inTransaction(db, async (tx) => {
    await queries.lockMairies(tx, [...sources.keys()])
    const targets = await queries.listTargets(tx, [...sources.keys()])
    const created = await createMairies(tx, targets, sources)
    const filled = await fillMairies(tx, targets, sources)
    const hours = targets.flatMap((target) => hoursOf(target, sources.get(target.id)))
    await queries.insertHours(tx, hours)

    const withHours = new Set(hours.map(({ commune_id }) => commune_id))
    const acteurOf = ({ id, acteur_id }: queries.MairieTarget) => created.get(id) ?? acteur_id
    const named = targets.filter((target) => target.mairie_actor_id === null || withHours.has(target.id))
    await queries.nameMairies(
      tx,
      named.map((target) => ({ id: target.id, acteur_id: acteurOf(target) })),
    )
    const names = new Set(named.map(({ id }) => id))
    const updated = targets.filter(({ id, acteur_id }) => names.has(id) || filled.has(acteur_id ?? ''))
    return { created: created.size, updated: updated.filter(({ id }) => !created.has(id)).length }
  })
  run.counts.created += changed.created
  run.counts.updated += changed.updated
  run.counts.unchanged += chosen.length - changed.created - changed.updated
}

type Sources = Map<string, MairieSource>

/** Creates missing mairies and returns the new acteurs by commune. */
async function createMairies(tx: Database, targets: queries.MairieTarget[], sources: Sources) {
  const without = targets.filter(({ acteur_id }) => acteur_id === null)
  const ids = new Map(without.map(({ id }) => [id, uuidv7()]))
  const taken = await queries.listTakenSlugs(tx, without.flatMap(slugCandidates))
  const rows = without.map((target) => {
    const slug = slugCandidates(target).find((candidate) => !taken.has(candidate)) ?? `mairie-${target.id}`
    taken.add(slug)
    const nom = nameMairie(target.nom)
    return { ...identityOf(sources, target), id: ids.get(target.id) ?? '', slug, nom, commune_id: target.id }
  })
  await queries.insertMairies(tx, rows)
  return ids
}

function slugCandidates({ slug, code_insee }: queries.MairieTarget): string[] {
  return [`mairie-de-${slug}`, `mairie-de-${slug}-${code_insee.toLowerCase()}`]
}

/** Fills blanks of existing mairies. A mairie that an administrator deleted stays deleted. */
function fillMairies(tx: Database, targets: queries.MairieTarget[], sources: Sources): Promise<Set<string>> {
  const contacts = targets.flatMap((target) =>
    target.acteur_id === null || target.acteur_deleted
      ? []
      : [{ ...identityOf(sources, target), id: target.acteur_id }],
  )
  return queries.fillMairies(tx, contacts)
}

function identityOf(sources: Sources, { id }: queries.MairieTarget): Identity {
  const source = sources.get(id)
  return Object.fromEntries(queries.filledNames.map((name) => [name, source?.[name] ?? null])) as Identity
}

function hoursOf(target: queries.MairieTarget, mairie: MairieSource | undefined): queries.NewHours[] {
  if (target.has_hours || mairie === undefined || mairie.horaires === null) return []
  const { id, next_position } = target
  return [{ id: uuidv7(), commune_id: id, valeur: mairie.horaires, position: next_position }]
}
