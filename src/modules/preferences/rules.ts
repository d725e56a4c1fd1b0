import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { onlyOnce } from '../../platform/idempotency.ts'
import { insertView, putPreferences } from './queries.ts'
import type { Preferences, View, ViewCreate } from './schema.ts'

/** Replaces the caller's preferences. They are personal settings and not audited. */
export function setPreferences(db: Database, caller: SignedIn, preferences: Preferences): Promise<void> {
  return db
    .transaction()
    .execute((tx) => onlyOnce(tx, caller, () => putPreferences(tx, caller.user.id, preferences)))
}

/** Saves a view; 422 for a role the caller does not have, 409 for a name in use or above the limit. */
export function saveView(
  db: Database,
  caller: SignedIn,
  { role = null, ...view }: ViewCreate,
): Promise<View> {
  if (role !== null && !caller.user.roles.includes(role)) throw invalid('role', notYours)
  const values = { ...view, name: view.name.trim(), role, id: uuidv7(), user_id: caller.user.id }
  return db
    .transaction()
    .execute((tx) => onlyOnce(tx, caller, async () => (await insertView(tx, values)) ?? raise(conflict())))
}

const notYours = { en: 'must be one of your roles', fr: 'doit être l’un de vos rôles' }
