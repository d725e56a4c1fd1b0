import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { askedOf } from '../person.ts'
import { AskedBody, FoundPerson } from '../schema.ts'
import { findEverywhere } from './rules.ts'

export function findingRoutes(scope: SignedInScope, { reads, modules }: Deps): void {
  scope.post(
    '/admin/people/find',
    {
      schema: {
        operationId: 'findPerson',
        summary: 'Find a person everywhere, by account or address',
        description:
          'A POST, so that no address stands in a URL or a log. An address stands for the accounts that have verified it, an account for its verified address; records that another account made with the address are listed apart, in `unsure`, because that account may have typed anybody’s address.',
        body: AskedBody,
        response: { 200: record(FoundPerson) },
      },
    },
    async ({ body, headers }) => {
      const language = languageOf(headers['accept-language'])
      return { data: await findEverywhere({ reads, modules, language }, askedOf(body)) }
    },
  )
}
