import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Role } from '../../src/platform/access/areas.ts'
import type { Database } from '../../src/platform/database/connect.ts'
import type { createClient } from './client.ts'
import type { factories } from './factories.ts'
import { openMairie } from './mairies.ts'

type Row = { action: string; entity: string; entity_id?: string; before: object | null; after: object | null }

/** A call that a route answers with success, and what the trail keeps of it; without an id it is that of the answer. */
export type RouteCall = {
  by: Actor
  path: string
  body?: object
  headers?: Record<string, string>
  rows?: Row[]
}
/** By the route's name, such as `PATCH /claims/{id}`; after a `?` whatever tells several calls of one apart. */
export type RouteCalls = Record<string, () => Promise<RouteCall>>

export type Actor = { id: string; source: string; client: ReturnType<typeof createClient> }

/** What is needed to stage the calls: a running service, its database, and rows to begin with. */
export type Around = ReturnType<typeof factories> & {
  db: Database
  client: (call: Parameters<typeof createClient>[2]) => ReturnType<typeof createClient>
}
export type Stage = Awaited<ReturnType<typeof openStage>>

/** Stands for a name, a contact or what somebody wrote: it must not be found in the trail. */
const secret = 'Odile Vauquelin'

/** Somebody of every kind, with an acteur and a mairie to act for. */
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
    /** What the trail keeps of what is personal. */
    personal: '(personal)',
    /** One row of the trail. */
    noted: (action: string, before: object | null, after: object | null) => ({ action, before, after }),
  }
}

/** Those that every module has beside it. */
export async function callsOfEachModule(stage: Stage): Promise<RouteCalls> {
  const calls: RouteCalls = {}
  for (const file of globSync('src/modules/*/route-calls.test-kit.ts').sort()) {
    const kit = (await import(pathToFileURL(file).href)) as { routeCalls(stage: Stage): RouteCalls }
    Object.assign(calls, kit.routeCalls(stage))
  }
  return calls
}
