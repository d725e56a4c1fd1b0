import type { Database } from '../database/connect.ts'
import { requireRow } from '../database/require-row.ts'
import { adminRequired } from '../errors.ts'
import type { SignedIn } from './caller.ts'
import { allows, platformRules, relationsOf } from './rules.ts'

/** Kinds of back-office records, with the area that a colleague needs to work on one, and its table. */
export const recordKinds = {
  publication: { area: 'publications', table: 'publications' },
  acteur: { area: 'acteurs', table: 'acteurs' },
  commune: { area: 'communes', table: 'communes' },
  user: { area: 'users', table: 'users' },
  claim: { area: 'claims', table: 'claims' },
  thread: { area: 'messages', table: 'support_threads' },
  import_source: { area: 'import-sources', table: 'import_sources' },
  subscription: { area: 'subscriptions', table: 'subscriptions' },
  defibrillateur: { area: 'defibrillateurs', table: 'defibrillateurs' },
} as const

export type RecordKindName = keyof typeof recordKinds
export const recordKindNames = Object.keys(recordKinds) as RecordKindName[]

/** Requires a role that opens the area of this kind of record. */
export function requireKind({ user }: SignedIn, kind: RecordKindName): void {
  requireArea(user, recordKinds[kind].area)
}

export function requireArea(user: SignedIn['user'], area: string): void {
  if (!allows(platformRules.openRecord, relationsOf(user, { area }))) throw adminRequired()
}

/** Throws 404 if the record does not exist. */
export const requireRecord = (db: Database, { kind, id }: { kind: RecordKindName; id: string }) =>
  requireRow(db, recordKinds[kind].table, id)
