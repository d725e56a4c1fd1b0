import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { putDigest } from './queries.ts'
import { Digest, DigestBody } from './schema.ts'

export function digestRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    '/me/digest',
    {
      config: { needs: 'own.change' },
      schema: {
        operationId: 'setDigest',
        summary: 'Choose whether to get one mail a working day with what waits; `GET /me` shows the choice',
        body: DigestBody,
        response: { 200: record(Digest) },
      },
    },
    async ({ body: { daily }, caller }) => ({ data: await putDigest(db, caller.user.id, daily) }),
  )
}
