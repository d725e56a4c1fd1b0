import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { departementOf } from '../../modules/communes/departements.ts'
import { uniqueSlugs } from '../../modules/communes/slugs.ts'
import { maxMembers } from '../../modules/groups/schema.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { oneLine, slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type CommuneCodes, mapCommuneCodes, quoteCode } from '../codes.ts'
import { findFlaw } from '../flaws.ts'
import { isObject, jsonElements } from '../json.ts'
import type { Run } from '../run.ts'
import {
  insertGroups,
  type KnownGroup,
  listKnownGroups,
  type NewGroup,
  replaceAllMembers,
  updateGroups,
} from './queries.ts'

/** An intercommunality of the register. `codes`: the INSEE codes of its members, the largest first. */
type Source = { siren: string; nom: string; codes: string[] }
type Input = AsyncIterable<Uint8Array> | null

/**
 * Loads the intercommunalities with their members from the package that carries the register, or a file of the same form:
 * creates new ones, updates known ones, which their SIREN identifies, and deletes none. All in one transaction.
 */
export async function loadGroups(db: Database, input: Input, run: Run): Promise<void> {
  const sources = await readSources(input, run)
  await inTransaction(db, (tx) => writeGroups(tx, sources, run))
  await analyzeTables(db, ['groups', 'group_communes'])
  run.step()
}

async function readSources(input: Input, run: Run): Promise<Source[]> {
  const sources = new Map<string, Source>()
  const add = (where: string, value: unknown) => {
    const source = readSource(value)
    if (typeof source === 'string') run.refuse(where, source)
    else if (sources.has(source.siren)) run.refuse(where, `${source.siren} stands twice in the file`)
    else sources.set(source.siren, source)
  }
  if (input !== null) for await (const { where, value } of jsonElements(input, run)) add(where, value)
  else {
    const path = createRequire(import.meta.url).resolve('@etalab/decoupage-administratif/data/epci.json')
    const entries: { code: string }[] = JSON.parse(await readFile(path, 'utf8'))
    run.counts.read += entries.length
    for (const entry of entries) add(entry.code, entry)
  }
  return [...sources.values()]
}

/** Reads a record of the register; a text says why it cannot be read. */
function readSource(value: unknown): Source | string {
  if (!isObject(value)) return 'it is not an object'
  const { code, nom, membres } = value
  if (typeof code !== 'string' || !/^[0-9]{9}$/.test(code)) return 'code is not a SIREN of nine digits'
  const name = typeof nom === 'string' ? oneLine(nom) : ''
  const flaw = findFlaw([['nom', name]])
  if (flaw !== null) return flaw
  if (slugify(name) === '' || name.length > 200) return 'nom is not a name of at most 200 characters'
  if (!Array.isArray(membres) || membres.length > maxMembers)
    return `membres is not a list of at most ${maxMembers} communes`
  const codes = membres.map((member) => String(isObject(member) ? member.code : ''))
  return { siren: code, nom: name, codes }
}

async function writeGroups(tx: Database, read: Source[], run: Run): Promise<void> {
  const communes = await mapCommuneCodes(tx)
  const memberIds = new Map(read.map((source) => [source.siren, idsOf(source, communes, run)]))
  // A file without the members must not take them from a group that has some.
  const sources = read.filter(({ siren }) => {
    const hasMembers = memberIds.get(siren)?.length !== 0
    if (!hasMembers) run.refuse(siren, 'none of its members is a commune here')
    return hasMembers
  })
  const sirens = sources.map(({ siren }) => siren)
  const all = await listKnownGroups(tx, sirens)
  const known = new Map(all.map((group) => [group.siren, group]))
  const created = await writeCreations(tx, sources, { all, known, communes }, run)
  const members = sources.flatMap((source) => {
    const id = known.get(source.siren)?.id ?? created.get(source.siren)
    return id === undefined ? [] : [{ group_id: id, commune_ids: memberIds.get(source.siren) ?? [] }]
  })
  const changes = new Map((await replaceAllMembers(tx, members)).map((change) => [change.group_id, change]))
  for (const { added, removed } of changes.values()) {
    run.counts.membersAdded += added
    run.counts.membersRemoved += removed
  }
  const updates = sources.flatMap(({ siren, nom }) => {
    const before = known.get(siren)
    if (before === undefined) return []
    const isChanged = before.nom !== nom || before.kind !== 'epci' || changes.has(before.id)
    return isChanged ? [{ id: before.id, nom }] : []
  })
  if (updates.length > 0) await updateGroups(tx, updates)
  run.counts.created += created.size
  run.counts.updated += updates.length
  run.counts.unchanged += members.length - created.size - updates.length
}

type Known = { all: KnownGroup[]; known: Map<string | null, KnownGroup>; communes: CommuneCodes }

/** Inserts those that are new and returns their ids. Namesakes get the same slugs in one run or two. */
async function writeCreations(
  tx: Database,
  sources: Source[],
  { all, known, communes }: Known,
  run: Run,
): Promise<Map<string, string>> {
  const named = sources
    .filter(({ siren }) => !known.has(siren))
    .map(({ siren, nom, codes }) => {
      const seat = codes.find((code) => communes.has(code)) ?? ''
      return { code: siren, nom, departement: departementOf(seat) }
    })
  const slugs = uniqueSlugs(named, new Set(all.flatMap(({ slug, nom }) => [slug, slugify(nom)])))
  const rows: NewGroup[] = named.map(({ code, nom }) => ({
    id: uuidv7(),
    siren: code,
    slug: slugs.get(code) ?? `${slugify(nom)}-${code}`,
    nom,
  }))
  const inserted = rows.length === 0 ? new Set() : await insertGroups(tx, rows)
  for (const { siren } of rows)
    if (!inserted.has(siren)) run.refuse(siren, 'another group has its slug by now: load again')
  return new Map(rows.filter(({ siren }) => inserted.has(siren)).map(({ siren, id }) => [siren, id]))
}

/** Returns the ids of the members; that of a former commune leads to the present one. */
function idsOf({ siren, codes }: Source, communes: CommuneCodes, run: Run): string[] {
  const ids = codes.flatMap((code) => {
    const commune = communes.get(code)
    if (commune === undefined) run.refuse(siren, `no commune has ${quoteCode(code)}`)
    return commune?.id ?? []
  })
  return [...new Set(ids)]
}
