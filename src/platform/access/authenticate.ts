import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/connect.ts'
import { unauthenticated } from '../errors.ts'
import type { User } from './caller.ts'
import type { DigestIdentity } from './erased-identities.ts'
import type { VerifyToken } from './tokens.ts'
import { getUserOf } from './users.ts'

export type Authenticate = (request: FastifyRequest) => Promise<User>

/** The user that the request's bearer token speaks for. */
export function authenticator(db: Database, verify: VerifyToken, digestOf: DigestIdentity): Authenticate {
  return async ({ headers, id }) => {
    const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
    if (token === undefined) throw unauthenticated()
    return getUserOf(db, await verify(token), digestOf, id)
  }
}
