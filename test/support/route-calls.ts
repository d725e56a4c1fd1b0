import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Role } from '../../src/platform/access/areas.ts'
import type { Database } from '../../src/platform/database/connect.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import type { createClient } from './client.ts'
import type { factories } from './factories.ts'
import { openMairie } from './mairies.ts'

type Row = { action: string; entity: string; entity_id?: string; before: object | null; after: object | null }

/** A successful call of a route and its audit entries; without an id, that of the response. */
export type RouteCall = {
  by: Actor
  path: string
  body?: object
  headers?: Record<string, string>
  rows?: Row[]
}
/** By route name, such as `PATCH /claims/{id}`; after a `?` a label to distinguish several calls of one route. */
export type RouteCalls = Record<string, () => Promise<RouteCall>>

export type Actor = { id: string; source: string; client: ReturnType<typeof createClient> }

/** Dependencies of staging: a running service, its database, and initial rows. */
export type Around = ReturnType<typeof factories> & {
  db: Database
  database: { owner: Connection }
  client: (call: Parameters<typeof createClient>[2]) => ReturnType<typeof createClient>
}
export type Stage = Awaited<ReturnType<typeof openStage>>

/** Stands for a name, a contact or free text: it must not appear in the audit log. */
const secret = 'Odile Vauquelin'

/** A user of every kind, with an acteur and a mairie to act for. */
export async function openStage(around: Around) {
  const { acteur, commune, user, client } = around
  async function actor(source: string, options: Parameters<typeof user>[0] = {}): Promise<Actor> {
    const { id, token } = await user(options)
    return { id, source, client: client({ source, token }) }
  }
  const officer = (role: Role) => actor('backoffice', { roles: [role] })
  const mairie = await openMairie(around)
  const club = await acteur({ valide: true, commune_id: (await commune()).id })
  return {
    ...around,
    admin: await officer('admin'),
    moderator: await officer('moderator'),
    mairie,
    mayor: await actor('mairie', { memberships: [{ acteur: mairie.hall, role: 'owner' }] }),
    club,
    author: await actor('public', { memberships: [{ acteur: club, role: 'owner' }] }),
    reader: { id: '', source: 'public', client: client({ source: 'public' }) } as Actor,
    secret,
    address: 'odile.vauquelin@example.org',
    /** The id of a record that the call creates but does not return. */
    made: '(made)',
    /** The value that the audit log stores for a personal field. */
    personal: '(personal)',
    /** One audit entry. */
    noted: (action: string, before: object | null, after: object | null) => ({ action, before, after }),
  }
}

/** The calls that every module declares beside it. */
export async function callsOfEachModule(stage: Stage): Promise<RouteCalls> {
  return Object.assign({}, ...(await callsByModule(stage)).values())
}

/** The calls of every module, by the name of its folder. */
export async function callsByModule(stage: Stage): Promise<Map<string, RouteCalls>> {
  const calls = new Map<string, RouteCalls>()
  for (const file of globSync('src/modules/*/route-calls.test-kit.ts').sort()) {
    const kit = (await import(pathToFileURL(file).href)) as { routeCalls(stage: Stage): RouteCalls }
    calls.set(basename(dirname(file)), kit.routeCalls(stage))
  }
  return calls
}
