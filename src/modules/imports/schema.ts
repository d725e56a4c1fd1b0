import Type, { type Static, type TOptional } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  Can,
  filledText,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { type MappedName, mappedTargets } from '../publications/importing/content.ts'

export const sourceTypes = ['rss', 'ics', 'csv', 'json', 'openagenda'] as const
export type SourceType = (typeof sourceTypes)[number]

export const runStatuses = ['queued', 'running', 'succeeded', 'partial', 'failed'] as const

/** Decision about the publications that a run held back. */
export const heldDecisions = ['accepted', 'refused'] as const
export type HeldDecision = (typeof heldDecisions)[number]

export const actions = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'] as const
export type Action = (typeof actions)[number]

const targets = mappedTargets.map(({ name, field, example, description }) => {
  const target = filledText(200, { description, examples: [example] })
  return [name, field === 'title' || field === 'body' ? target : Type.Optional(target)]
})
type Target = ReturnType<typeof filledText>

/** Maps columns of a table, or paths in a document, to fields. */
export const Mapping = Type.Object(
  {
    external_id: filledText(200, {
      description: 'Tells one item from all others of the source, for good',
      examples: ['id'],
    }),
    ...(Object.fromEntries(targets) as Record<'title' | 'body', Target> & {
      [Name in Exclude<MappedName, 'title' | 'body'>]: TOptional<Target>
    }),
    items: Type.Optional(
      filledText(200, {
        description: 'json alone: the path of the list; without it the document is the list',
        examples: ['data.items'],
      }),
    ),
  },
  {
    title: 'ImportMapping',
    description: 'csv: names of columns; json: paths such as `lieu.nom` or `images.0.url`',
    additionalProperties: false,
  },
)
export type Mapping = Static<typeof Mapping>

const count = (description?: string) => Type.Integer({ examples: [3], ...(description && { description }) })

/** Stored fields of a run that responses show. */
export const Run = titled('ImportRun', {
  id: Id(),
  source_id: Id(),
  dry_run: Type.Boolean({
    description: 'Nothing was written except this run',
    examples: [false],
  }),
  status: oneOf(
    runStatuses,
    'partial: imported, but for items that were rejected; failed: the source could not be read, or not to its end',
  ),
  started_at: ResponseTimestamp('When it was asked for, until it begins'),
  finished_at: nullable(ResponseTimestamp()),
  fetched: count('Items read; each counts once below'),
  created: count(),
  updated: count(),
  unchanged: count('The same as before, or changed here by hand since'),
  duplicates: count('New, but duplicate of another publication'),
  rejected: count(),
  held: count(
    'New publications that wait for a decision, because the run brings many times more than the ones before it',
  ),
  held_decision: nullable(
    oneOf(heldDecisions, 'What was decided about them together; null while nobody did'),
  ),
  held_decided_at: nullable(ResponseTimestamp()),
  error: textOrNull('The server did not answer in full within the time limit.'),
})
export type Run = Static<typeof Run>

const waits = ({ dry_run, held, held_decision, finished_at }: Run) =>
  !dry_run && held > 0 && held_decision === null && finished_at !== null

/** Actions on a run: its held publications are accepted or refused once, together. */
export const runActions = { accept: waits, refuse: waits }

/** Response fields of a source's settings. */
const settings = {
  nom: Type.String({ examples: ['Agenda de la médiathèque'] }),
  type: oneOf(sourceTypes, 'rss also reads Atom, RDF and JSON Feed'),
  url: Type.String({ examples: ['https://mediatheque.example/agenda.xml'] }),
  acteur_id: nullable(Id('Whose publications they become; null: what is imported waits for a decision')),
  commune_id: nullable(Id("Where they are shown; null: the acteur's commune")),
  type_id: nullable(Id('Their publication type')),
  moderation_status: oneOf(
    ['published', 'pending'] as const,
    '`published`: new items are published if the acteur may publish. `pending`: they wait for a decision',
  ),
  actif: Type.Boolean({ description: 'Inactive, it is only read by dry runs', examples: [true] }),
  skip_duplicates: Type.Boolean({
    description: 'Skips duplicates of other publications; otherwise imports and counts them',
    examples: [true],
  }),
  cron: textOrNull('0 6 * * *', 'When it runs by itself, five fields in the time of Paris'),
  mapping: nullable(Mapping),
}

/** Stored fields of a source that responses show. */
export const storedSource = {
  id: Id(),
  ...settings,
  failures: Type.Integer({ description: 'Failed runs in a row', examples: [0] }),
  paused_reason: textOrNull('Failed 5 times in a row.', 'Why it was switched off by itself'),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
}

type Facts = { actif: boolean; is_running: boolean; has_items: boolean }

/** Actions that each state allows. During a run, no other action can start. */
export const sourceActions = {
  edit: always,
  run: ({ actif, is_running }: Facts) => actif && !is_running,
  withdraw: ({ is_running, has_items }: Facts) => !is_running && has_items,
  delete: ({ is_running }: Facts) => !is_running,
}

export const ImportSource = titled('ImportSource', {
  ...storedSource,
  last_run: nullable(titled('ImportLastRun', Run.properties, 'The last that was no dry run')),
  can: Can(sourceActions),
})
/** A source as returned by the query, before `can` is added. */
export type SelectedSource = Omit<Static<typeof ImportSource>, 'can'> & Facts

export const ById = Type.Object({ id: Id('Identifier of the import source') })
