import Type, { type Static } from 'typebox'
import { rollBackAfter, transactOn } from '../../platform/database/dry-run.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  nullable,
  oneOf,
  record,
  strictObject,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { createSlots } from '../../platform/slots.ts'
import type { SourceRow } from './queries.ts'
import { inspectInWorker } from './readers/inspection/inspect-in-worker.ts'
import { ReadFailed } from './readers/read-failed.ts'
import { decide } from './run/decide.ts'
import { addEarlier, noneEarlier, sharedAddress } from './run/digests.ts'
import { ask, download, partOf } from './run/download.ts'
import { countsOf, maxShown, type Outcome, outcomeOf } from './run/import-items.ts'
import { dryRunMs, readingOf, withinTime } from './run/reading.ts'
import type { Reading } from './run/rules.ts'
import { DryRun } from './run/schema.ts'
import { Mapping, sourceTypes } from './schema.ts'
import { insertChecked, requireWebAddress } from './sources/rules.ts'
import { SourceCreate } from './sources/schema.ts'

const InspectBody = strictObject({
  url: text(2_000, {
    minLength: 1,
    description: 'An http or https address, of no private network; of a feed, or of a page that names feeds',
    examples: ['https://mediatheque.example/'],
  }),
})

const SampleItem = titled('ImportSampleItem', {
  external_id: textOrNull('urn:uuid:42'),
  title: textOrNull('Heure du conte'),
  excerpt: textOrNull('Des histoires pour les petits.', 'The beginning of its text, without markup'),
  url: textOrNull('https://mediatheque.example/42'),
  image_url: textOrNull('https://mediatheque.example/42.jpg'),
  date_debut: textOrNull('2026-11-20'),
  date_fin: textOrNull('2026-11-21'),
  problem: textOrNull('it has no identifier', 'Why an import refuses it, or a remark'),
})

const type = oneOf(sourceTypes, 'rss also reads Atom, RDF and JSON Feed')

const Inspection = titled('ImportInspection', {
  type: nullable(oneOf(sourceTypes, 'null: it could not be read (`error`), or is a page that names `feeds`')),
  mapping: nullable(
    Type.Unsafe<Static<typeof Mapping> | null>({
      ...Mapping,
      title: 'ImportMappingProposed',
      description: 'Proposed by the names of the fields; only for csv and json',
    }),
  ),
  fields: Type.Array(
    titled('ImportField', {
      name: Type.String({ examples: ['titre'] }),
      example: textOrNull('Heure du conte'),
    }),
    { description: 'Columns or paths that a mapping can name; only for csv and json' },
  ),
  items: Type.Array(SampleItem, { description: 'The first ten, as an import reads them' }),
  feeds: Type.Array(
    titled('ImportLinkedFeed', {
      url: Type.String({ examples: ['https://mediatheque.example/agenda.xml'] }),
      title: textOrNull('Agenda'),
      type,
    }),
    { description: 'The feeds that a web page names' },
  ),
  error: textOrNull('The server answered 404.', 'Why it could not be read'),
})
type Inspection = Static<typeof Inspection>

const {
  id: _id,
  source_id: _source,
  held_decision: _decision,
  held_decided_at: _at,
  ...reported
} = DryRun.properties

/** A dry run of a source that is not saved: neither is stored. */
const UnsavedDryRun = titled('ImportUnsavedDryRun', reported)
type UnsavedDryRun = Static<typeof UnsavedDryRun>

/** Timeout of an inspection: the client waits for the response. */
const inspectionMs = 40_000

export function beforeSavingRoutes(scope: SignedInScope, { db, log, clock, config }: Deps): void {
  const reading = readingOf(config)

  scope.post(
    '/admin/import-sources/inspect',
    {
      schema: {
        operationId: 'inspectImportSource',
        summary:
          'Inspect a URL: detect its type and return ten sample items and a proposed mapping. Nothing is saved',
        body: InspectBody,
        response: { 200: record(Inspection) },
      },
    },
    async ({ body }) =>
      withinTime(inspectionMs, async (signal) => ({
        data: await inspectSource({ log, clock }, body.url, { ...reading, signal }),
      })),
  )

  scope.post(
    '/admin/import-sources/dry-run',
    {
      schema: {
        operationId: 'tryImportSource',
        summary: 'Show what an import of a source would do before the source is saved',
        body: SourceCreate,
        response: { 200: record(UnsavedDryRun) },
      },
    },
    async ({ body }) =>
      withinTime(dryRunMs, async (signal) => ({
        data: await tryUnsaved({ db, log, clock }, body, { ...reading, signal }),
      })),
  )
}

/** Inspections and dry runs of unsaved sources at one time, so that slow servers occupy few requests. */
const slots = createSlots(3)

/** Downloads an address and finds out what it is. An unreadable one is a result with its `error`. */
export async function inspectSource(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  url: string,
  { fetch, signal }: Pick<Reading, 'fetch' | 'signal'>,
): Promise<Inspection> {
  requireWebAddress(url)
  const nothing = { type: null, mapping: null, fields: [], items: [], feeds: [] }
  const read = await reading({ log }, signal, async () => {
    const response = await ask(fetch, url, { signal })
    return inspectInWorker({ url: response.url, part: partOf(response), now: clock() }, signal)
  })
  return { ...nothing, ...read.value, error: read.error }
}

/**
 * Shows what a run of this source would do. Checks the settings like a creation, by an insert that is rolled
 * back, and stores nothing.
 */
async function tryUnsaved(
  { db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>,
  body: SourceCreate,
  tools: Reading,
): Promise<UnsavedDryRun> {
  const started_at = clock()
  const source = await rollBackAfter(transactOn(db), (tx) => insertChecked(tx, body, started_at))
  const counts = countsOf([])
  const items: Outcome[] = []
  const earlier = noneEarlier()
  // A source without earlier runs holds nothing back.
  const context = { source, run: { id: uuidv7(), started_at }, isHeld: false, earlier }
  const { error } = await reading({ log }, tools.signal, async () => {
    for await (const batch of await batchesOf(source, tools, started_at)) {
      const decisions = await inTransaction(db, (tx) => decide(tx, context, batch, { isDry: true }))
      addEarlier(earlier, batch)
      for (const [name, count] of Object.entries(countsOf(decisions)))
        counts[name as keyof typeof counts] += count
      items.push(...decisions.slice(0, maxShown - items.length).map(outcomeOf))
    }
  })
  const shared_address = sharedAddress(earlier)
  const done = counts.rejected > 0 ? 'partial' : 'succeeded'
  const status = error === null ? done : 'failed'
  return { dry_run: true, status, started_at, finished_at: clock(), ...counts, error, items, shared_address }
}

async function batchesOf(source: SourceRow, { read, ...downloading }: Reading, now: Date) {
  const { type, mapping } = source
  const downloaded = await download(source, downloading)
  if (downloaded === null) throw new ReadFailed('The server answered 304.')
  return read({ type, mapping, url: downloaded.url, parts: downloaded.parts, now }, downloading.signal)
}

type ReadResult<T> = { value: T; error: null } | { value: null; error: string }

/** Does the work in a slot. Returns the sentence of a failure that is the source's fault. */
async function reading<T>(
  { log }: Pick<Deps, 'log'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<ReadResult<T>> {
  try {
    await slots.take(signal)
    try {
      return { value: await work(), error: null }
    } finally {
      slots.release()
    }
  } catch (thrown) {
    // The guarded fetch reports an abort in its own words; the reason of the signal says why.
    const failure = signal.aborted ? signal.reason : thrown
    if (!(failure instanceof ReadFailed)) throw failure
    if (failure.cause !== undefined) log.error({ err: failure.cause }, 'a feed reader failed')
    return { value: null, error: failure.message }
  }
}
