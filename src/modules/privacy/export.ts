import { operator } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Deps } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { person as auditedPerson } from './record.ts'

/**
 * Streams everything stored about a person as one JSON object, with a list per kind of data. Writes the audit
 * entry before the first chunk.
 */
export async function* exportPerson(
  { db, modules, clock }: Pick<Deps, 'db' | 'modules' | 'clock'>,
  person: Person,
): AsyncGenerator<string> {
  await record(db, person)
  const about = { user_ids: person.userIds, emails: person.emails, exported_at: clock() }
  yield JSON.stringify(about, null, 2).replace(/\n}$/, '')
  for (const { name, read } of modules.flatMap(({ personal = [] }) => personal)) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let isFirst = true
    for await (const row of read(db, person)) {
      yield `${isFirst ? '' : ','}\n    ${JSON.stringify(row)}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n  ]'
  }
  yield '\n}\n'
}

async function record(db: Database, { userIds }: Person): Promise<void> {
  for (const entityId of userIds.length > 0 ? userIds : [uuidv7()]) {
    const change = { kind: auditedPerson, entityId, before: null, after: { exported: true } }
    await recordAudit(db, operator, { action: 'person.export', ...change })
  }
}
