import { unauthenticated } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { readMe } from '../../me/rules.ts'
import { Me } from '../../me/schema.ts'
import { readAddress } from '../email/rules.ts'
import { mailSecrets } from '../email/secrets.ts'
import { AddressVerifyBody, EmailBody, ProfileBody, Sent } from '../schema.ts'
import { countMail } from '../send.ts'
import { askForAddress, takeAddress, updateProfile } from './rules.ts'

/** Routes for changing one's own account. */
export function accountRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { db, reads, config, limits, modules } = deps

  scope.patch(
    '/me',
    {
      config: { needs: 'own.change', audits: 'user.update' },
      schema: {
        operationId: 'updateMe',
        summary: "Change the caller's own name, and the language of mails to them",
        body: ProfileBody,
        response: { 200: record(Me) },
      },
    },
    async ({ caller, body }) => {
      await updateProfile(db, caller, body)
      return { data: await readMe(reads, modules, caller.user.id) }
    },
  )

  scope.post(
    '/me/email',
    {
      config: { needs: 'own.change', confirms: true, refusals: ['address_set_elsewhere', 'rate_limited'] },
      schema: {
        operationId: 'askForNewAddress',
        summary: 'Ask for a code at a new address, which counts once the code is sent back',
        body: EmailBody,
        response: { 202: record(Sent) },
      },
    },
    async (request, reply) => {
      const address = readAddress(request.body.email)
      await countMail(deps, request, address, null)
      const data = await askForAddress(deps, request.caller, address, request.session?.id ?? null)
      return reply.code(202).send({ data })
    },
  )

  scope.post(
    '/me/email/verify',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        refusals: ['unauthenticated', 'conflict', 'rate_limited'],
        audits: 'user.address',
      },
      schema: {
        operationId: 'verifyNewAddress',
        summary: 'Confirm the new address by the code mailed to it; the former address gets a notice',
        body: AddressVerifyBody,
        response: { 200: record(Me) },
      },
    },
    async (request) => {
      const { caller, body, session } = request
      await limits.countClient('sign_in', 'failure', request)
      const tools = { ...deps, secrets: mailSecrets(config.sessionKeys) }
      if (!(await takeAddress(tools, caller, body.code, session?.id ?? null))) throw unauthenticated()
      await limits.giveBackClient('sign_in', 'failure', request)
      return { data: await readMe(reads, modules, caller.user.id) }
    },
  )
}
