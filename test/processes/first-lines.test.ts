import { expect, test } from 'vitest'
import { openCommandWorld } from '../../src/cli/command.test-kit.ts'
import { run } from '../../src/cli/token.ts'
import { greeting } from '../../src/greeting.ts'
import { openWorld } from '../support/world.ts'

const { call, env, named } = await openCommandWorld(await openWorld(), run)
const provider = {
  AUTH_JWT_SECRET: '',
  AUTH_JWKS_URL: 'https://id.example/keys',
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'parvis',
}

test.each([
  ['its own tokens', true, {}],
  ['those of an identity provider alone', false, provider],
])(
  'on a service with %s the first lines name a command that issues access',
  async (_, ownTokens, settings) => {
    const lines = greeting('http://127.0.0.1:3000', { trialToken: null, ownTokens })
    const [, args = ''] = /npm run -s token -- (.+)/.exec(lines) ?? []
    expect(await call(args.replace('<sub>', 'auth0|42'), { ...env, ...settings })).toMatchObject({
      code: 0,
      stderr: named,
    })
  },
)
