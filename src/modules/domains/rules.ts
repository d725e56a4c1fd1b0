import { randomBytes } from 'node:crypto'
import type { Caller, SignedIn } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change, create } from '../../platform/change.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { requireVersion } from '../../platform/formats/version-tag.ts'
import type { Deps } from '../../platform/module.ts'
import { domainUnproven } from './errors.ts'
import type { Prover } from './proof.ts'
import * as queries from './queries.ts'
import { domain, domainOfPlace } from './record.ts'
import { type Domain, type DomainCreate, type DomainUpdate, domainActions, isProven } from './schema.ts'

type Tools = Pick<Deps, 'db' | 'config' | 'clock'>

export function createDomain({ db, config }: Tools, caller: Caller, body: DomainCreate): Promise<Domain> {
  const { host, commune_id = null, group_id = null } = body
  refuseOwnHost(config, host)
  const wanted = { action: 'domain.create', read: readDomain }
  return create(db, caller, domain, wanted, (tx) =>
    queries.insertDomain(tx, { id: uuidv7(), host, commune_id, group_id, token: newToken() }),
  )
}

/** Changes the host, which is then verified anew, or the home. A commune replaces a group, and the other way round. */
export function updateDomain(
  { db, config }: Tools,
  caller: SignedIn,
  id: string,
  body: DomainUpdate,
): Promise<Domain> {
  if (body.host !== undefined) refuseOwnHost(config, body.host)
  return change(db, caller, domain, { id, action: 'domain.update' }, async (tx, before, save) => {
    const isMoved = body.host !== undefined && body.host !== before.host
    const place = {
      ...(body.commune_id && { group_id: null }),
      ...(body.group_id && { commune_id: null }),
    }
    const renewed = isMoved ? { token: newToken(), verified_at: null } : {}
    const after = { ...before, ...place, ...body }
    const hasLeft = after.commune_id !== before.commune_id || after.group_id !== before.group_id
    // It was chosen as this host, among the domains of this place.
    const unchosen = isMoved || hasLeft ? { is_primary: false } : {}
    return readDomain(tx, await save({ ...place, ...body, ...renewed, ...unchosen }))
  })
}

/** Looks for the token of a domain at its host, outside of any transaction, and remembers that it is there. */
export async function verifyDomain(
  { db, clock }: Tools,
  prove: Prover,
  caller: SignedIn,
  id: string,
): Promise<Domain> {
  const asked = await queries.getDomain(db, id)
  requireVersion(caller, asked)
  if (!(await prove(asked))) throw domainUnproven()
  return change(db, caller, domain, { id, action: 'domain.verify' }, async (tx, before, save) => {
    // A change of the host meanwhile has changed the token.
    if (before.token !== asked.token) throw conflict()
    return readDomain(tx, await save({ verified_at: clock() }))
  })
}

/** Makes a proven domain the primary one of its commune or group, in place of another. Of two at once, the later one stays. */
export function makePrimary({ db }: Tools, caller: SignedIn, id: string): Promise<Domain> {
  return change(
    db,
    caller,
    domainOfPlace,
    { id, action: 'domain.make_primary' },
    async (tx, before, save) => {
      if (!isProven(before)) throw domainUnproven()
      const replaces = await queries.endPrimary(tx, before)
      return readDomain(
        tx,
        await save({ is_primary: true }, replaces === null ? undefined : { after: { replaces } }),
      )
    },
  )
}

/** Deletes a domain and returns it as it last was. */
export function deleteDomain({ db }: Tools, caller: SignedIn, id: string): Promise<Domain> {
  return change(db, caller, domain, { id, action: 'domain.delete' }, async (tx, before, save) => {
    const last = await readDomain(tx, before)
    await save({ isDeleted: true })
    return { ...last, can: [] }
  })
}

export const readDomain = async (db: Database, { id }: { id: string }): Promise<Domain> =>
  withCanOf(domainActions)(await queries.getDomain(db, id))

/** Refuses the hosts of the platform itself, which show all communes. */
function refuseOwnHost({ publicUrl, publicSiteUrl }: Config, host: string): void {
  const own = [publicUrl, publicSiteUrl].map((address) => address && new URL(address).hostname)
  if (own.includes(host))
    throw invalid('host', { en: 'is the address of the platform', fr: 'est l’adresse de la plateforme' })
}

const newToken = () => randomBytes(32).toString('base64url')
