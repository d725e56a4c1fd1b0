import { nameMairie } from '../../modules/communes/mairie-name.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { fold } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type CodeOwner, type CommuneCodes, mapCommuneCodes, quoteCode } from '../codes.ts'
import { jsonElements } from '../json.ts'
import { type Decision, decide, factOf, listFacts, refuseUnusual, storeFacts } from '../provenance.ts'
import { batches, type Run } from '../run.ts'
import { type Identity, type MairieSource, readMairie } from './annuaire-record.ts'
import * as queries from './queries.ts'

const source = 'mairies'

/**
 * Loads mairies from an Annuaire file: creates missing ones, fills blanks of existing ones and updates what it filled before.
 * Keeps one mairie per commune in memory, which bounds it.
 */
export async function loadMairies(db: Database, input: AsyncIterable<Uint8Array>, run: Run): Promise<void> {
  const chosen = await chooseMairies(input, await mapCommuneCodes(db), run)
  await refuseUnusual(
    db,
    source,
    { concerned: chosen.size, changed: await countChanged(db, chosen, run) },
    run,
  )
  for (const batch of batches([...chosen.values()])) {
    await writeMairies(db, batch, run)
    run.step()
  }
  await analyzeTables(db, ['acteurs', 'communes', 'commune_gaps', 'sourced_facts'])
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

/** Counts the communes of which the file says something else than the source said before. Locks nothing. */
async function countChanged(db: Database, chosen: Map<string, MairieOfCommune>, run: Run): Promise<number> {
  let changed = 0
  for (const batch of batches([...chosen.values()])) {
    const ids = batch.map(({ communeId }) => communeId)
    const targets = await queries.listTargets(db, ids, { locked: false })
    const decided = await decideFields(db, targets, sourcesOf(batch), run)
    changed += decided.filter(({ fields }) => fields.some(({ follows }) => follows)).length
    run.step()
  }
  return changed
}

const sourcesOf = (chosen: MairieOfCommune[]): Sources =>
  new Map(chosen.map(({ communeId, mairie }) => [communeId, mairie]))

/** Runs one transaction with a constant number of statements for any number of mairies. */
async function writeMairies(db: Database, chosen: MairieOfCommune[], run: Run): Promise<void> {
  const sources = sourcesOf(chosen)
  const changed = await inTransaction(db, async (tx) => {
    await queries.lockMairies(tx, [...sources.keys()])
    const targets = await queries.listTargets(tx, [...sources.keys()], { locked: true })
    const created = await createMairies(tx, targets, sources)
    const decided = await decideFields(tx, targets, sources, run)
    const filled = decided.filter(({ target, fields }) =>
      fields.some(
        ({ field, decision }) => target.acteur_id !== null && field !== 'horaires' && decision.writes,
      ),
    )
    if (filled.length > 0) await queries.updateMairies(tx, filled.map(contactsOf))
    const hours = decided.flatMap(hoursOf)
    await queries.insertHours(
      tx,
      hours.flatMap(({ added }) => added ?? []),
    )
    await queries.changeHours(
      tx,
      hours.flatMap(({ changed }) => changed ?? []),
    )
    const facts = decided.flatMap(({ target, fields }) =>
      fields.flatMap(({ field, decision, given }) => {
        const acteur_id = field === 'horaires' ? null : (created.get(target.id) ?? target.acteur_id)
        return (
          factOf(decision, { commune_id: target.id, field, acteur_id }, given, { source, asOf: run.asOf }) ??
          []
        )
      }),
    )
    await storeFacts(tx, facts)

    const withHours = new Set(hours.map(({ commune_id }) => commune_id))
    const acteurOf = ({ id, acteur_id }: queries.MairieTarget) => created.get(id) ?? acteur_id
    const named = targets.filter((target) => target.mairie_actor_id === null || withHours.has(target.id))
    await queries.nameMairies(
      tx,
      named.map((target) => ({ id: target.id, acteur_id: acteurOf(target) })),
    )
    const changedIds = new Set([...named.map(({ id }) => id), ...filled.map(({ target }) => target.id)])
    return { created: created.size, updated: [...changedIds].filter((id) => !created.has(id)).length }
  })
  run.counts.created += changed.created
  run.counts.updated += changed.updated
  run.counts.unchanged += chosen.length - changed.created - changed.updated
}

type Field = {
  field: (typeof queries.filledNames)[number] | 'horaires'
  given: string | null
  decision: Decision
  /** The source says something else than it said before. */
  follows: boolean
}
type Decided = { target: queries.MairieTarget; fields: Field[] }

/** Decides each field of these communes. A mairie that an administrator deleted stays as it is. */
async function decideFields(
  db: Database,
  targets: queries.MairieTarget[],
  sources: Sources,
  { asOf }: Run,
): Promise<Decided[]> {
  const communeIds = targets.map(({ id }) => id)
  const storedOf = await listFacts(db, communeIds, [...queries.filledNames, 'horaires'])
  return targets.map((target) => {
    const mairie = sources.get(target.id)
    const decideField = (
      field: Field['field'],
      acteurId: string | null,
      { present, typed }: { present: string | null; typed: boolean },
    ): Field => {
      const [stored, given] = [storedOf(target.id, field, acteurId), mairie?.[field] ?? null]
      const decision = decide({ stored, present, given, typed }, { source, asOf })
      return { field, given, decision, follows: stored !== undefined && decision.writes }
    }
    const contacts = target.acteur_deleted
      ? []
      : queries.filledNames.map((name) => {
          const present = target.contacts?.[name]?.trim() ? target.contacts[name] : null
          return decideField(name, target.acteur_id, { present, typed: target.typed.includes(name) })
        })
    const hours = decideField('horaires', null, {
      present: target.hours.map(({ valeur }) => valeur).join('\n') || null,
      // Of infos, the audit log does not say which: hours that never stood there may be filled.
      typed: target.typed_infos && target.hours.length > 0,
    })
    return { target, fields: [...contacts, hours] }
  })
}

/** The contacts of a mairie after the load. */
function contactsOf({ target, fields }: Decided): Identity & { id: string } {
  const written = fields.flatMap(({ field, given, decision }) => (decision.writes ? [[field, given]] : []))
  return { ...(target.contacts as Identity), ...Object.fromEntries(written), id: target.acteur_id ?? '' }
}

type HoursChange = {
  commune_id: string
  added?: queries.NewHours
  changed?: { id: string; valeur: string | null }
}

function hoursOf({ target, fields }: Decided): HoursChange[] {
  const hours = fields.find(({ field }) => field === 'horaires')
  if (hours === undefined || !hours.decision.writes) return []
  const { id: commune_id, next_position: position } = target
  const [row] = target.hours
  if (row !== undefined) return [{ commune_id, changed: { id: row.id, valeur: hours.given } }]
  if (hours.given === null) return []
  return [{ commune_id, added: { id: uuidv7(), commune_id, valeur: hours.given, position } }]
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

function identityOf(sources: Sources, { id }: queries.MairieTarget): Identity {
  const source = sources.get(id)
  return Object.fromEntries(queries.filledNames.map((name) => [name, source?.[name] ?? null])) as Identity
}
