import type { Database } from '../../../platform/database/connect.ts'
import type { Text } from '../../../platform/errors.ts'
import type { Module } from '../../../platform/module.ts'
import type { Person } from '../../../platform/personal.ts'
import { type Asked, findPerson, listUnsureRecords } from '../person.ts'
import type { FoundPerson, Unsure } from '../schema.ts'
import { findRows, maxCounted, nameAccounts, nameRecords } from './queries.ts'

type Tools = { reads: Database; modules: readonly Module[]; language: keyof Text }

/** Finds a person everywhere: by kind of data, apart from what only bears their address. */
export async function findEverywhere(tools: Tools, asked: Asked): Promise<FoundPerson> {
  const { reads, modules, language } = tools
  const { person, unsure } = await findPerson(reads, asked)
  const all = modules.flatMap(({ personal = [] }) => personal)
  const found = await findRows(reads, all, person)
  const places = all.flatMap(({ name, title, erasure, kind }) => {
    const { rows = 0, records = [] } = found.find((one) => one.name === name) ?? {}
    if (rows === 0) return []
    const total = Math.min(rows, maxCounted - 1)
    const shown = kind === null ? [] : records
    return {
      name,
      title: title[language],
      erasure: erasure[language],
      kind,
      total,
      is_more: rows > total,
      records: shown,
    }
  })
  const { userIds: user_ids, emails } = person
  return { user_ids, emails, places, unsure: await describeUnsure(tools, person, unsure) }
}

const maxShown = 100

/** Names the accounts and records that bear the address of a person and may be somebody else's. */
export async function describeUnsure(
  { reads, modules, language }: Tools,
  person: Person,
  accounts: string[],
): Promise<Unsure> {
  const ids = await listUnsureRecords(reads, modules, person)
  const all = modules
    .flatMap(({ personal = [] }) => personal)
    .flatMap((personal) => {
      const its = ids[personal.name]?.slice(0, maxShown)
      return its === undefined ? [] : { personal, ids: its }
    })
  const [users, named] = await Promise.all([
    nameAccounts(reads, accounts.slice(0, maxShown)),
    nameRecords(reads, all, person),
  ])
  const records = all.map(({ personal: { name, title, kind } }) => {
    const { records = [] } = named.find((one) => one.name === name) ?? {}
    return { name, title: title[language], kind, records }
  })
  return { users, records }
}
