import { createHash, randomBytes } from 'node:crypto'
import { opens } from '../../platform/access/areas.ts'
import type { SignedIn, User } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ApiError, adminRequired, validationFailed } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Language } from '../../platform/http/language.ts'
import { exported, type FoundList } from '../../platform/http/listing/csv-lists.ts'
import { type Filters, filterNames } from '../../platform/http/listing/csv-route.ts'
import { insertLink } from './queries.ts'
import type { ExportCreate } from './schema.ts'

/** Refuses users whose roles do not open the list. A list without an area checks the area of its record. */
export function requireList(user: User, { area }: FoundList): void {
  if (area === null ? user.roles.length === 0 : !opens(user.roles, area)) throw adminRequired()
}

/** Returns the filters; 422 names them as parts of `query`. */
export function readFilters(list: FoundList, query: string): Filters {
  try {
    return list.readFilters(query)
  } catch (error) {
    throw error instanceof ApiError ? withinQuery(error) : error
  }
}

/** Replaces the fields of a 422 by fields of the body. */
export function withinQuery(error: ApiError): ApiError {
  if (error.details === undefined) return error
  return validationFailed(error.details.map(({ field, message }) => ({ field: `query.${field}`, message })))
}

/**
 * Creates a one-time link and returns the last part of its address. The export is audited here, and not again
 * when the file is sent. The stored response of a retried request contains the address, which serves nobody else.
 */
export async function createExport(
  db: Database,
  caller: SignedIn,
  { list, query = '', filters, language }: ExportCreate & { filters: Filters; language: Language },
): Promise<string> {
  const { token } = await create(
    db,
    caller,
    { ...exported, auditedValues: () => ({ list, filters: filterNames(filters) }) },
    { action: 'export.create' },
    async (tx) => {
      const made = { id: uuidv7(), token: randomBytes(32).toString('base64url') }
      const link = { id: made.id, list, query, language }
      await insertLink(tx, { ...link, userId: caller.user.id, tokenHash: digestOf(made.token) })
      return made
    },
  )
  return token
}

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
