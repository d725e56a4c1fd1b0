import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { describeSystem, sendTestMail } from './rules.ts'
import { System, TestMail } from './schema.ts'

export function systemRoutes(scope: SignedInScope, deps: RouteDeps): void {
  scope.get(
    '/admin/system',
    {
      schema: {
        operationId: 'getSystem',
        summary:
          'How the installation is: version, instances, sizes, jobs, backup, and settings that are off',
        description:
          'A part that cannot be read is null and named in `failed`. It shows no value of a setting.',
        response: { 200: record(System) },
      },
    },
    async ({ headers }) => ({ data: await describeSystem(deps, languageOf(headers['accept-language'])) }),
  )

  scope.post(
    '/admin/system/test-mail',
    {
      config: { refusals: ['no_address'], limit: 'test_mail' },
      schema: {
        operationId: 'sendTestMail',
        summary: 'Send a test mail to oneself, and say what the mail server answered',
        response: { 200: record(TestMail) },
      },
    },
    async ({ caller }) => ({ data: await sendTestMail(deps, caller) }),
  )
}
