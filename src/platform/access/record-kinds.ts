import { adminRequired } from '../errors.ts'
import type { SignedIn } from './caller.ts'
import { allows, platformRules, relationsOf } from './rules.ts'

/** Kinds of back-office records, with the area that a colleague needs to work on one. */
export const areaOfKind = {
  publication: 'publications',
  acteur: 'acteurs',
  commune: 'communes',
  user: 'users',
  claim: 'claims',
  thread: 'messages',
  import_source: 'import-sources',
  subscription: 'subscriptions',
  defibrillateur: 'defibrillateurs',
} as const

export type RecordKindName = keyof typeof areaOfKind
export const recordKindNames = Object.keys(areaOfKind) as RecordKindName[]

/** Requires a role that opens the area of this kind of record. */
export function requireKind({ user }: SignedIn, kind: RecordKindName): void {
  requireArea(user, areaOfKind[kind])
}

export function requireArea(user: SignedIn['user'], area: string): void {
  if (!allows(platformRules.openRecord, relationsOf(user, { area }))) throw adminRequired()
}
