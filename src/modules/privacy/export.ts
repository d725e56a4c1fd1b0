import { type Caller, operator } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type Deps, personalOf } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { person as auditedPerson } from './record.ts'

type Tools = Pick<Deps, 'db' | 'modules' | 'config' | 'clock'>

/** Streams everything stored about a person. Writes the audit entry before the first chunk. */
export async function* exportPerson(tools: Tools, person: Person): AsyncGenerator<string> {
  await auditExport(tools.db, operator, person)
  yield* personAsJson(tools, person)
}

/**
 * Streams everything stored about a person as one JSON object, with a list per kind of data. Calls `onSection`
 * after each.
 */
export async function* personAsJson(
  { db, modules, config, clock }: Tools,
  person: Person,
  onSection: () => Promise<void> = async () => {},
): AsyncGenerator<string> {
  const about = { user_ids: person.userIds, emails: person.emails, exported_at: clock() }
  yield JSON.stringify(about, null, 2).replace(/\n}$/, '')
  for (const { name, read } of personalOf(modules, config)) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let isFirst = true
    for await (const row of read(db, person)) {
      yield `${isFirst ? '' : ','}\n    ${JSON.stringify(row)}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n  ]'
    await onSection()
  }
  yield '\n}\n'
}

/** Writes an audit entry per account, or under a new id if there is none. */
export function auditExport(
  db: Database,
  caller: Caller,
  { userIds }: Pick<Person, 'userIds'>,
  { action, after }: { action: string; after: Record<string, unknown> } = {
    action: 'person.export',
    after: { exported: true },
  },
): Promise<void> {
  const ids = userIds.length > 0 ? userIds : [uuidv7()]
  const changes = ids.map((entityId) => ({ kind: auditedPerson, entityId, action, after }))
  return append(db, caller, changes)
}
